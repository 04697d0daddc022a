import {
  total,
} from './shape';
import { Square } from '@/square';

export function View() {
  return <p>{total([new Square(2)])}</p>;
}
