/** The use of a refresh token. */
import type { DatabaseSync } from 'node:sqlite';
import type { Awaitable } from '../../../common/async/awaitable.ts';
import type { EngineVerbs } from '../../contract/engine-verbs.ts';
import { meetsTerms, type RefreshFamily, type RefreshOutcome } from '../../contract/sign-ins.ts';
import { bytesAt, integerAt, optionalBytesAt, type Row } from '../../rows/columns.ts';
import { toRefreshFamily } from '../../rows/sign-in-rows.ts';
import { canRepeat, hasMark, newestMarks } from '../../sql/sign-in/repeated-exchanges.ts';
import { revokeTokensOf } from '../../sql/sign-in/revoked-tokens.ts';
import { runNow } from '../../sql/steps.ts';
import type { Dependencies } from '../dependencies.ts';
import { statement } from '../directory/database.ts';
import { engineSql } from '../engine-sql.ts';
import { forSqlite, statements } from '../steps.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands, FamilyValues, RefreshTokenOutcome } from '../writer/commands.ts';
import type { Settlement } from '../writer/write-queue.ts';
import { familyColumns, revokeFamily, signInsWithOwner } from './sign-in-statements.ts';

/** Returns the store method that uses refresh tokens. */
export function createRefreshFamilies({
  queue,
  ended,
}: Pick<Dependencies, 'queue' | 'ended'>): Pick<EngineVerbs, 'consumeRefreshToken'> {
  const settlement: Settlement<RefreshTokenOutcome, Awaitable<RefreshOutcome>> = {
    settled: (outcome) => (outcome === 'replayed' ? ended.poll().then(() => outcomeOf(outcome)) : outcomeOf(outcome)),
    failed: () => undefined,
  };
  return {
    consumeRefreshToken({ familyId, secretHash }, next, now, graceMilliseconds, terms = {}) {
      const { idleExpiresAt, issuedAfter = 0, sessionLabel, repeat } = next;
      const hashes = [latin1Of(secretHash), latin1Of(next.secretHash)] as const;
      const use = [familyId, ...hashes, idleExpiresAt, issuedAfter, sessionLabel ?? null, now, graceMilliseconds] as const;
      return queue.submitTo(settlement, smallCommandCharacters, ['consumeRefreshToken', use, terms, repeat]);
    },
  };
}

const latin1Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');

const valuesOf = (family: RefreshFamily): FamilyValues => [
  family.accountId,
  family.slug,
  family.environment,
  family.clientId,
  family.subject,
  family.scope,
  family.amr,
  family.familyId,
  family.createdAt,
  family.idleExpiresAt,
  family.absoluteExpiresAt,
  family.sessionLabel,
  family.epoch,
];

function outcomeOf(outcome: RefreshTokenOutcome): RefreshOutcome {
  if (typeof outcome === 'string') return { kind: outcome };
  const [kind, accountId, slug, environment, clientId, subject, scope, amr, familyId, createdAt, ...rest] = outcome;
  const [idleExpiresAt, absoluteExpiresAt, sessionLabel, epoch] = rest;
  const grant = { accountId, slug, environment, clientId, subject, scope, amr };
  const family = { ...grant, familyId, createdAt, idleExpiresAt, absoluteExpiresAt, sessionLabel, epoch };
  return { kind, family };
}

/** The use of a refresh token, on the writer thread. */
export function refreshFamilyWrites(database: DatabaseSync): Pick<Commands, 'consumeRefreshToken'> {
  // No row: no such family, it expired or was revoked, or its account or project was deleted. A grace of 0 is none, even for two uses
  // within the same millisecond.
  const find = statement(
    database,
    `SELECT sign_in_number, ${familyColumns}, secret_hash = ?2 AS is_current,
       previous_secret_hash IS ?2 AND ?4 > 0 AND ?3 - replaced_at <= ?4 AS is_in_grace
     FROM ${signInsWithOwner}
     AND family_id = ?1 AND secret_hash IS NOT NULL AND min(idle_expires_at, absolute_expires_at) > ?3
       AND coalesce(replaced_at, sign_ins.created_at) > ?5`,
  );
  // One row, always: it was found in the same transaction. No index holds any of these columns.
  const rotate = statement(
    database,
    `UPDATE sign_ins SET previous_secret_hash = secret_hash, secret_hash = ?2, idle_expires_at = ?3, replaced_at = ?4,
       place = coalesce(?5, place)
     WHERE sign_in_number = ?1`,
  );
  // One row each, always, as above.
  const findMarks = statement(
    database,
    'SELECT secret_hash, replaced_at, exchange_marks FROM sign_ins WHERE sign_in_number = ?',
  );
  const addMark = statement(database, 'UPDATE sign_ins SET exchange_marks = ?2 WHERE sign_in_number = ?1');
  // No change: it was already revoked.
  const revoke = statement(database, forSqlite(revokeFamily));
  const query = statements(database);

  function marksOf(signIn: number) {
    const row = findMarks.get(signIn) as Row;
    const current = { secretHash: bytesAt(row, 'secret_hash'), replacedAt: integerAt(row, 'replaced_at') };
    return { current, marks: optionalBytesAt(row, 'exchange_marks') };
  }

  return {
    consumeRefreshToken(use, terms, repeat) {
      const [familyId, secretHash, nextHash, idleExpiresAt, issuedAfter, sessionLabel, now, graceMilliseconds] = use;
      const row = find.get(familyId, bytesOf(secretHash), now, graceMilliseconds, issuedAfter);
      if (row === undefined) return 'unknown';
      const family = toRefreshFamily(row);
      if (!meetsTerms(family, terms)) return ['mismatched', ...valuesOf(family)];
      const signIn = integerAt(row, 'sign_in_number');
      const nextSecretHash = bytesOf(nextHash);
      if (row.is_current === 1) {
        const endsAt = Math.min(idleExpiresAt, family.absoluteExpiresAt);
        rotate.changes(signIn, nextSecretHash, endsAt, now, sessionLabel);
        if (repeat !== undefined) addMark.changes(signIn, newestMarks(repeat.mark, marksOf(signIn).marks));
        return ['consumed', ...valuesOf({ ...family, idleExpiresAt: endsAt })];
      }
      if (repeat !== undefined) {
        const { current, marks } = marksOf(signIn);
        const isRepeat = hasMark(marks, repeat.mark);
        if (isRepeat && canRepeat(current, nextSecretHash, repeat)) return ['repeated', ...valuesOf(family)];
        if (isRepeat) return 'replayed';
      }
      if (row.is_in_grace !== 1) runNow(revokeTokensOf({ engine: engineSql }, revoke.all(familyId) as Row[], now), query);
      return 'replayed';
    },
  };
}
