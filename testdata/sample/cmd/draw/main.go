// Command draw prints figures.
package main

import (
	"fmt"

	"example.test/sample/geometry"
)

func main() {
	fmt.Println(geometry.Sum(geometry.NewCircle("unit", 1)))
}
