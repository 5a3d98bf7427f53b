/** Makes players findable by words whom an older program, or an import, has stored without them. @see docs/upgrade.md */
import { playerWordsSince } from '../storage/contract/players.ts';
import type { Store } from '../storage/store.ts';

type FillingStore = Pick<Store, 'listWordlessAccounts' | 'fillPlayerWords' | 'isUpgradeFinished'>;

/** Slices in a row; then other background work has its turn. */
const slicesMax = 1_000;
/** The pause before looking for new accounts once all have their words. */
const pauseMilliseconds = 60 * 60 * 1000;

/**
 * Returns a sweep that goes over the players of accounts without words, one slice per call; accounts take turns. It waits until no older
 * program runs. A call returns 0 if nothing is left or it is the turn of others.
 */
export function createWordFilling(store: FillingStore): (now: number) => Promise<number> {
  const waiting: string[] = [];
  /** Where the list of accounts continues; null at its beginning. */
  let after: string | null = null;
  let nextPassAt = 0;
  let slices = 0;

  /** Adds accounts of the next part of the list. Returns whether the list goes on. */
  async function readAccounts(): Promise<boolean> {
    const { accountIds, next }: Awaited<ReturnType<FillingStore['listWordlessAccounts']>> =
      await store.listWordlessAccounts(after);
    waiting.push(...accountIds);
    after = next;
    return next !== null;
  }

  return async (now) => {
    if (now < nextPassAt || !(await store.isUpgradeFinished(playerWordsSince))) return 0;
    if (waiting.length === 0 && !(await readAccounts()) && waiting.length === 0) {
      nextPassAt = now + pauseMilliseconds;
      return 0;
    }
    const accountId = waiting.shift();
    if (accountId !== undefined && !(await store.fillPlayerWords(accountId))) waiting.push(accountId);
    slices = (slices + 1) % slicesMax;
    return slices;
  };
}
