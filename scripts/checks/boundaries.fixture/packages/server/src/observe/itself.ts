// breaks: no-circle-of-imports
export type { One as Other } from './itself.ts';

export type One = 1;
