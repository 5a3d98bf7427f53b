// breaks: access-rules-know-nobody
import type { Store } from '../../storage/store.ts';

export const closes = (store: Store) => store.close();
