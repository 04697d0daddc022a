from shapes.polygon import Square


def test_area():
    assert Square.of(2).area() >= 0
