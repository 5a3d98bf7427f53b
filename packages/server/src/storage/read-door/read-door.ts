/**
 * The read door: every read of many or large records goes through it, whichever room it comes from. Each verb says whether it does.
 * Accounts take turns there, and so do the documents and players of each. Only a few reads run at a time, each begins in a turn of the event
 * loop that has time for it, and the number of waiting reads is bounded. A read of one record of ordinary size does not pass here.
 *
 * Each read takes one portion, whose size its verb bounds. The event loop is therefore never held for more than one portion.
 */
import { FairQueue } from '../../common/threads/fair-queue.ts';
import type { ReadOwner } from '../contract/read-owner.ts';
import { type LargeReadName, largeReads } from '../sql/verbs.ts';
import { type Store, StoreUnavailable } from '../store.ts';

/** Running reads at a time, in all and for one account. In the embedded engine a read is over when it returns; over a network it lasts. */
const underWayMax = 8;
const accountUnderWayMax = 4;
/** Waiting reads, in all and for one account: a minute of what several of its developers may ask for, at some 300 bytes each. */
const waitingMax = 16_384;
const accountWaitingMax = 4_096;

/** Runs a read for an owner when it is its turn. Rejects with its error, or with a refusal if too many wait. */
export type ReadDoor = <Result>(owner: ReadOwner, read: () => Result | Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly owner: ReadOwner;
  /** Its position among all reads, from 1. */
  readonly number: number;
  /** Runs the read. Resolves with the store's error if the store is unreachable, and never rejects. */
  run(): Promise<StoreUnavailable | undefined>;
  reject(error: unknown): void;
}

export interface ReadDoorOptions {
  /** Shares the event loop between reading and other work. */
  readonly inTurn: <Result>(ownerOf: () => ReadOwner, read: () => Result) => Result | Promise<Result>;
  /** The refusal of a read if too many wait. */
  readonly refusal: () => Error;
}

/**
 * Returns a read door.
 *
 * While the store is unreachable, each read lasts until its timeout. Reads that have waited for an account all that time are therefore
 * refused together with such a read, instead of being let in a few at a time to wait as long again.
 */
export function createReadDoor({ inTurn, refusal }: ReadDoorOptions): ReadDoor {
  const waiting = new FairQueue<Waiting>({
    weightMax: waitingMax,
    accountWeightMax: accountWaitingMax,
    accountTakenMax: accountUnderWayMax,
  });
  let underWay = 0;
  let newest = 0;
  /** By account, while reads run: the last error of an unreachable store, and the newest read when the failed one began. */
  const outages = new Map<string, { readonly error: StoreUnavailable; readonly number: number }>();

  async function begin({ owner, number, run, reject }: Waiting): Promise<void> {
    const outage = outages.get(owner.account);
    if (outage !== undefined && number <= outage.number) {
      waiting.done(owner.account);
      return reject(outage.error);
    }
    underWay++;
    const newestBefore = newest;
    const error = await run();
    if (error !== undefined) outages.set(owner.account, { error, number: newestBefore });
    underWay--;
    waiting.done(owner.account);
    resume();
    if (underWay === 0) outages.clear();
  }

  function resume(): void {
    while (underWay < underWayMax) {
      const next = waiting.take();
      if (next === undefined) return;
      void begin(next);
    }
  }

  return (owner, read) =>
    new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await inTurn(() => owner, read));
          return undefined;
        } catch (error) {
          reject(error);
          return error instanceof StoreUnavailable ? error : undefined;
        }
      };
      newest++;
      if (waiting.offer(owner, { owner, number: newest, run, reject }, 1)) resume();
      else reject(refusal());
    });
}

type AnyRead = (...args: readonly unknown[]) => unknown;

/** The large reads of the store, each as a promise. */
export type LargeReads = Pick<Store, LargeReadName>;

/** Returns the large reads of the store, each through the read door. */
export function throughReadDoor(store: LargeReads, door: ReadDoor): LargeReads {
  const reads = largeReads.map(({ name, ownerOf }) => {
    const read = store[name].bind(store) as AnyRead;
    return [name, (...args: readonly unknown[]) => door(ownerOf(...(args as never)), () => read(...args))] as const;
  });
  return Object.fromEntries(reads) as unknown as LargeReads;
}
