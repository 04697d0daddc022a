"""Figures and their areas."""

from .base import Shape
from .polygon import Polygon, Square
