export { memoised } from '../common/async/memoised.ts';
