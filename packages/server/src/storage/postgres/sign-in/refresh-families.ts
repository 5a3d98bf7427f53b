/** The use of a refresh token. */
import { bytesAt, integerAt, optionalBytesAt } from '../../columns.ts';
import { encodeOptional, environmentNumbers, toRefreshFamily } from '../../rows.ts';
import { canRepeat, hasMark } from '../../sign-in/exchange-marks.ts';
import {
  exchangeMarkBytes,
  exchangeMarksMax,
  meetsTerms,
  type NextRefreshToken,
  type RefreshOutcome,
  type RefreshTerms,
  type SignInStore,
} from '../../sign-in-store.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Value } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { familyColumns, familyEndsAt, signInOwnerExists } from './sign-in-statements.ts';

/** Returns the method of the store that uses refresh tokens. */
export function createRefreshFamilies({
  database,
}: Pick<Dependencies, 'database'>): Pick<SignInStore, 'consumeRefreshToken'> {
  return {
    consumeRefreshToken({ familyId, secretHash }, next, now, graceMilliseconds, terms = {}) {
      const presented = [familyId, now, secretHash, graceMilliseconds];
      const mark = next.repeat?.mark ?? null;
      const after = next.issuedAfter ?? 0;
      const others = [...termValues(terms), mark, next.place ?? null, after];
      const values = [...presented, next.secretHash, next.idleExpiresAt, ...others];
      return decided(
        async () => (await use(database, values)) ?? (await explainUnchanged(database, [...presented, after], next, terms)),
      );
    },
  };
}

/** `$7` to `$12`: what the family must have been granted for; null is not checked. */
const termValues = ({ accountId, slug, environment, clientId, subject, scope }: RefreshTerms): Value[] => [
  accountId ?? null,
  slug ?? null,
  environment === undefined ? null : environmentNumbers[environment],
  ...[clientId, subject, scope].map((text) => encodeOptional(text ?? null)),
];

const meetsTermsOfUse = `
  ($7::text IS NULL OR account_id = $7::text) AND ($8::text IS NULL OR slug = $8::text)
  AND ($9::smallint IS NULL OR environment = $9::smallint) AND ($10::text IS NULL OR client_id = $10::text)
  AND ($11::text IS NULL OR subject = $11::text) AND ($12::text IS NULL OR scope = $12::text)`;

/** Whether the family of a token can be used. */
const isAlive = `
  family_id = $1 AND secret_hash IS NOT NULL AND ${familyEndsAt} > $2 AND ${signInOwnerExists('refresh_families')}`;

/** Whether the current token was issued after a time. */
const isIssuedAfter = (value: string): string => `coalesce(replaced_at, created_at) > ${value}::bigint`;

/**
 * Whether a token is the one before the current and still within grace. A grace of 0 is none, even within the same
 * millisecond.
 */
const isInGrace = '(previous_secret_hash = $3 AND $4::bigint > 0 AND $2::bigint - replaced_at <= $4::bigint)';

const isCurrent = 'secret_hash = $3';

/** Whether the exchange that is asked for, if it can be repeated, was carried out before. */
const isMarked = '(position($13::bytea IN exchange_marks) > 0)';

const newestMarks = `
  substring($13::bytea || coalesce(exchange_marks, ''::bytea) FROM 1 FOR ${exchangeMarksMax * exchangeMarkBytes})`;

/**
 * Replaces the token, or revokes the family of a token that is not current. The row itself decides which, so a statement
 * that has waited for another use judges the row as that use left it. No index holds what a replacement changes.
 */
async function use(database: Database, values: readonly Value[]): Promise<RefreshOutcome | undefined> {
  // No row: there is no such usable family, or it does not meet the terms, or the token is within grace, or its exchange is marked.
  const [row] = await database.query(
    `UPDATE refresh_families SET
       secret_hash = CASE WHEN ${isCurrent} THEN $5::bytea END,
       previous_secret_hash = CASE WHEN ${isCurrent} THEN secret_hash END,
       replaced_at = CASE WHEN ${isCurrent} THEN $2 ELSE replaced_at END,
       idle_expires_at = CASE WHEN ${isCurrent} THEN least($6, absolute_expires_at) ELSE idle_expires_at END,
       exchange_marks = CASE WHEN ${isCurrent} AND $13::bytea IS NOT NULL THEN ${newestMarks} ELSE exchange_marks END,
       place = CASE WHEN ${isCurrent} THEN coalesce($14, place) ELSE place END,
       sweep_at = CASE WHEN ${isCurrent} THEN sweep_at ELSE code_expires_at END
     WHERE ${isAlive} AND ${isIssuedAfter('$15')} AND ${meetsTermsOfUse} AND (${isCurrent} OR (${isInGrace} OR ${isMarked}) IS NOT TRUE)
     RETURNING ${familyColumns}, secret_hash IS NOT NULL AS is_consumed`,
    values,
  );
  if (row === undefined) return undefined;
  return row.is_consumed === true ? { kind: 'consumed', family: toRefreshFamily(row) } : { kind: 'replayed' };
}

/** Returns why a use has changed nothing; undefined when the family has changed since. */
async function explainUnchanged(
  database: Database,
  values: readonly Value[],
  next: NextRefreshToken,
  terms: RefreshTerms,
): Promise<RefreshOutcome | undefined> {
  // No row: no such family, it expired or was revoked, or its account or project is gone.
  const [row] = await database.query(
    `SELECT ${familyColumns}, ${isInGrace} AS is_in_grace, secret_hash, replaced_at, exchange_marks
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
  return row.is_in_grace === true ? { kind: 'replayed' } : undefined;
}
