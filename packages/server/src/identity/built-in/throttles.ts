/**
 * Throttles of guessing and of mails. None of them locks a victim out: who guesses uses up what counts for his own address,
 * or for devices that the user has never signed in with. A device that he has signed in with counts by itself, and the way
 * back by mail is counted apart.
 *
 * Counts live in memory: a restart forgets them, and each node of several counts for itself.
 */
import { LRUCache } from 'lru-cache';

export interface Limit {
  /** Names the limit, and so tells its keys from those of other limits. */
  readonly name: string;
  readonly countMax: number;
  readonly windowSeconds: number;
}

const minute = 60;
const hour = 60 * minute;

export const limits = {
  /** Failed sign-ins to one address of a directory from one client address. */
  guessesFromAddress: { name: 'guesses-from-address', countMax: 10, windowSeconds: 15 * minute },
  /** Failed sign-ins and wrong codes of one client address, whomever they were for. */
  failuresOfAddress: { name: 'failures-of-address', countMax: 100, windowSeconds: 15 * minute },
  /** Failed sign-ins to one address of a directory from all devices that its user has not signed in with. */
  guessesOfStrangers: { name: 'guesses-of-strangers', countMax: 100, windowSeconds: hour },
  /** Failed sign-ins of a user from a device that he has signed in with. */
  guessesOfDevice: { name: 'guesses-of-device', countMax: 10, windowSeconds: 15 * minute },
  /** Wrong codes for one address of a directory, however many sign-ups and client addresses they are spread over. */
  wrongCodesFor: { name: 'wrong-codes-for', countMax: 20, windowSeconds: 24 * hour },
  /** Mails with a code to one address of a directory; one client address alone leaves some of them to the owner. */
  codesTo: { name: 'codes-to', countMax: 5, windowSeconds: hour },
  codesToFromAddress: { name: 'codes-to-from-address', countMax: 3, windowSeconds: hour },
  /** Mails with a link, counted apart. No longer than a link is good: whoever gets no more mails has one that works. */
  linksTo: { name: 'links-to', countMax: 5, windowSeconds: 30 * minute },
  linksToFromAddress: { name: 'links-to-from-address', countMax: 3, windowSeconds: 30 * minute },
  /** Mails that one client address has had sent. */
  mailsOfAddress: { name: 'mails-of-address', countMax: 50, windowSeconds: hour },
} as const satisfies Record<string, Limit>;

/** A limit, and what it counts for. */
export type Charge = readonly [Limit, ...string[]];

export interface Throttles {
  /**
   * Counts one for each charge, unless one of them is used up: then nothing is counted, and the seconds until all of them
   * can be had again come back.
   */
  take(charges: readonly Charge[]): number | undefined;
  /** Takes back what was counted, for what turned out to be no failure. */
  giveBack(charges: readonly Charge[]): void;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** About 200 bytes each. */
const windowsMax = 50_000;

/** Returns throttles that have counted nothing yet. A window begins with the first thing that it counts. */
export function createThrottles(now: () => number): Throttles {
  const windows = new LRUCache<string, Window>({ maxSize: windowsMax, sizeCalculation: () => 1 });

  function windowOf([limit, ...subject]: Charge): Window | undefined {
    const window = windows.get(keyOf(limit, subject));
    return window !== undefined && now() < window.endsAt ? window : undefined;
  }

  return {
    take(charges) {
      const full = charges.map((charge) => {
        const window = windowOf(charge);
        return window !== undefined && window.count >= charge[0].countMax ? window.endsAt : 0;
      });
      const freeAt = Math.max(0, ...full);
      if (freeAt > 0) return Math.ceil((freeAt - now()) / 1000);
      for (const charge of charges) {
        const window = windowOf(charge);
        const [limit, ...subject] = charge;
        if (window !== undefined) window.count += 1;
        else windows.set(keyOf(limit, subject), { count: 1, endsAt: now() + limit.windowSeconds * 1000 });
      }
      return undefined;
    },
    giveBack(charges) {
      for (const charge of charges) {
        const window = windowOf(charge);
        if (window !== undefined && window.count > 0) window.count -= 1;
      }
    },
  };
}

const keyOf = ({ name }: Limit, subject: readonly string[]) => JSON.stringify([name, ...subject]);
