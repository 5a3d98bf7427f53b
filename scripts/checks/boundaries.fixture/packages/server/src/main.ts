// breaks: engines-are-wired-in-one-place
import { port } from './config/config.ts';
import { open } from './storage/sqlite/store.ts';

export const serve = () => ({ port, store: open() });
