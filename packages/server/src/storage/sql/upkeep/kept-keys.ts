/** Keys kept from earlier secret keys, and values that are sealed again. */

import { type KeptKey, type Replacement, type SealedKind, sealedRecords } from '../../contract/kept-keys.ts';
import { bytesAt, integerAt, textAt } from '../../rows/columns.ts';
import type { SharedTable } from '../schema/declaration.ts';
import { all, type Steps, together } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';

/** Keys that hashed recovery codes before the secret key changed, sealed. */
export const keptKeys = {
  title: 'keys of recovery codes',
  placement: 'local',
  since: 17,
  columns: { key_id: 'text', sealed_key: 'bytes', created_at: 'integer' },
  key: ['key_id'],
} as const satisfies SharedTable;

function* list(): Steps<readonly KeptKey[]> {
  // Any number of rows, but few.
  const rows = yield* all('SELECT key_id, sealed_key, created_at FROM kept_keys');
  return rows.map((row) => ({
    keyId: textAt(row, 'key_id'),
    sealedKey: bytesAt(row, 'sealed_key'),
    createdAt: integerAt(row, 'created_at'),
  }));
}

function* keep(_: Setting, { keyId, sealedKey, createdAt }: KeptKey): Steps<void> {
  // No change: it is already kept.
  yield* all('INSERT INTO kept_keys (key_id, sealed_key, created_at) VALUES ($1, $2, $3) ON CONFLICT (key_id) DO NOTHING', [
    keyId,
    sealedKey,
    createdAt,
  ]);
}

function* replace(_: Setting, kind: SealedKind, replacements: readonly Replacement[]): Steps<number> {
  const { field, key } = sealedRecords[kind];
  const found = key.map((column, index) => `${column} = $${index + 3}`).join(' AND ');
  // No row: the record was deleted, or has another value.
  const sql = `UPDATE ${kind} SET ${field} = $1 WHERE ${field} = $2 AND ${found} RETURNING ${key[0]}`;
  const replaced = yield* together(
    replacements.map(({ key: values, from, to }) => ({ sql, values: [to, from, ...values] })),
  );
  return replaced.filter((rows) => rows.length > 0).length;
}

export const keptKeyVerbs = {
  /** Lists the kept keys: at most one for each change of the secret key. */
  listKeptKeys: smallRead(list),
  /** Keeps a key, unless it is already kept. */
  keepKey: write(keep),
  /**
   * Replaces sealed values, each only if the record still has the old value. Returns the number replaced. The plain values stay the same,
   * so caches stay valid.
   */
  replaceSealed: write(replace, {
    charactersOf: (_kind, replacements) => replacements.reduce((sum, { from, to }) => sum + from.length + to.length, 0),
  }),
};
