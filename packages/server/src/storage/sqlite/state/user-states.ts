/** End-user state, on the main thread: reads from memory or the database, writes through the writer thread. */
import { encodeText, environmentNumbers, toListedUserState, toUserState } from '../../rows.ts';
import type { CurrentVersion, Page, PageRequest, PublicStateKey, ReadOutcome } from '../../store.ts';
import type { ListedUserState, UserState, UserStateKey, UserStateStore } from '../../user-state-store.ts';
import { findProjectId } from '../management/projects.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { userStateName } from '../record-names.ts';
import { smallCommandCharacters, writeRecord } from '../writer/changes.ts';

/** Returns the methods of the store that keep end-user state. */
export function createUserStates({
  cache,
  queue,
  reader,
  quotas,
}: Pick<Parts, 'cache' | 'queue' | 'reader' | 'quotas'>): UserStateStore {
  return {
    readUserState(key) {
      const name = userStateName(key);
      const known = cache.state(name);
      if (known !== undefined) return known;
      const outcome = readUserState(reader, key);
      if (outcome.kind !== 'no_project') cache.keepState(name, key, outcome);
      return outcome;
    },

    writeUserState(key, expected, { stateText, stateBytes, stateUtf8, writtenAt }) {
      const { accountId, slug, environment, endUserId } = key;
      const expectedVersion = expected.kind === 'version' ? expected.version : null;
      const send = () =>
        queue.submit(
          stateText.length + smallCommandCharacters,
          'writeUserState',
          accountId,
          slug,
          environmentNumbers[environment],
          endUserId,
          expectedVersion,
          stateUtf8 ?? stateText,
          stateBytes,
          writtenAt,
          quotas.endUsers,
          quotas.storageBytes,
        );
      return writeRecord(cache, userStateName(key), key, send, (version) => ({ version, stateText, stateBytes }));
    },

    currentUserVersions: (keys) => keys.map((key) => currentVersion(reader, key)),
    listUserStates: (key, page) => listUserStates(reader, key, page),

    async deleteEndUser({ accountId, slug }, endUserId) {
      const names = environments.map((environment) => userStateName({ accountId, slug, environment, endUserId }));
      for (const name of names) cache.begin(name);
      try {
        return await queue.submit(smallCommandCharacters, 'deleteEndUser', accountId, slug, endUserId);
      } finally {
        for (const name of names) cache.end(name);
      }
    },
  };
}

const environments = ['development', 'staging', 'production'] as const;

const noProject = { kind: 'no_project' } as const;
const absent = { kind: 'absent' } as const;

function readUserState(reader: Reader, key: UserStateKey): ReadOutcome<UserState> {
  // No row: no such project. A row without `version`: the end user has no state here.
  const row = reader.get(
    `SELECT version, state_bytes, state
     FROM accounts
     JOIN projects USING (account_number)
     LEFT JOIN user_states ON user_states.project_id = projects.project_id AND end_user_id = ?4 AND environment = ?3
     WHERE account_id = ?1 AND slug = ?2`,
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
    encodeText(key.endUserId),
  );
  if (row === undefined) return noProject;
  return row.version === null ? absent : { kind: 'present', record: toUserState(row) };
}

function currentVersion(
  reader: Reader,
  { accountId, slug, environment, endUserId }: UserStateKey,
): ReadOutcome<CurrentVersion> {
  // No row: no such project. A row without `version`: the end user has no state here.
  const row = reader.get(
    `SELECT sequence, version
     FROM accounts
     JOIN projects USING (account_number)
     LEFT JOIN user_states ON user_states.project_id = projects.project_id AND end_user_id = ?4 AND environment = ?3
     WHERE account_id = ?1 AND slug = ?2`,
    accountId,
    slug,
    environmentNumbers[environment],
    encodeText(endUserId),
  );
  if (row === undefined) return noProject;
  if (row.version === null) return absent;
  return { kind: 'present', record: { version: row.version as number, recordId: String(row.sequence) } };
}

/** The tie of a position is the record's sequence, which identifies the position by itself. */
function listUserStates(
  reader: Reader,
  key: PublicStateKey,
  { after, itemsMax }: PageRequest,
): { readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' } {
  return reader.snapshot(() => {
    const project = findProjectId(reader, key);
    if (project === undefined) return noProject;
    const environment = environmentNumbers[key.environment];
    // At most a page, read along the index from the end of the last one.
    const rows = reader.all(
      `SELECT sequence, end_user_id, version, created_at, updated_at, state_bytes, state
       FROM user_states INDEXED BY user_states_by_creation
       WHERE project_id = ? AND environment = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
      project,
      environment,
      after === null ? Number.MAX_SAFE_INTEGER : Number(after.tie),
      itemsMax,
    );
    const items = rows.map(toListedUserState);
    const last = rows.at(-1);
    // No row: nothing follows. The index answers this, so no state is read for nothing.
    const next = last && reader.get(nextUserState, project, environment, last.sequence as number);
    if (last === undefined || next === undefined) return { kind: 'page', page: { items, next: null } };
    return { kind: 'page', page: { items, next: { createdAt: last.created_at as number, tie: String(last.sequence) } } };
  });
}

const nextUserState = `
  SELECT 1 FROM user_states INDEXED BY user_states_by_creation
  WHERE project_id = ? AND environment = ? AND sequence < ? LIMIT 1`;
