import { Buffer } from 'node:buffer';
import type { NewUserState, UserState, VersionRetention } from '../contract/user-states.ts';
import { encodeUserStateAuthor } from '../rows/state-rows.ts';
import { encodeOptional } from '../rows/stored-texts.ts';
import { encodeReplaced, type StoredUserState } from './user-state-versions.ts';

/** The row that is added for a replaced version. */
export interface ReplacedUserState extends StoredUserState {
  readonly version: number;
  readonly writtenAt: number;
  readonly stateBytes: number;
  readonly author: string | null;
  readonly comment: string | null;
  /** The counted size of the row: the bytes of its texts. */
  readonly bytes: number;
}

/** The columns of `user_state_versions` that every engine has besides those of the record. */
export const replacedColumns = [
  'version',
  'written_at',
  'replaced_at',
  'state_bytes',
  'form',
  'checksum',
  'author',
  'comment',
  'state',
] as const;

/** Returns the values of these columns. `replacedAt` is the time of the write. */
export const replacedValues = (replaced: ReplacedUserState, replacedAt: number) => {
  const { version, writtenAt, stateBytes, form, checksum, author, comment, state } = replaced;
  return [version, writtenAt, replacedAt, stateBytes, form, checksum, author, comment, state] as const;
};

/** SQL: the counted size of a row. */
export const keptBytes = 'octet_length(state) + coalesce(octet_length(author), 0) + coalesce(octet_length(comment), 0)';

const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

/**
 * Returns the row to keep for the version that `next` replaces; undefined if nothing is kept. `floor` is the installation's version floor.
 */
export function replacedUserState(
  next: Pick<NewUserState, 'before' | 'retention' | 'edits' | 'stateText'>,
  floor: number,
): ReplacedUserState | undefined {
  const { before, retention } = next;
  return before === undefined || retention === undefined || retention.versionsMax === 0
    ? undefined
    : keep(before, next, floor);
}

function keep(before: UserState, next: Pick<NewUserState, 'edits' | 'stateText'>, floor: number): ReplacedUserState {
  const { version, updatedAt: writtenAt, stateBytes } = before;
  const stored = encodeReplaced(before, next, before.continues, floor);
  const [author, comment] = [encodeUserStateAuthor(before.author), encodeOptional(before.comment)];
  const bytes = bytesOf(stored.state) + bytesOf(author) + bytesOf(comment);
  return { ...stored, version, writtenAt, stateBytes, author, comment, bytes };
}

/** One check for versions to drop is made per this many writes. */
const versionsPerDrop = 16;

/**
 * Returns the retention that a write of this version enforces: it drops excess versions. Versions that are too old are left to the sweep,
 * which first checks the clock. Undefined if this write drops nothing.
 */
export const droppedAtWrite = (version: number, retention: VersionRetention | undefined): VersionRetention | undefined =>
  retention !== undefined && retention.versionsMax > 0 && version % versionsPerDrop === 0
    ? { ...retention, keptAfter: 0 }
    : undefined;
