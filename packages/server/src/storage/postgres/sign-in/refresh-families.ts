/** The use of a refresh token. */

import type { Awaitable } from '../../../common/async/awaitable.ts';
import type { EngineVerbs } from '../../contract/engine-verbs.ts';
import {
  exchangeMarkBytes,
  exchangeMarksMax,
  meetsTerms,
  type NextRefreshToken,
  type RefreshOutcome,
  type RefreshTerms,
  type RefreshTokenKey,
} from '../../contract/sign-ins.ts';
import { bytesAt, integerAt, optionalBytesAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { toRefreshFamily } from '../../rows/sign-in-rows.ts';
import { encodeOptional } from '../../rows/stored-texts.ts';
import { canRepeat, hasMark } from '../../sql/sign-in/repeated-exchanges.ts';
import type { Store } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Value } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { createTurnBatches } from '../turn-batches.ts';
import { familyColumns, familyEndsAt, signInOwnerExists } from './sign-in-statements.ts';

/** How many uses one statement may carry out, and how many such statements may run at the same time. */
const togetherMax = 32;
const statementsMax = 4;

/** Returns the store method that uses refresh tokens. `revoke` ends a family with its access tokens. */
export function createRefreshFamilies(
  { database }: Pick<Dependencies, 'database'>,
  revoke: Store['revokeRefreshFamily'],
): Pick<EngineVerbs, 'consumeRefreshToken'> {
  // All families are at one place, so uses of any accounts share a statement and its commit.
  const use = createTurnBatches({
    groupOf: () => '',
    sizeOf: () => 1,
    sizeMax: togetherMax,
    underWayMax: statementsMax,
    carryOut: (uses: readonly Use[]) => useTogether(database, uses),
  });
  return {
    consumeRefreshToken(token, next, now, graceMilliseconds, terms = {}) {
      const after = next.issuedAfter ?? 0;
      const { familyId, secretHash } = token;
      return decided(async () => {
        const consumed = await use(useOf(token, next, now, terms));
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

/** The use of a token, in the names of `useStatement`. Terms that are null are not checked. */
type Use = Readonly<Record<string, string | number | null>> & { readonly used_family: string };

const textOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

const useOf = (
  { familyId, secretHash }: RefreshTokenKey,
  { secretHash: nextHash, idleExpiresAt, issuedAfter = 0, repeat, sessionLabel }: NextRefreshToken,
  now: number,
  { accountId, slug, environment, clientId, subject, scope }: RefreshTerms,
): Use => ({
  used_family: familyId,
  used_hash: textOf(secretHash),
  next_hash: textOf(nextHash),
  used_at: now,
  idle_end: idleExpiresAt,
  issued_after: issuedAfter,
  next_mark: repeat === undefined ? null : textOf(repeat.mark),
  next_place: sessionLabel ?? null,
  of_account: accountId ?? null,
  of_slug: slug ?? null,
  of_environment: environment === undefined ? null : environmentNumbers[environment],
  of_client: encodeOptional(clientId ?? null),
  of_subject: encodeOptional(subject ?? null),
  of_scope: encodeOptional(scope ?? null),
});

/** Whether the family of a token can be used. */
const isAlive = `
  family_id = $1 AND secret_hash IS NOT NULL AND ${familyEndsAt} > $2 AND ${signInOwnerExists('refresh_families')}`;

/** Whether the current token was issued after a time. */
const isIssuedAfter = 'coalesce(replaced_at, created_at) > $5::bigint';

/** Whether a token is the previous one and still within the grace period. A grace of 0 is none, even within the same millisecond. */
const isInGrace = '(previous_secret_hash = $3 AND $4::bigint > 0 AND $2::bigint - replaced_at <= $4::bigint)';

const isCurrent = 'secret_hash = $3';

const newestMarks = `
  substring(next_mark || coalesce(exchange_marks, ''::bytea) FROM 1 FOR ${exchangeMarksMax * exchangeMarkBytes})`;

/**
 * Replaces each token that is the current one of its family. A statement that has waited for another use sees the row as that use left it.
 * No index contains a column that a replacement changes. `$1` has the uses, of different families and in the order of their ids, so that
 * two statements lock families in the same order; `$2` is their number, which tells the database to look up each row by its key.
 */
const useStatement = `
  UPDATE refresh_families SET
    secret_hash = next_hash,
    previous_secret_hash = secret_hash,
    replaced_at = used_at,
    idle_expires_at = least(idle_end, absolute_expires_at),
    exchange_marks = CASE WHEN next_mark IS NULL THEN exchange_marks ELSE ${newestMarks} END,
    place = coalesce(next_place, place)
  FROM (
    SELECT * FROM json_to_recordset($1::text::json) AS sent (
      used_family text, used_hash bytea, next_hash bytea, used_at bigint, idle_end bigint, issued_after bigint,
      next_mark bytea, next_place text, of_account text, of_slug text, of_environment smallint, of_client text,
      of_subject text, of_scope text)
    LIMIT $2::bigint
  ) AS uses
  WHERE family_id = used_family AND secret_hash = used_hash AND ${familyEndsAt} > used_at
    AND coalesce(replaced_at, created_at) > issued_after
    AND (of_account IS NULL OR account_id = of_account) AND (of_slug IS NULL OR slug = of_slug)
    AND (of_environment IS NULL OR environment = of_environment) AND (of_client IS NULL OR client_id = of_client)
    AND (of_subject IS NULL OR subject = of_subject) AND (of_scope IS NULL OR scope = of_scope)
    AND ${signInOwnerExists('refresh_families')}
  RETURNING ${familyColumns}`;

/** Returns the outcome of each use that replaced its token. Of several uses of one family, only the first is made together with others. */
async function useTogether(
  database: Database,
  uses: readonly Use[],
): Promise<readonly Awaitable<RefreshOutcome | undefined>[]> {
  const first = new Map<string, Use>();
  for (const use of uses) if (!first.has(use.used_family)) first.set(use.used_family, use);
  const sent = [...first.values()].sort((one, other) => (one.used_family < other.used_family ? -1 : 1));
  // A row for each replaced token. None: there is no such usable family, or it does not meet the terms, or the token is not its current one.
  const rows = await database.query(useStatement, [JSON.stringify(sent), sent.length]);
  const families = new Map(rows.map((row) => [row.family_id, toRefreshFamily(row)]));
  return uses.map((use) => {
    if (first.get(use.used_family) !== use) return useTogether(database, [use]).then(([outcome]) => outcome);
    const family = families.get(use.used_family);
    return family && { kind: 'consumed', family };
  });
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
     FROM refresh_families WHERE ${isAlive} AND ${isIssuedAfter}`,
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
