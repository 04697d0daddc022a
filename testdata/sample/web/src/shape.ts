export interface Shape {
  readonly name: string;
  area(): number;
}

export type Corners = readonly [number, number][];

export enum Unit {
  Metre = 'm',
  Foot = 'ft',
}

export abstract class Figure implements Shape {
  private cached?: number;

  constructor(readonly name: string) {}

  area(): number {
    if (this.cached === undefined) {
      this.cached = this.measure();
    }
    return this.cached;
  }

  protected measure(): number {
    return 0;
  }

  static async load(path: string): Promise<Figure[]> {
    return [];
  }
}

export function total(shapes: Iterable<Shape>, unit = Unit.Metre): number {
  let sum = 0;
  for (const shape of shapes) {
    sum += shape.area();
  }
  return sum;
}

export const double = (shape: Shape): number => shape.area() * 2;

function check(value: number): number {
  return Math.max(0, value);
}
