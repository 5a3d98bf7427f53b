// breaks: storage-contract-is-pure engines-are-wired-in-one-place
export { open } from '../sqlite/store.ts';
