import type { Store } from '../../packages/server/src/storage/store.ts';

/** Returns a store whose writes to public state first wait for the promise of `gate`. */
export function withHeldWrites(store: Store, gate: () => Promise<void>): Store {
  const writePublicState: Store['writePublicState'] = async (...values) => {
    await gate();
    return store.writePublicState(...values);
  };
  return new Proxy(store, {
    get(_, name) {
      if (name === 'writePublicState') return writePublicState;
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
}
