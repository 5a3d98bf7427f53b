// breaks: main-thread-compiles-nothing
import { compileShape } from '../shapes/compile-shape.ts';

export const shapeOf = compileShape;
