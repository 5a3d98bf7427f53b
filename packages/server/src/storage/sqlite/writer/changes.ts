/** Sends shared verbs from the main thread to the writer, and keeps the cache and listeners up to date. */
import type { AccessListeners } from '../../caches/access-changes.ts';
import type { CallEffect } from '../../sql/verb.ts';
import type { SharedVerbName } from '../../sql/verbs.ts';
import type { RecordCache } from '../record-cache.ts';
import type { RevokedTokenFeed } from '../sign-in/revoked-tokens.ts';
import type { WriteQueue } from './write-queue.ts';

/** The approximate size of a command without state, in characters. */
export const smallCommandCharacters = 1_000;

/**
 * Carries out a verb. Listeners are called with the removed access before the promise resolves. They are also called if the verb failed,
 * because it may have been carried out.
 */
export type ChangeAccess = (effect: CallEffect, verb: SharedVerbName, args: readonly unknown[]) => Promise<unknown>;

/** Returns the function that sends verbs and calls the listeners in `access`, and those of `ended` if tokens have ended. */
export function createChangeAccess(
  cache: RecordCache,
  queue: WriteQueue,
  access: AccessListeners,
  ended: Pick<RevokedTokenFeed, 'poll'>,
): ChangeAccess {
  return async ({ changes: records, invalidates, characters, isWithoutEffect }, verb, args) => {
    for (const record of records) cache.begin(record);
    let changed = true;
    try {
      const outcome = await queue.submit(smallCommandCharacters + characters, 'sharedVerb', verb, args);
      changed = !isWithoutEffect(outcome);
      await ended.poll();
      return outcome;
    } finally {
      for (const record of records) cache.end(record);
      if (changed && invalidates !== undefined) access.notify(invalidates);
    }
  };
}
