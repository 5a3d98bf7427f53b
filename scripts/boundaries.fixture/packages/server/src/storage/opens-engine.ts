// breaks: storage-contract-is-pure engines-are-wired-by-main
export { open } from './sqlite/store.ts';
