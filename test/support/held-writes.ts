import type { Store } from '../../packages/server/src/storage/store.ts';

/** A store whose writes to public state wait for what `gate` returns when they begin. */
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
