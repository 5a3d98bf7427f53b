/** The use of a refresh token. */
import type { DatabaseSync } from 'node:sqlite';
import type { EngineVerbs } from '../../contract/engine-verbs.ts';
import { meetsTerms } from '../../contract/sign-ins.ts';
import { bytesAt, integerAt, optionalBytesAt } from '../../rows/columns.ts';
import { type Row, toRefreshFamily } from '../../rows/rows.ts';
import { canRepeat, hasMark, newestMarks } from '../../sql/exchange-marks.ts';
import { revokeTokensOf } from '../../sql/revoked-tokens.ts';
import { runNow } from '../../sql/steps.ts';
import type { Dependencies } from '../dependencies.ts';
import { statement } from '../directory/database.ts';
import { engineSql } from '../engine-sql.ts';
import { forSqlite, statements } from '../steps.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { familyColumns, revokeFamily, signInsWithOwner } from './sign-in-statements.ts';

/** Returns the store method that uses refresh tokens. */
export function createRefreshFamilies({
  queue,
  ended,
}: Pick<Dependencies, 'queue' | 'ended'>): Pick<EngineVerbs, 'consumeRefreshToken'> {
  return {
    async consumeRefreshToken({ familyId, secretHash }, next, now, graceMilliseconds, terms = {}) {
      const use = { familyId, secretHash, next, now, graceMilliseconds, terms };
      const outcome = await queue.submit(smallCommandCharacters, 'consumeRefreshToken', use);
      if (outcome.kind === 'replayed') await ended.poll();
      return outcome;
    },
  };
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
    consumeRefreshToken({ familyId, secretHash, next, now, graceMilliseconds, terms }) {
      const row = find.get(familyId, secretHash, now, graceMilliseconds, next.issuedAfter ?? 0);
      if (row === undefined) return { kind: 'unknown' };
      const { repeat } = next;
      const family = toRefreshFamily(row);
      if (!meetsTerms(family, terms)) return { kind: 'mismatched', family };
      const signIn = integerAt(row, 'sign_in_number');
      if (row.is_current === 1) {
        const idleExpiresAt = Math.min(next.idleExpiresAt, family.absoluteExpiresAt);
        rotate.changes(signIn, next.secretHash, idleExpiresAt, now, next.sessionLabel ?? null);
        if (repeat !== undefined) addMark.changes(signIn, newestMarks(repeat.mark, marksOf(signIn).marks));
        return { kind: 'consumed', family: { ...family, idleExpiresAt } };
      }
      if (repeat !== undefined) {
        const { current, marks } = marksOf(signIn);
        const isRepeat = hasMark(marks, repeat.mark);
        if (isRepeat && canRepeat(current, next.secretHash, repeat)) return { kind: 'repeated', family };
        if (isRepeat) return { kind: 'replayed' };
      }
      if (row.is_in_grace !== 1) runNow(revokeTokensOf({ engine: engineSql }, revoke.all(familyId) as Row[], now), query);
      return { kind: 'replayed' };
    },
  };
}
