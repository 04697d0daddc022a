package geometry

import "testing"

func TestArea(t *testing.T) {
	if NewCircle("unit", 1).Area() < 3 {
		t.Fatal("too small")
	}
}
