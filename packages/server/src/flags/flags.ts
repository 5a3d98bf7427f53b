/** Flags of a project: its public state, evaluated by the rules in it. @see docs/contract.md §5.5 */

import { hash } from 'node:crypto';
import type { Owner } from '../common/fair-queue.ts';
import { memoised } from '../common/memoised.ts';
import type { PublicStateKey } from '../storage/store.ts';
import type { FlagOutcome } from './evaluate.ts';
import type { FlagFinding } from './findings.ts';

export interface FlagsAsked {
  /** The body of the request, as it came. */
  readonly body: Uint8Array;
  /** The key of one flag; undefined asks for all. */
  readonly key: string | undefined;
  /** Takes the place of the `targetingKey` of the body. */
  readonly targetingKey: string | undefined;
}

export interface Flags {
  /**
   * Evaluates flags of a document; null where no state has been written. Rejects with a refusal `service_unavailable` when too much is
   * waiting.
   */
  evaluate(
    key: PublicStateKey,
    document: { readonly version: number; readonly stateText: string } | null,
    asked: FlagsAsked,
    owner: Owner,
  ): Promise<FlagOutcome>;
  /** What is wrong with the flags of a document that is not stored. Rejects as `evaluate` does. */
  check(stateText: string, owner: Owner): Promise<readonly FlagFinding[]>;
  close(): Promise<void>;
}

/** Evaluates for nobody in particular. */
const nobody = Buffer.from('{"context":{}}');

/** Returns the evaluation of flags. What it needs is loaded with the first request: a service without flags has none of it. */
export function createFlags(): Flags {
  let isLoaded = false;
  const threads = memoised(async () => {
    const { FlagThreads } = await import('./flag-threads.ts');
    isLoaded = true;
    return new FlagThreads();
  });
  return {
    async evaluate({ accountId, slug, environment }, document, asked, owner) {
      if (document === null) return (await import('./evaluate.ts')).evaluateNothing({ ...asked, skipped: [] });
      const { version, stateText } = document;
      // Versions of one place never come again, also when its project is made again.
      const name = `${accountId}/${slug}/${environment} ${version}`;
      // A copy of its own: what came off a socket shares its memory with other requests.
      const body = new Uint8Array(asked.body);
      const request = { ...asked, body, document: name, text: undefined, skipped: [] };
      return (await threads()).run(owner, request, stateText);
    },
    async check(stateText, owner) {
      const { findingsOf } = await import('./findings.ts');
      // No stored document has such a name.
      const name = `check ${hash('sha256', stateText)}`;
      const asked = { key: undefined, targetingKey: undefined, skipped: [] };
      const request = { ...asked, body: new Uint8Array(nobody), document: name, text: undefined };
      return findingsOf(await (await threads()).run(owner, request, stateText), stateText);
    },
    async close() {
      if (isLoaded) await (await threads()).close();
    },
  };
}
