// breaks: common-knows-nobody
import type { Store } from '../storage/store.ts';

export const close = (store: Store) => store.close();
