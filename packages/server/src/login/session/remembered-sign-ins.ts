/**
 * The developer who signed in with a browser, sealed for that browser for half a day. The console sends a browser here with the account to
 * switch to; without this, developers would have to prove their identity again. A new password ends it.
 */
import { hash } from 'node:crypto';
import type { Person, Proof } from '../../identity/built-in/directory.ts';
import type { Browser } from '../../identity/tickets.ts';
import type { User } from '../../storage/contract/identity.ts';

const lifetimeMilliseconds = 12 * 60 * 60 * 1000;
export const rememberedSeconds = lifetimeMilliseconds / 1000;
/** A cookie holds 4,096 characters with its name and attributes. */
const charactersMax = 3_500;

/** Proof of a sign-in. */
export interface RememberedSignIn extends Proof {
  readonly person: Person;
  readonly provider: string;
}

export interface RememberedSignIns {
  /** Returns the value of a cookie; undefined if it would be too long. */
  keep(browser: Browser, signIn: RememberedSignIn): string | undefined;
  /** Returns who signed in, unless that was ended. */
  recall(browser: Browser, text: string | undefined): Promise<RememberedSignIn | undefined>;
}

export interface RememberedSignInsOptions {
  readonly seal: (plain: Uint8Array, recordId: string) => Uint8Array;
  readonly open: (sealed: Uint8Array, recordId: string) => Uint8Array;
  /** A developer of the built-in provider. */
  readonly findUser: (userId: string) => Promise<Pick<User, 'resetAt'> | undefined>;
  readonly now: () => number;
}

interface Kept extends RememberedSignIn {
  readonly at: number;
}

/** Returns a store of sign-ins in cookies. */
export function createRememberedSignIns({ seal, open, findUser, now }: RememberedSignInsOptions): RememberedSignIns {
  const recordOf = (value: string) => `sign-in of ${hash('sha256', value, 'base64url')}`;

  function unsealed(browser: Browser, text: string): Kept | undefined {
    for (const value of browser) {
      try {
        return JSON.parse(Buffer.from(open(Buffer.from(text, 'base64url'), recordOf(value))).toString());
      } catch {
        // Sealed for another value of this browser, another browser or key, or forged.
      }
    }
    return undefined;
  }

  return {
    keep([value], { person, provider, amr, provenAt }) {
      const kept: Kept = { person, provider, amr, provenAt, at: now() };
      const text = Buffer.from(seal(Buffer.from(JSON.stringify(kept)), recordOf(value))).toString('base64url');
      return text.length > charactersMax ? undefined : text;
    },
    async recall(browser, text) {
      if (text === undefined || text.length > charactersMax) return undefined;
      const kept = unsealed(browser, text);
      if (kept === undefined || now() >= kept.at + lifetimeMilliseconds) return undefined;
      const user = await findUser(kept.person.userId);
      return user === undefined || (user.resetAt ?? 0) >= kept.at ? undefined : kept;
    },
  };
}
