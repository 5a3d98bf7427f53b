/** Flags of a project: its public state, evaluated by the rules in it. @see docs/contract.md §5.5 */
import type { FlagFindingBody } from '@holdfast/contract';
import { memoised } from '../common/async/memoised.ts';
import type { Owner } from '../common/threads/fair-queue.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import type { FlagOutcome, FlagQuery } from './evaluate.ts';

export interface Flags {
  /**
   * Evaluates flags of a document; null if no state has been written. Rejects with a refusal `service_unavailable` if too much is waiting.
   */
  evaluate(
    key: PublicStateKey,
    document: { readonly version: number; readonly stateText: string } | null,
    asked: FlagQuery,
    owner: Owner,
  ): Promise<FlagOutcome>;
  /** The faults in the flags of a document that is not stored. Rejects as `evaluate` does. */
  check(stateText: string, owner: Owner): Promise<readonly FlagFindingBody[]>;
  close(): Promise<void>;
}

/**
 * Returns the evaluation of flags at the time from `now`, in milliseconds since the epoch. It loads its code on the first request: a
 * service without flags loads nothing.
 */
export function createFlags(now: () => number): Flags {
  let isLoaded = false;
  const threads = memoised(async () => {
    const { FlagThreads } = await import('./flag-threads.ts');
    isLoaded = true;
    return new FlagThreads();
  });
  return {
    async evaluate({ accountId, slug, environment }, document, asked, owner) {
      if (document === null) return (await import('./evaluate.ts')).evaluateNothing({ ...asked, at: now(), skipped: [] });
      const { version, stateText } = document;
      // The versions of a document never repeat, even if its project is deleted and created again.
      const name = `${accountId}/${slug}/${environment} ${version}`;
      // A separate copy: bytes from a socket share their memory with other requests.
      const body = new Uint8Array(asked.body);
      const request = {
        ...asked,
        kind: 'evaluation',
        body,
        at: now(),
        document: name,
        text: undefined,
        skipped: [],
      } as const;
      return (await threads()).run(owner, request, stateText);
    },
    check: async (stateText, owner) => (await threads()).check(owner, stateText),
    async close() {
      if (isLoaded) await (await threads()).close();
    },
  };
}
