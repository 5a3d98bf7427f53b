// breaks: domain-knows-no-transport engines-are-wired-by-main
export { open } from '../storage/sqlite/store.ts';
