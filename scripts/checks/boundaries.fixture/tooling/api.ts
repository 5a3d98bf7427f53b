export { value as api } from '../packages/json/src/value.ts';
