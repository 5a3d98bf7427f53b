// breaks: domain-knows-no-transport engines-are-wired-in-one-place
export { open } from '../storage/sqlite/store.ts';
