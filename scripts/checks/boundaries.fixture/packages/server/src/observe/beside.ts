export { write } from './log.ts';
