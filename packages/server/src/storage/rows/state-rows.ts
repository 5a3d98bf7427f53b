/** Turns rows into public states, user states and their versions. */
import type { Author, CurrentVersion, HistoryItem, HistoryOutcome, ReadOutcome } from '../contract/public-states.ts';
import type { ListedUserState, UserState, UserStateAuthor } from '../contract/user-states.ts';
import { decodedTextAt, integerAt, jsonAt, optionalDecodedTextAt, type Row, textAt } from './columns.ts';

export const noProject = { kind: 'no_project' } as const;

/**
 * Returns the outcome of a read of state, with the record that `toRecord` makes of its row. No row: no such project. A row without
 * `version`: nothing is stored there.
 */
export function outcomeOf<State>(row: Row | undefined, toRecord: (row: Row) => State): ReadOutcome<State> {
  if (row === undefined) return noProject;
  return row.version === null ? { kind: 'absent' } : { kind: 'present', record: toRecord(row) };
}

export const toCurrentVersion = (row: Row): CurrentVersion => ({
  version: integerAt(row, 'version'),
  recordId: String(row.record_id),
});

/** The page of the versions `found`, newest first, which has one version more than the page if more follows. */
export const toHistory = (found: readonly Row[], itemsMax: number): HistoryOutcome => ({
  kind: 'history',
  items: found.slice(0, itemsMax).map(toHistoryItem),
  hasMore: found.length > itemsMax,
});

const toHistoryItem = (row: Row): HistoryItem => ({
  version: integerAt(row, 'version'),
  stateBytes: integerAt(row, 'state_bytes'),
  comment: optionalDecodedTextAt(row, 'comment'),
  writtenAt: integerAt(row, 'written_at'),
  author: row.author === null ? null : jsonAt<Author>(row, 'author'),
});

/** Columns of `user_states` that `toUserState` needs. */
export const userStateColumns = 'version, updated_at, history_version, author, comment, state_bytes, state';

/** A program older than the history of user states left author and comment unchanged: it served players, who give no comment. */
export function toUserState(row: Row): UserState {
  const version = integerAt(row, 'version');
  const continues = row.history_version === version;
  return {
    version,
    stateText: textAt(row, 'state'),
    stateBytes: integerAt(row, 'state_bytes'),
    updatedAt: integerAt(row, 'updated_at'),
    author: continues ? userStateAuthorAt(row) : null,
    comment: continues ? optionalDecodedTextAt(row, 'comment') : null,
    continues,
  };
}

/** The author; null for the player. */
export const userStateAuthorAt = (row: Row): UserStateAuthor | null =>
  row.author === null ? null : jsonAt<UserStateAuthor>(row, 'author');

export const encodeUserStateAuthor = (author: UserStateAuthor | null): string | null =>
  author === null ? null : JSON.stringify(author);

export const toListedUserState = (row: Row): ListedUserState => ({
  version: integerAt(row, 'version'),
  stateText: textAt(row, 'state'),
  stateBytes: integerAt(row, 'state_bytes'),
  playerId: decodedTextAt(row, 'end_user_id'),
  updatedAt: integerAt(row, 'updated_at'),
});
