// breaks: no-circle-of-imports
export { write } from './output.ts';

export type Level = 'info' | 'error';
