/** A store with only the current public state, in memory, to measure the cost of storing. */
import { ValueEnds } from '@holdfast/json';
import type { PublicState, PublicStateKey } from '../../packages/server/src/storage/contract/public-states.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';

const nameOf = ({ accountId, slug, environment }: PublicStateKey) => `${accountId}/${slug}/${environment}`;

/** Returns a store that keeps public state in memory and delegates the rest to `rest`. Preconditions work as usual. */
export function withoutStoring(rest: Store): Store {
  const records = new Map<string, PublicState>();
  const publicState: Pick<Store, 'readPublicState' | 'recallPublicState' | 'writePublicState'> = {
    readPublicState(key) {
      const record = records.get(nameOf(key));
      return record === undefined ? { kind: 'absent' } : { kind: 'present', record };
    },
    recallPublicState: (key) => records.get(nameOf(key)),
    async writePublicState(key, expected, { stateText, stateBytes, comment, ends = new ValueEnds() }) {
      const name = nameOf(key);
      const currentVersion = records.get(name)?.version ?? null;
      if (currentVersion !== (expected.kind === 'version' ? expected.version : null)) {
        return { kind: 'conflict', currentVersion };
      }
      const version = (currentVersion ?? 0) + 1;
      records.set(name, { version, stateText, stateBytes, comment, ends });
      return { kind: 'written', version };
    },
  };
  return new Proxy(rest, {
    get(store, name) {
      if (name in publicState) return Reflect.get(publicState, name);
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
}
