export { memoised } from '../common/memoised.ts';
