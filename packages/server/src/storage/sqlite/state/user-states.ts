/**
 * User state, on the main thread: reads from the cache or the database, writes through the writer thread. A page takes two reads in one
 * snapshot; PostgreSQL uses one statement. To sort rows for a running sum of bytes, SQLite would read every state.
 */

import { userStateName } from '../../caches/record-names.ts';
import type { UserStateVerbs } from '../../contract/engine-verbs.ts';
import type { Page } from '../../contract/pages.ts';
import type { CurrentVersion, PublicStateKey, ReadOutcome } from '../../contract/public-states.ts';
import type { ListedUserState, UserState, UserStateKey, UserStatePageRequest } from '../../contract/user-states.ts';
import { replacedUserState } from '../../history/replaced-user-state.ts';
import { integerAt, type Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import {
  encodeUserStateAuthor,
  outcomeOf,
  toCurrentVersion,
  toListedUserState,
  toUserState,
  userStateColumns,
} from '../../rows/state-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import type { Dependencies } from '../dependencies.ts';
import { readInProject } from '../management/projects.ts';
import type { Reader } from '../reader.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { UserStateValues } from '../writer/state-writes.ts';

/** Returns the store methods of user state. */
export function createUserStates({
  cache,
  queue,
  reader,
  quotas,
  marks,
}: Pick<Dependencies, 'cache' | 'queue' | 'reader' | 'quotas' | 'marks'>): UserStateVerbs {
  return {
    readUserState(key) {
      const name = userStateName(key);
      const known = cache.state(name);
      if (known !== undefined) return known;
      const outcome = readUserState(reader, key);
      if (outcome.kind !== 'no_project') cache.keepState(name, key, outcome);
      return outcome;
    },

    writeUserState(key, expected, next) {
      const { accountId, slug, environment, playerId } = key;
      const {
        stateText,
        stateBytes,
        stateUtf8,
        writtenAt,
        author = null,
        epoch,
        comment = null,
        repeat,
        by,
        retention,
        subscribers,
      } = next;
      const expectedVersion = expected.kind === 'version' ? expected.version : null;
      const { versionFloor } = marks();
      const replaced = next.before?.version === expectedVersion ? replacedUserState(next, versionFloor) : undefined;
      const characters = stateText.length + (replaced?.state.length ?? 0) + smallCommandCharacters;
      const record = { stateText, stateBytes, updatedAt: writtenAt, author, comment, continues: true };
      const ending = cache.write(userStateName(key), key, (version) => ({ version, ...record }));
      const values: UserStateValues = [
        accountId,
        slug,
        environmentNumbers[environment],
        playerId,
        expectedVersion,
        stateUtf8 ?? stateText,
        stateBytes,
        writtenAt,
        encodeUserStateAuthor(author),
        encodeOptional(comment),
        quotas.endUsers,
        quotas.storageBytes,
        versionFloor,
        epoch,
        repeat,
        by,
        replaced,
        retention,
        subscribers,
      ];
      return queue.submitTo(ending, characters, ['writeUserState', values]);
    },

    currentUserVersions: (keys) => keys.map((key) => currentVersion(reader, key)),
    listUserStates: (key, page) => listUserStates(reader, key, page),
  };
}

function readUserState(reader: Reader, key: UserStateKey): ReadOutcome<UserState> {
  // No row: no such project. A row without `version`: the player has no state here.
  const row = reader.get(
    `SELECT ${userStateColumns}
     FROM accounts
     JOIN projects USING (account_id)
     LEFT JOIN user_states ON user_states.project_id = projects.project_id AND end_user_id = ?4 AND environment = ?3
     WHERE account_id = ?1 AND slug = ?2`,
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
    encodeText(key.playerId),
  );
  return outcomeOf(row, toUserState);
}

function currentVersion(
  reader: Reader,
  { accountId, slug, environment, playerId }: UserStateKey,
): ReadOutcome<CurrentVersion> {
  // No row: no such project. A row without `version`: the player has no state here.
  const row = reader.get(
    `SELECT sequence AS record_id, version
     FROM accounts
     JOIN projects USING (account_id)
     LEFT JOIN user_states ON user_states.project_id = projects.project_id AND end_user_id = ?4 AND environment = ?3
     WHERE account_id = ?1 AND slug = ?2`,
    accountId,
    slug,
    environmentNumbers[environment],
    encodeText(playerId),
  );
  return outcomeOf(row, toCurrentVersion);
}

/** The tie of a position is the record's sequence, which alone identifies the position. */
function listUserStates(
  reader: Reader,
  key: PublicStateKey,
  { after, itemsMax, bytesMax = Number.POSITIVE_INFINITY }: UserStatePageRequest,
): { readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' } {
  return readInProject(reader, key, (project) => {
    const environment = environmentNumbers[key.environment];
    const begin = after === null ? Number.MAX_SAFE_INTEGER : Number(after.tie);
    // One row more than the page holds shows whether anything follows. No state is read for that.
    const sizes = reader.all(pageOf('state_bytes'), project, environment, begin, itemsMax + 1);
    const count = countWithin(bytesMax, sizes.slice(0, itemsMax));
    const rows = count === 0 ? [] : reader.all(pageOf(wholeRecord), project, environment, begin, count);
    const items = rows.map(toListedUserState);
    const last = rows.at(-1);
    if (last === undefined || sizes.length === count) return { kind: 'page', page: { items, next: null } };
    return { kind: 'page', page: { items, next: { createdAt: 0, tie: String(last.sequence) } } };
  });
}

const wholeRecord = 'sequence, end_user_id, version, updated_at, state_bytes, state';

/** At most a page, read along the index from the end of the last one. No row: nothing follows. */
const pageOf = (columns: string): string => `
  SELECT ${columns} FROM user_states INDEXED BY user_states_by_creation
  WHERE project_id = ? AND environment = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`;

/** How many of the rows fit into `bytesMax` of state; the first row always counts. */
function countWithin(bytesMax: number, rows: readonly Row[]): number {
  let bytes = 0;
  let count = 0;
  for (const row of rows) {
    bytes += integerAt(row, 'state_bytes');
    if (count > 0 && bytes > bytesMax) break;
    count++;
  }
  return count;
}
