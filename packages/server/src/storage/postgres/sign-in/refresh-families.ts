/** The use of a refresh token. */

import type { EngineVerbs } from '../../contract/engine-verbs.ts';
import {
  exchangeMarkBytes,
  exchangeMarksMax,
  meetsTerms,
  type NextRefreshToken,
  type RefreshOutcome,
  type RefreshTerms,
} from '../../contract/sign-ins.ts';
import { bytesAt, integerAt, optionalBytesAt } from '../../rows/columns.ts';
import { encodeOptional, environmentNumbers, toRefreshFamily } from '../../rows/rows.ts';
import { canRepeat, hasMark } from '../../sql/exchange-marks.ts';
import type { Store } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Value } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { familyColumns, familyEndsAt, signInOwnerExists } from './sign-in-statements.ts';

/** Returns the store method that uses refresh tokens. `revoke` ends a family with its access tokens. */
export function createRefreshFamilies(
  { database }: Pick<Dependencies, 'database'>,
  revoke: Store['revokeRefreshFamily'],
): Pick<EngineVerbs, 'consumeRefreshToken'> {
  return {
    consumeRefreshToken({ familyId, secretHash }, next, now, graceMilliseconds, terms = {}) {
      const after = next.issuedAfter ?? 0;
      const others = [...termValues(terms), next.repeat?.mark ?? null, next.sessionLabel ?? null, after];
      const values = [familyId, now, secretHash, next.secretHash, next.idleExpiresAt, ...others];
      return decided(async () => {
        const consumed = await use(database, values);
        if (consumed !== undefined) return consumed;
        const outcome = await explainUnchanged(
          database,
          [familyId, now, secretHash, graceMilliseconds, after],
          next,
          terms,
        );
        if (outcome !== 'stolen') return outcome;
        // A replaced token never becomes current again, so this still holds.
        return (await revoke(familyId, now)) ? { kind: 'replayed' } : undefined;
      });
    },
  };
}

/** `$6` to `$11`: the required grant of the family; null is not checked. */
const termValues = ({ accountId, slug, environment, clientId, subject, scope }: RefreshTerms): Value[] => [
  accountId ?? null,
  slug ?? null,
  environment === undefined ? null : environmentNumbers[environment],
  ...[clientId, subject, scope].map((text) => encodeOptional(text ?? null)),
];

const meetsTermsOfUse = `
  ($6::text IS NULL OR account_id = $6::text) AND ($7::text IS NULL OR slug = $7::text)
  AND ($8::smallint IS NULL OR environment = $8::smallint) AND ($9::text IS NULL OR client_id = $9::text)
  AND ($10::text IS NULL OR subject = $10::text) AND ($11::text IS NULL OR scope = $11::text)`;

/** Whether the family of a token can be used. */
const isAlive = `
  family_id = $1 AND secret_hash IS NOT NULL AND ${familyEndsAt} > $2 AND ${signInOwnerExists('refresh_families')}`;

/** Whether the current token was issued after a time. */
const isIssuedAfter = (value: string): string => `coalesce(replaced_at, created_at) > ${value}::bigint`;

/** Whether a token is the previous one and still within the grace period. A grace of 0 is none, even within the same millisecond. */
const isInGrace = '(previous_secret_hash = $3 AND $4::bigint > 0 AND $2::bigint - replaced_at <= $4::bigint)';

const isCurrent = 'secret_hash = $3';

const newestMarks = `
  substring($12::bytea || coalesce(exchange_marks, ''::bytea) FROM 1 FOR ${exchangeMarksMax * exchangeMarkBytes})`;

/**
 * Replaces the token if it is the current one. A statement that has waited for another use sees the row as that use left it. No index
 * contains a column that a replacement changes.
 */
async function use(database: Database, values: readonly Value[]): Promise<RefreshOutcome | undefined> {
  // No row: there is no such usable family, or it does not meet the terms, or the token is not its current one.
  const [row] = await database.query(
    `UPDATE refresh_families SET
       secret_hash = $4::bytea,
       previous_secret_hash = secret_hash,
       replaced_at = $2,
       idle_expires_at = least($5, absolute_expires_at),
       exchange_marks = CASE WHEN $12::bytea IS NULL THEN exchange_marks ELSE ${newestMarks} END,
       place = coalesce($13, place)
     WHERE ${isAlive} AND ${isIssuedAfter('$14')} AND ${meetsTermsOfUse} AND ${isCurrent}
     RETURNING ${familyColumns}`,
    values,
  );
  return row && { kind: 'consumed', family: toRefreshFamily(row) };
}

/** Returns why a use has changed nothing: `stolen` for a replay that ends the family, undefined if the family has changed since. */
async function explainUnchanged(
  database: Database,
  values: readonly Value[],
  next: NextRefreshToken,
  terms: RefreshTerms,
): Promise<RefreshOutcome | 'stolen' | undefined> {
  // No row: no such family, it expired or was revoked, or its account or project was deleted.
  const [row] = await database.query(
    `SELECT ${familyColumns}, ${isInGrace} AS is_in_grace, ${isCurrent} AS is_current, secret_hash, replaced_at, exchange_marks
     FROM refresh_families WHERE ${isAlive} AND ${isIssuedAfter('$5')}`,
    values,
  );
  if (row === undefined) return { kind: 'unknown' };
  const family = toRefreshFamily(row);
  if (!meetsTerms(family, terms)) return { kind: 'mismatched', family };
  if (next.repeat !== undefined && hasMark(optionalBytesAt(row, 'exchange_marks'), next.repeat.mark)) {
    const current = { secretHash: bytesAt(row, 'secret_hash'), replacedAt: integerAt(row, 'replaced_at') };
    return canRepeat(current, next.secretHash, next.repeat) ? { kind: 'repeated', family } : { kind: 'replayed' };
  }
  if (row.is_in_grace === true) return { kind: 'replayed' };
  return row.is_current === true ? undefined : 'stolen';
}
