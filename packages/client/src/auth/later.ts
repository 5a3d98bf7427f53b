import { tellAll } from '../listeners.ts';
import type { Auth } from './auth.ts';
import type { User } from './claims.ts';

/**
 * Returns an `auth` that is created later, when its project is known. Until then nobody is signed in, and its functions wait. The next call
 * repeats what failed.
 */
export function laterAuth(make: () => Promise<Auth>): Auth {
  const listeners = new Set<(user: User | null) => void>();
  let auth: Auth | undefined;
  let making: Promise<Auth> | undefined;
  const made = (): Promise<Auth> => {
    making ??= make().then(
      (one) => {
        auth = one;
        one.onChange((user) => tellAll(listeners, user));
        return one;
      },
      (failure) => {
        making = undefined;
        throw failure;
      },
    );
    return making;
  };
  const early: Pick<Auth, 'user' | 'ready' | 'onChange'> = {
    get user() {
      return auth?.user ?? null;
    },
    get ready() {
      return made().then(({ ready }) => ready);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const call =
    (name: string | symbol) =>
    (...args: unknown[]) =>
      made().then((one) => Reflect.get(one, name).apply(one, args));
  return new Proxy<Auth>(early as Auth, {
    get(_, name) {
      if (name in early) return Reflect.get(early, name);
      // Functions wait. Other properties are values, symbols, or the check for a promise.
      const isFunction = /^(?:a|fe|fi|h|r|s|u)/.test(String(name));
      return isFunction ? call(name) : auth && Reflect.get(auth, name);
    },
  });
}
