// Package geometry measures figures.
package geometry

import "fmt"

// Shape is anything with an area.
type Shape interface {
	fmt.Stringer
	// Area is in square metres.
	Area() float64
	Scale(factor float64) Shape
}

type named struct{ name string }

func (n named) String() string { return n.name }

// Sum adds the areas up.
func Sum(shapes ...Shape) (total float64) {
	for _, s := range shapes {
		total += s.Area()
	}
	return total
}
