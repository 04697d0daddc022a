from typing import (
    Iterable,
    Sequence,
)

from shapes.base import Point, Shape
from . import base


class Polygon(Shape):
    def __init__(self, name: str, corners: Sequence[Point]) -> None:
        super().__init__(name)
        self.corners = list(corners)

    def area(self) -> float:
        def cross(a, b):
            return a.x * b.y - b.x * a.y

        return abs(sum(cross(a, b) for a, b in zip(self.corners, self.corners[1:]))) / 2


class Square(Polygon):
    class Side:
        length: float

        def double(self): return self.length * 2

    @classmethod
    def of(cls, side: float, /, name: str = "square", **more: object) -> "Square":
        return cls(name, [base.Point(0, 0), base.Point(side, side)])


if True:
    def total(shapes: Iterable[Shape]) -> float:
        return sum(s.area() for s in shapes)
