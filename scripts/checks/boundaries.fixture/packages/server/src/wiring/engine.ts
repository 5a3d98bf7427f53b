export { open } from '../storage/sqlite/store.ts';
