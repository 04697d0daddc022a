package geometry

import "math"

// Circle is a Shape.
type Circle struct {
	named
	Radius float64
}

// List keeps shapes of one kind.
type List[S Shape] []S

// ID names a shape.
type ID string

// NewCircle makes a circle
// around the origin.
func NewCircle(
	id ID,
	radius float64,
) *Circle {
	return &Circle{named{string(id)}, check(radius)}
}

// Area implements Shape.
func (c *Circle) Area() float64 { return math.Pi * c.Radius * c.Radius }

// Scale implements Shape.
func (c *Circle) Scale(factor float64) Shape {
	return &Circle{c.named, c.Radius * factor}
}

// Largest gives false for an empty list.
func (l List[S]) Largest() (largest S, ok bool) {
	for i, s := range l {
		if i == 0 || s.Area() > largest.Area() {
			largest, ok = s, true
		}
	}
	return largest, ok
}

func check(radius float64) float64 { return math.Max(0, radius) }
