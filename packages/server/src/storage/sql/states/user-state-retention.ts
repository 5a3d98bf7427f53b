/** Drops earlier versions of user states that are no longer kept. */
import { ofInstallation } from '../../contract/read-owner.ts';
import type { KeptUserState, UserStateKey, VersionRetention } from '../../contract/user-states.ts';
import { decodedTextAt, integerAt, optionalIntegerAt, type Row, textAt } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import type { PlayerRowKey } from '../engine-sql.ts';
import { all, first, type Steps, type Value } from '../steps.ts';
import { largeRead, type Setting, write } from '../verb.ts';
import { dropVersions, recordOf } from './user-state-rows.ts';

/** A position among the user states, as text. */
type Position = readonly (string | number)[];

function* listKept(
  { engine }: Setting,
  after: string | null,
): Steps<{ readonly userStates: readonly KeptUserState[]; readonly next: string | null }> {
  const position = after === null ? engine.userStates.first : (JSON.parse(after) as Position);
  const rows = yield* all(engine.userStates.listKept, position);
  const userStates = rows.map((row): KeptUserState => {
    const currentVersion = optionalIntegerAt(row, 'current_version');
    const isThere = currentVersion !== null && row.slug !== null && row.account_id !== null;
    return {
      record: recordOf(engine.userStates, row),
      key: isThere ? keyAt(row) : undefined,
      currentVersion: currentVersion ?? 0,
      oldestVersion: integerAt(row, 'version'),
      oldestReplacedAt: integerAt(row, 'replaced_at'),
    };
  });
  const last = userStates.at(-1);
  return { userStates, next: last === undefined ? null : JSON.stringify(last.record) };
}

const keyAt = (row: Row): UserStateKey => ({
  accountId: textAt(row, 'account_id'),
  slug: textAt(row, 'slug'),
  environment: environmentNames[integerAt(row, 'environment')] ?? 'production',
  playerId: decodedTextAt(row, 'end_user_id'),
});

function* drop(
  { engine }: Setting,
  userStates: readonly { readonly userState: KeptUserState; readonly retention: VersionRetention | null }[],
): Steps<number> {
  let dropped = 0;
  for (const { userState, retention } of userStates) dropped += yield* dropOf(engine, userState, retention);
  return dropped;
}

function* dropOf(
  engine: Setting['engine'],
  { record, key }: KeptUserState,
  retention: VersionRetention | null,
): Steps<number> {
  return key === undefined ? yield* dropLeft(engine, record) : yield* dropOldVersions({ engine }, key, retention, record);
}

/** Drops versions of a user state that are no longer kept, if it is still the given record. Returns the number dropped. */
export function* dropOldVersions(
  { engine }: Pick<Setting, 'engine'>,
  key: UserStateKey,
  retention: VersionRetention | null,
  expected?: readonly Value[],
): Steps<number> {
  // No row: no such project.
  const project = yield* first(
    'SELECT projects.project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [key.accountId, key.slug],
  );
  if (project === undefined) return 0;
  const userState = { ...key, projectId: project.project_id as PlayerRowKey['projectId'] };
  const { condition, values } = engine.userStates.at(userState);
  // No row: the user state has been deleted.
  const held = yield* first(
    `SELECT ${engine.userStates.record}, version FROM user_states WHERE ${condition} FOR UPDATE`,
    values,
  );
  if (held === undefined) return 0;
  const record = recordOf(engine.userStates, held);
  if (expected !== undefined && record.join() !== expected.join()) return 0;
  const { rows, bytes } = yield* dropVersions(engine.userStates, record, integerAt(held, 'version'), retention);
  if (rows === 0) return 0;
  // One row, always: it is locked.
  yield* all(`UPDATE user_states SET history_bytes = history_bytes - $${values.length + 1} WHERE ${condition}`, [
    ...values,
    bytes,
  ]);
  yield* engine.countUserState(userState, -bytes);
  return rows;
}

/** Deletes the versions of a user state that an older program has deleted. */
function* dropLeft(engine: Setting['engine'], record: readonly (string | number)[]): Steps<number> {
  const { rows, bytes } = yield* dropVersions(engine.userStates, record, 0, null);
  const [accountId, projectId] = record;
  if (rows > 0 && record.length > 1) {
    yield* engine.countUserState({ accountId: String(accountId), projectId: projectId as string }, -bytes);
  }
  return rows;
}

export const userStateRetentionVerbs = {
  /** Some of the user states with kept versions, after an opaque position. Null begins the list, and marks its end. */
  listKeptUserStates: largeRead(listKept, ofInstallation),
  /**
   * Drops user state versions that are no longer kept; all of them if `retention` is null because the user state itself is deleted. Returns
   * the number dropped.
   */
  dropUserStateVersions: write(drop, { forgets: true }),
};
