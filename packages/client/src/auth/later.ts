import { tellAll } from '../listeners.ts';
import type { Auth } from './auth.ts';
import type { User } from './claims.ts';
import type { GuestAuth } from './guest.ts';
import type { SignInAuth } from './sign-in.ts';
import type { UpgradableAuth } from './upgrade.ts';

/** All kinds of sign-in together. */
type SigningIn = SignInAuth & UpgradableAuth & GuestAuth;

type Name = Extract<keyof SigningIn, string>;

type Waiting = { [N in Name]: SigningIn[N] extends (...args: never) => Promise<unknown> ? N : never }[Name];

/** The functions of sign-in that wait. The type demands all of them, and no other. */
const waiting: Readonly<Record<Waiting, 0>> = {
  accessToken: 0,
  authorization: 0,
  fetch: 0,
  finishMerge: 0,
  handleRedirect: 0,
  renew: 0,
  signIn: 0,
  signOut: 0,
  upgrade: 0,
};

type Functions = Record<Waiting, (...args: unknown[]) => Promise<unknown>>;

/** The other members. At first, nobody knows whether the player is a guest. */
type Early = Required<Pick<SigningIn, Exclude<Name, Waiting | 'isGuest'>>> & { readonly isGuest: boolean | undefined };

/**
 * Returns an `auth` that is created later, when its project is known. Until then nobody is signed in, and its functions wait. The next call
 * repeats what failed.
 */
export function laterAuth(make: () => Promise<Auth>): Auth {
  const listeners = new Set<(user: User | null) => void>();
  let auth: Partial<SigningIn> | undefined;
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
  const early: Early = {
    get user() {
      return auth?.user ?? null;
    },
    get ready() {
      return made().then(({ ready }) => ready);
    },
    get isGuest() {
      return auth?.isGuest;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      auth?.close?.();
    },
  };
  const functions = early as unknown as Functions;
  for (const name in waiting) {
    functions[name as Waiting] = (...args) => made().then((one) => (one as unknown as Functions)[name as Waiting](...args));
  }
  return early as Early & Auth;
}
