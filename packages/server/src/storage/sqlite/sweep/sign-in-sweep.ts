/** Clears away authorization codes and refresh-token families that can no longer be used. */
import type { DatabaseSync } from 'node:sqlite';
import { integerAt } from '../../columns.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { statement } from '../directory/database.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';

/** Returns the method of the store that clears away sign-ins. */
export function createSignInSweep({ queue }: Pick<Dependencies, 'queue'>): Pick<SignInStore, 'sweepExpiredSignIns'> {
  return { sweepExpiredSignIns: (now) => queue.submit(smallCommandCharacters, 'sweepExpiredSignIns', now) };
}

/** How many rows a sweep looks at in one step, and how many steps it makes at most until it finds one to delete. */
const sweepRowsMax = 250;
const sweepTurnsMax = 8;

/** The sweep of sign-ins, on the writer thread. */
export function signInSweepWrites(database: DatabaseSync): Pick<Commands, 'sweepExpiredSignIns'> {
  // A row for each sign-in that may have expired. `ends_at` is when it does, in the past for a revoked family.
  const find = statement(
    database,
    `SELECT sign_in_number,
       CASE WHEN secret_hash IS NULL THEN code_expires_at ELSE min(idle_expires_at, absolute_expires_at) END AS ends_at
     FROM sign_ins WHERE sweep_at <= ? ORDER BY sweep_at LIMIT ${sweepRowsMax}`,
  );
  // One row each, always.
  const remove = statement(database, 'DELETE FROM sign_ins WHERE sign_in_number = ?');
  const postpone = statement(database, 'UPDATE sign_ins SET sweep_at = ?2 WHERE sign_in_number = ?1');
  return {
    sweepExpiredSignIns(now) {
      let removed = 0;
      for (let turn = 0; turn < sweepTurnsMax && removed === 0; turn++) {
        const rows = find.all(now);
        for (const row of rows) {
          const [number, endsAt] = [integerAt(row, 'sign_in_number'), integerAt(row, 'ends_at')];
          if (endsAt <= now) removed += remove.changes(number);
          else postpone.changes(number, endsAt);
        }
        if (rows.length < sweepRowsMax) break;
      }
      return removed;
    },
  };
}
