// breaks: engine-knows-its-driver-only
export { open } from '../sqlite/store.ts';
