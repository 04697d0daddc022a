import { Square } from '../src/square';

test('area', () => {
  expect(new Square(2).area()).toBe(4);
});
