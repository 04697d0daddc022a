import { Figure, type Shape } from './shape.js';

export class Square extends Figure implements Shape {
  constructor(private side: number) {
    super('square');
  }

  protected measure(): number {
    return this.side ** 2;
  }
}
