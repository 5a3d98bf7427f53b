/**
 * Throttles of guesses and mails. They never lock out a victim: a guess counts for the client address that makes it, or for devices from
 * which the user has never signed in. A device from which the user has signed in has its own count, and so does account recovery by mail.
 *
 * All nodes of a store share the windows. A single process counts in memory and forgets the counts at a restart.
 */
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../common/async/awaitable.ts';

export interface Limit {
  /** Names the limit, to separate its keys from those of other limits. */
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
   * Wrong codes of an authenticator app: one count for devices from which its owner has not signed in, one for each from which the owner
   * has. Codes are asked for only after the right password. One client address alone leaves most of the daily tries to the owner's other
   * devices.
   */
  codesOfStranger: { name: 'codes-of-stranger', countMax: 5, windowSeconds: 15 * minute },
  codesOfStrangerInADay: { name: 'codes-of-stranger-in-a-day', countMax: 10, windowSeconds: 24 * hour },
  codesOfStrangersInADay: { name: 'codes-of-strangers-in-a-day', countMax: 30, windowSeconds: 24 * hour },
  codesOfDevice: { name: 'codes-of-device', countMax: 5, windowSeconds: 15 * minute },
  codesOfDeviceInADay: { name: 'codes-of-device-in-a-day', countMax: 30, windowSeconds: 24 * hour },
  /**
   * Codes of six digits to one address of a directory. Further codes are longer, so that no right code must be refused because of others'
   * wrong ones: with five tries each, all clients together guess a code of six digits with 100 tries in 10^6 a week, and one of nine digits
   * with 5 in 10^9 per mail.
   */
  shortCodesTo: { name: 'short-codes-to', countMax: 20, windowSeconds: 7 * 24 * hour },
  /** Mails with a code to one address of a directory; one client address alone leaves most of them to the owner. */
  codesTo: { name: 'codes-to', countMax: 20, windowSeconds: hour },
  codesToFromAddress: { name: 'codes-to-from-address', countMax: 3, windowSeconds: hour },
  /** Mails with a link, counted separately. The window is not longer than a link's validity: a user over the limit has a working link. */
  linksTo: { name: 'links-to', countMax: 10, windowSeconds: 30 * minute },
  linksToFromAddress: { name: 'links-to-from-address', countMax: 3, windowSeconds: 30 * minute },
} as const satisfies Record<string, Limit>;

/** Returns the limit of mails that one client address may cause; 0 turns it off. */
export const mailsOfAddress = (perHour: number): Limit | undefined =>
  perHour === 0 ? undefined : { name: 'mails-of-address', countMax: perHour, windowSeconds: hour };

/** A limit and its subject. */
export type Charge = readonly [Limit, ...string[]];

export interface Throttles {
  /**
   * Counts one for each charge. If any is used up, counts nothing and returns the seconds until all are available again. The narrowest
   * comes first, so that using it up takes nothing from others. Rejects with `StoreUnavailable` if the store cannot be read.
   */
  take(charges: readonly Charge[]): Promise<number | undefined>;
  /** Refunds a charge that turned out not to be a failure. */
  uncharge(charges: readonly Charge[]): void;
  /**
   * Refunds charges that any process has counted, in any process and after a restart. Rejects with `StoreUnavailable` if the store cannot
   * serve.
   */
  refund(charges: readonly Charge[]): Promise<void>;
}

/** The window of a limit for one subject. It begins with the first counted attempt. Times are in milliseconds. */
interface ThrottleWindow {
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

/** Returns throttles that count in the windows of `openerOf`. */
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
      return waitFor(asked, time) ?? 1; // another request may have refunded one meanwhile
    },
    uncharge(charges) {
      for (const [limit, ...subject] of charges) windows.get(keyOf(limit, subject))?.putBack(now());
    },
    async refund(charges) {
      for (const charge of charges) await windowOf(charge).refund(now());
    },
  };
}

/**
 * Takes one from each window until one is used up, and returns the windows taken from. Does not wait if it can take without asking
 * the store.
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

/** Returns the seconds until every window has something left; undefined if that is now, as far as known. */
function waitFor(windows: readonly ThrottleWindow[], now: number): number | undefined {
  const spent = windows.filter((window) => window.isSpent(now));
  return spent.length === 0 ? undefined : Math.ceil((Math.max(...spent.map(({ endsAt }) => endsAt)) - now) / 1000);
}

const keyOf = ({ name }: Limit, subject: readonly string[]) => JSON.stringify([name, ...subject]);
