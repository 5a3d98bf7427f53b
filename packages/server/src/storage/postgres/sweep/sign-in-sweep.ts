/** Clears away authorization codes and refresh-token families that can no longer be used. */
import type { SignInStore } from '../../sign-in-store.ts';
import type { Query } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { familyEndsAt, isUnspent } from '../sign-in/refresh-families.ts';

/** How many rows a sweep looks at in one step, and how many steps it makes at most until it finds one to delete. */
const rowsMax = 250;
const turnsMax = 8;

/** Returns the method of the store that clears away sign-ins. */
export function createSignInSweep({ database }: Pick<Dependencies, 'database'>): Pick<SignInStore, 'sweepExpiredSignIns'> {
  return { sweepExpiredSignIns: (now) => sweepSignIns(database.query, now) };
}

/**
 * Deletes some of what can no longer be used: unspent codes, and families with the codes that were spent for them. Returns
 * how many sign-ins that were. Several nodes may do this at the same time.
 */
async function sweepSignIns(query: Query, now: number): Promise<number> {
  let removed = (await query(removeCodes, [now])).length;
  for (let turn = 0; turn < turnsMax; turn++) {
    removed += (await query(removeFamilies, [now])).length;
    const postponed = await query(postponeFamilies, [now]);
    if (removed > 0 || postponed.length < rowsMax) break;
  }
  return removed;
}

/** A row for each deleted code, a bounded number: they expired unspent. One that is spent meanwhile stays. */
const removeCodes = `
  DELETE FROM authorization_codes
  WHERE ${isUnspent} AND code_hash IN (
    SELECT code_hash FROM authorization_codes
    WHERE family_id IS NULL AND expires_at <= $1 ORDER BY expires_at LIMIT ${rowsMax})
  RETURNING code_hash`;

/** Families that may have ended; the same ones for every node that asks. */
const dueFamilies = `SELECT family_id FROM refresh_families WHERE sweep_at <= $1 ORDER BY sweep_at LIMIT ${rowsMax}`;

/** When a family, or the fact that it was revoked, is no longer needed. */
const endsAt = `(CASE WHEN secret_hash IS NULL THEN code_expires_at ELSE ${familyEndsAt} END)`;

/** A row for each family that has ended. Its code is deleted in the same step. */
const removeFamilies = `
  WITH gone AS (
    DELETE FROM refresh_families WHERE ${endsAt} <= $1 AND family_id IN (${dueFamilies}) RETURNING family_id, code_hash),
  codes AS (DELETE FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM gone))
  SELECT family_id FROM gone`;

/** A row for each family that is alive. */
const postponeFamilies = `
  UPDATE refresh_families SET sweep_at = ${endsAt} WHERE ${endsAt} > $1 AND family_id IN (${dueFamilies})
  RETURNING family_id`;

/**
 * Statements that delete what a deleted project has left of sign-ins, some of it with each call, and return a row for each
 * deleted record. `$1` is the account id, `$2` the project id.
 */
export const projectSignInSlices = (rows: number): readonly string[] => slices('account_id = $1 AND project_id = $2', rows);

/** The same for a deleted account and everything in it. */
export const accountSignInSlices = (rows: number): readonly string[] => slices('account_id = $1', rows);

const slices = (condition: string, rows: number): readonly string[] => [
  `DELETE FROM authorization_codes WHERE code_hash IN (
     SELECT code_hash FROM authorization_codes WHERE ${condition} AND family_id IS NULL LIMIT ${rows})
   RETURNING code_hash`,
  `WITH gone AS (
     DELETE FROM refresh_families WHERE family_id IN (
       SELECT family_id FROM refresh_families WHERE ${condition} LIMIT ${rows})
     RETURNING family_id, code_hash),
   codes AS (DELETE FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM gone))
   SELECT family_id FROM gone`,
];
