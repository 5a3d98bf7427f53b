import type { Principal } from '../access/principal.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { Store } from '../storage/store.ts';

export function read(store: Store, principal: Principal): Refusal {
  store.close();
  return new Refusal(principal.accountId);
}
