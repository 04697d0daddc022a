export { Square } from './square';
export * from './shape';
