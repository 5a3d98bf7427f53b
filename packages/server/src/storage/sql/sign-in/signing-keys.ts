/** The key pairs that sign tokens, a handful. */
import type { AccessChange } from '../../caches/access-changes.ts';
import type { SigningKeyRecord, SigningPurpose } from '../../contract/sign-ins.ts';
import { textAt } from '../../rows/columns.ts';
import { toSigningKey } from '../../rows/sign-in-rows.ts';
import type { SharedTable } from '../schema/declaration.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';

export const signingKeyTable = {
  title: 'signing keys',
  placement: 'local',
  since: 1,
  columns: {
    key_id: 'text',
    purpose: 'text',
    public_jwk: 'text',
    sealed_private_jwk: 'bytes',
    created_at: 'integer',
  },
  key: ['key_id'],
} as const satisfies SharedTable;

const newestFirst = 'ORDER BY created_at DESC, key_id DESC';

function* list(_: Setting, purpose: SigningPurpose): Steps<readonly SigningKeyRecord[]> {
  // Any number of rows.
  const rows = yield* all(
    `SELECT purpose, key_id, public_jwk, sealed_private_jwk, created_at FROM signing_keys WHERE purpose = $1 ${newestFirst}`,
    [purpose],
  );
  return rows.map(toSigningKey);
}

function* newestKeyId(purpose: SigningPurpose): Steps<string | null> {
  // No row: there is no key with this purpose.
  const row = yield* first(`SELECT key_id FROM signing_keys WHERE purpose = $1 ${newestFirst} LIMIT 1`, [purpose]);
  return row === undefined ? null : textAt(row, 'key_id');
}

function* add(_: Setting, key: SigningKeyRecord, expectedNewest: string | null): Steps<'added' | 'superseded'> {
  const { purpose, keyId, publicJwk, sealedPrivateJwk, createdAt } = key;
  if ((yield* newestKeyId(purpose)) !== expectedNewest) return 'superseded';
  // Two keys with the same id are a fault of the caller and fail.
  yield* all(
    `INSERT INTO signing_keys (purpose, key_id, public_jwk, sealed_private_jwk, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [purpose, keyId, publicJwk, sealedPrivateJwk, createdAt],
  );
  return 'added';
}

function* remove(_: Setting, purpose: SigningPurpose, createdBefore: number): Steps<number> {
  const newest = (yield* newestKeyId(purpose)) ?? '';
  // A row for each deleted key, but never all.
  const removed = yield* all(
    'DELETE FROM signing_keys WHERE purpose = $1 AND created_at < $2 AND key_id <> $3 RETURNING key_id',
    [purpose, createdBefore, newest],
  );
  return removed.length;
}

const changeOf = (purpose: SigningPurpose): AccessChange => ({ kind: 'signing_keys', purpose });

export const signingKeyVerbs = {
  /** All signing keys of a purpose, newest first. */
  listSigningKeys: smallRead(list),
  /**
   * Adds a signing key if the newest one of its purpose is still `expectedNewest` (null: none yet), so of several processes that rotate at
   * the same time, only one adds a key.
   */
  addSigningKey: write(add, {
    invalidates: ({ purpose }) => changeOf(purpose),
    isWithoutEffect: (outcome) => outcome === 'superseded',
    isolation: 'serializable',
  }),
  /** Deletes keys of a purpose created before `createdBefore`, but never the newest. */
  deleteSigningKeys: write(remove, {
    invalidates: changeOf,
    isWithoutEffect: (count) => count === 0,
    isolation: 'serializable',
  }),
};
