/**
 * Records of completed writes of state, for clients that send them again. The writes themselves check and add keys in their own statements.
 */

import { hash } from 'node:crypto';
import type { FoundRepeat, Repeat } from '../../contract/repeats.ts';
import { bytesAt, integerAt, type Row } from '../../rows/columns.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';

/** Returns the stored form of a scope of repeated writes (contract/repeats.ts). */
export const scopeHash = (scope: string): Uint8Array => hash('sha256', scope, 'buffer').subarray(0, 16);

/** SQL: the stored facts about the key `$3` in the scope `$2`. No row: the key is unknown. */
export const findRepeat =
  'SELECT version, request FROM write_repeats WHERE account_id = $1 AND scope = $2 AND repeat_key = $3';

/** Reads a key's facts from its row: its `version` and `request`. */
export const toFoundRepeat = (row: Row, { request }: Repeat): FoundRepeat => ({
  version: integerAt(row, 'version'),
  isSame: Buffer.compare(bytesAt(row, 'request'), request) === 0,
});

function* find(_: Setting, accountId: string, repeat: Repeat): Steps<FoundRepeat | undefined> {
  const row = yield* first(findRepeat, [accountId, scopeHash(repeat.scope), repeat.key]);
  return row && toFoundRepeat(row, repeat);
}

function* sweep({ engine }: Setting, writtenBefore: number): Steps<number> {
  // A row for each that was removed.
  return (yield* all(engine.removeOldRepeats, [writtenBefore])).length;
}

export const repeatVerbs = {
  /** The stored facts about a key. Sees every write acknowledged before. */
  findRepeat: smallRead(find),
  /** Forgets some keys of writes before a time. Returns the number forgotten; 0 if none is left. */
  sweepRepeats: write(sweep, { isolation: 'statement' }),
};
