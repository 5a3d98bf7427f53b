/**
 * All authorization codes and refresh-token families of one person. Codes are deleted first: a code that is spent in the meantime has become
 * a family by the time families are deleted or revoked. Spent codes are deleted with their families.
 */
import type { Environment } from '@holdfast/contract';
import { isWeakOfDeveloperSql } from '../../../access/rules/account-status.ts';
import type { RevocationScope } from '../../contract/players.ts';
import { sessionsMax } from '../../contract/sessions.ts';
import type { Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql, PlayerRowKey, SignInStatements } from '../engine-sql.ts';
import { all, type Steps, type Value } from '../steps.ts';
import { developersDirectory } from '../users/directories.ts';

type Engine = Pick<EngineSql, 'signIns' | 'isOneOf'>;

/** Sign-ins as a condition on the rows of both tables, and its values. */
interface Selected {
  readonly condition: string;
  readonly values: readonly Value[];
}

const numberOf = (environment: Environment | null): number | null => environment && environmentNumbers[environment];

/** Any environment if `$4` is null. */
const inEnvironment = '(CAST($4 AS smallint) IS NULL OR environment = CAST($4 AS smallint))';

/** The subject of a user, and of the player as whom the user signs in. */
const subjectsOfUser = `
  SELECT CAST($2 AS text) UNION ALL SELECT player_id FROM player_links WHERE account_id = $1 AND player_links.subject = $2`;

function ofUser({ isOneOf }: Engine, directoryId: string, userId: string): Selected {
  const subject = encodeText(userId);
  if (directoryId === developersDirectory) return { condition: 'project_id IS NULL AND subject = $1', values: [subject] };
  const projects = isOneOf('SELECT project_id FROM projects WHERE account_id = $1');
  return {
    condition: `account_id = $1 AND project_id ${projects} AND subject ${isOneOf(subjectsOfUser)}`,
    values: [directoryId, subject],
  };
}

const deletedCodes = ({ codes }: SignInStatements, { condition, values }: Selected): Steps<readonly Row[]> =>
  all(`DELETE FROM ${codes} WHERE ${condition} AND family_id IS NULL RETURNING code_hash`, values);

/** Returns the families. Any number of rows each. */
function* removed(signIns: SignInStatements, selected: Selected): Steps<readonly Row[]> {
  yield* deletedCodes(signIns, selected);
  return yield* all(signIns.removeFamilies(selected.condition), selected.values);
}

/** Returns the families. Any number of rows each. */
function* ended(signIns: SignInStatements, selected: Selected): Steps<readonly Row[]> {
  yield* deletedCodes(signIns, selected);
  return yield* all(revokeFamilies(signIns, selected.condition), selected.values);
}

/** SQL: revokes families, and returns them. Their rows stay until their codes have expired, which are therefore known as spent. */
export const revokeFamilies = ({ families }: Pick<SignInStatements, 'families'>, condition: string): string => `
  UPDATE ${families} SET secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at
  WHERE ${condition} AND secret_hash IS NOT NULL RETURNING family_id, account_id`;

/** Deletes the codes and families of a user of a directory, in every project. Returns the families. */
export const removeSignIns = (engine: Engine, directoryId: string, userId: string): Steps<readonly Row[]> =>
  removed(engine.signIns, ofUser(engine, directoryId, userId));

/** Deletes the codes and families of a developer in one account. Returns the families. */
export const removeSignInsOfMember = ({ signIns }: Engine, accountId: string, subject: string): Steps<readonly Row[]> =>
  removed(signIns, {
    condition: 'subject = $2 AND project_id IS NULL AND account_id = $1',
    values: [accountId, encodeText(subject)],
  });

/** Deletes the codes and families of a player in one project, or one of its environments. Returns the number deleted. */
export function* removeSignInsOfPlayer(
  { signIns }: Engine,
  { accountId, projectId, playerId }: PlayerRowKey,
  environment: Environment | null = null,
): Steps<number> {
  const selected = {
    condition: `account_id = $1 AND project_id = $2 AND subject = $3 AND ${inEnvironment}`,
    values: [accountId, projectId, encodeText(playerId), numberOf(environment)],
  };
  const codes = yield* deletedCodes(signIns, selected);
  return codes.length + (yield* all(signIns.removeFamilies(selected.condition), selected.values)).length;
}

/** Deletes some of the codes and families of an account, of any user. Returns the number deleted. */
export function* removeSomeSignIns({ signIns }: Engine, accountId: string): Steps<number> {
  let deleted = 0;
  for (const sql of signIns.removeSome) deleted += (yield* all(sql, [accountId])).length;
  return deleted;
}

/** Deletes the unspent codes of a user, and revokes the families. Returns the families. */
export const endSignIns = (engine: Engine, directoryId: string, userId: string): Steps<readonly Row[]> =>
  ended(engine.signIns, ofUser(engine, directoryId, userId));

/** The same for the developers of an account who have signed in without a second factor. */
export const endWeakSignIns = ({ signIns }: Engine, accountId: string): Steps<readonly Row[]> =>
  ended(signIns, { condition: isWeakOfDeveloperSql, values: [accountId] });

/**
 * Deletes the unspent codes of a player in a scope, and revokes the families. They remain known as the player's until they would have
 * expired.
 */
export function* endSignInsOfPlayer(
  { signIns, isOneOf }: Engine,
  { accountId, slug, environment }: RevocationScope,
  playerId: string,
): Steps<void> {
  const projects = isOneOf(
    'SELECT project_id FROM projects WHERE account_id = $1 AND (CAST($2 AS text) IS NULL OR slug = CAST($2 AS text))',
  );
  const condition = `account_id = $1 AND project_id ${projects} AND subject = $3 AND ${inEnvironment}`;
  const values = [accountId, slug, encodeText(playerId), numberOf(environment)];
  yield* deletedCodes(signIns, { condition, values });
  // Any number of rows.
  yield* all(
    `UPDATE ${signIns.families} SET secret_hash = NULL, previous_secret_hash = NULL
     WHERE ${condition} AND secret_hash IS NOT NULL`,
    values,
  );
}

/** Returns a row for each live family of a user, the most recently used first, at most `sessionsMax`. */
export function* listSignIns(engine: Engine, directoryId: string, userId: string, now: number): Steps<readonly Row[]> {
  const { condition, values } = ofUser(engine, directoryId, userId);
  const { families } = engine.signIns;
  const time = `$${values.length + 1}`;
  return yield* all(
    `SELECT family_id, account_id, created_at, replaced_at, place, amr, environment,
       (SELECT name FROM projects WHERE projects.account_id = ${families}.account_id
          AND projects.project_id = ${families}.project_id) AS project_name
     FROM ${families} WHERE ${condition} AND secret_hash IS NOT NULL
       AND idle_expires_at > ${time} AND absolute_expires_at > ${time}
     ORDER BY coalesce(replaced_at, created_at) DESC LIMIT ${sessionsMax}`,
    [...values, now],
  );
}
