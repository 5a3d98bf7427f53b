/**
 * Throttles of guesses and mails. None of them locks a victim out: a guess counts for the client address that makes it, or for
 * devices that the user has never signed in with. A device that the user has signed in with has its own count, and so has the
 * way back by mail.
 *
 * All nodes of a store share the windows. A single process counts in memory, and a restart forgets the counts.
 */
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../storage/store.ts';

export interface Limit {
  /** Names the limit, which keeps its keys apart from those of other limits. */
  readonly name: string;
  readonly countMax: number;
  readonly windowSeconds: number;
}

const minute = 60;
const hour = 60 * minute;

export const limits = {
  /** Failed sign-ins to one address of a directory from one client address. */
  guessesFromAddress: { name: 'guesses-from-address', countMax: 10, windowSeconds: 15 * minute },
  /** Failed sign-ins and wrong codes of one client address, for any user. */
  failuresOfAddress: { name: 'failures-of-address', countMax: 100, windowSeconds: 15 * minute },
  /** Failed sign-ins to one address of a directory from all devices that its user has not signed in with. */
  guessesOfStrangers: { name: 'guesses-of-strangers', countMax: 100, windowSeconds: hour },
  /** Failed sign-ins of a user from a device that the user has signed in with. */
  guessesOfDevice: { name: 'guesses-of-device', countMax: 10, windowSeconds: 15 * minute },
  /**
   * Wrong codes of an authenticator app, from devices that its owner has not signed in with and from each that the owner has. The password
   * was right, or nobody would be asked. One client address alone leaves most tries of a day to the owner's other devices.
   */
  codesOfStranger: { name: 'codes-of-stranger', countMax: 5, windowSeconds: 15 * minute },
  codesOfStrangerInADay: { name: 'codes-of-stranger-in-a-day', countMax: 10, windowSeconds: 24 * hour },
  codesOfStrangersInADay: { name: 'codes-of-strangers-in-a-day', countMax: 30, windowSeconds: 24 * hour },
  codesOfDevice: { name: 'codes-of-device', countMax: 5, windowSeconds: 15 * minute },
  codesOfDeviceInADay: { name: 'codes-of-device-in-a-day', countMax: 30, windowSeconds: 24 * hour },
  /**
   * Codes of six digits to one address of a directory. Further ones are longer, so that no right code has to be refused for the wrong ones
   * of others: with five tries each, all clients together meet one of six digits with 100 tries in 10^6 a week, and one of nine with 5 in
   * 10^9 for each mail.
   */
  shortCodesTo: { name: 'short-codes-to', countMax: 20, windowSeconds: 7 * 24 * hour },
  /** Mails with a code to one address of a directory; one client address alone leaves most of them to the owner. */
  codesTo: { name: 'codes-to', countMax: 20, windowSeconds: hour },
  codesToFromAddress: { name: 'codes-to-from-address', countMax: 3, windowSeconds: hour },
  /**
   * Mails with a link, counted apart. The window is no longer than a link is valid: who gets no more mails has a link that
   * works.
   */
  linksTo: { name: 'links-to', countMax: 10, windowSeconds: 30 * minute },
  linksToFromAddress: { name: 'links-to-from-address', countMax: 3, windowSeconds: 30 * minute },
} as const satisfies Record<string, Limit>;

/** Returns the limit of mails that one client address has sent; 0 switches it off. */
export const mailsOfAddress = (perHour: number): Limit | undefined =>
  perHour === 0 ? undefined : { name: 'mails-of-address', countMax: perHour, windowSeconds: hour };

/** A limit, and what it counts for. */
export type Charge = readonly [Limit, ...string[]];

export interface Throttles {
  /**
   * Counts one for each charge. If one of them is used up, nothing is counted, and the seconds until all of them are available again
   * are returned. The narrowest comes first, so that using it up takes nothing that others need. Rejects with `StoreUnavailable` when
   * the store cannot say what is left.
   */
  take(charges: readonly Charge[]): Promise<number | undefined>;
  /** Takes back what was counted, when it turned out to be no failure. */
  giveBack(charges: readonly Charge[]): void;
  /**
   * Takes back what any process has counted, in any process and after a restart, so that all of them know. Rejects with `StoreUnavailable`
   * when the store cannot take it back.
   */
  refund(charges: readonly Charge[]): Promise<void>;
}

/** What a limit counts for one subject. It begins with the first attempt that it counts. Times are in milliseconds. */
export interface ThrottleWindow {
  readonly endsAt: number;
  isSpent(now: number): boolean;
  take(now: number): Awaitable<boolean>;
  putBack(now: number): void;
  refund(now: number): Promise<void>;
}

/** Opens the windows of a limit by their names. */
export type WindowOpener = (limit: Limit) => (name: string) => ThrottleWindow;

/** About 300 bytes each. */
const windowsMax = 50_000;

/** Returns throttles that count in the windows that `openerOf` gives. */
export function createThrottles(openerOf: WindowOpener, now: () => number): Throttles {
  const openers = new Map<string, ReturnType<WindowOpener>>();
  const windows = new LRUCache<string, ThrottleWindow>({ maxSize: windowsMax, sizeCalculation: () => 1 });

  function windowOf([limit, ...subject]: Charge): ThrottleWindow {
    const key = keyOf(limit, subject);
    const known = windows.get(key);
    if (known !== undefined) return known;
    const open = openers.get(limit.name) ?? openerOf(limit);
    openers.set(limit.name, open);
    const window = open(key);
    windows.set(key, window);
    return window;
  }

  return {
    async take(charges) {
      const time = now();
      const asked = charges.map(windowOf);
      const wait = waitFor(asked, time);
      if (wait !== undefined) return wait;
      const taken = await takeEach(asked, time);
      if (taken.length === asked.length) return undefined;
      putBack(taken, time);
      return waitFor(asked, time) ?? 1; // another request may have put one back meanwhile
    },
    giveBack(charges) {
      for (const [limit, ...subject] of charges) windows.get(keyOf(limit, subject))?.putBack(now());
    },
    async refund(charges) {
      for (const charge of charges) await windowOf(charge).refund(now());
    },
  };
}

/**
 * Takes one of each window, and returns those of which one could be taken, up to the first of which none could. What is
 * available without asking the store is taken without waiting.
 */
async function takeEach(windows: readonly ThrottleWindow[], now: number): Promise<readonly ThrottleWindow[]> {
  const taken: ThrottleWindow[] = [];
  try {
    for (const window of windows) {
      const take = window.take(now);
      if (!(typeof take === 'boolean' ? take : await take)) break;
      taken.push(window);
    }
  } catch (error) {
    putBack(taken, now);
    throw error;
  }
  return taken;
}

function putBack(windows: readonly ThrottleWindow[], now: number): void {
  for (const window of windows) window.putBack(now);
}

/** Returns the seconds until every window has something left, or undefined when that is now, as far as is known. */
function waitFor(windows: readonly ThrottleWindow[], now: number): number | undefined {
  const spent = windows.filter((window) => window.isSpent(now));
  return spent.length === 0 ? undefined : Math.ceil((Math.max(...spent.map(({ endsAt }) => endsAt)) - now) / 1000);
}

const keyOf = ({ name }: Limit, subject: readonly string[]) => JSON.stringify([name, ...subject]);
