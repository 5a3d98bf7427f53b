/** SQL that all writes of public state share, and the values that a version stores. */
import { encodeAuthor } from '../../../history/versions.ts';
import { commentBytes, encodeOptional } from '../../../rows/stored-texts.ts';
import { insertInto } from '../../inserts.ts';
import type { PublicStateWrite } from './public-state-outcomes.ts';

/** Appends a version to the history. */
export const appendVersion = insertInto(
  'public_state_versions',
  'account_id',
  'project_id',
  'environment',
  'version',
  'written_at',
  'state_bytes',
  'depth',
  'checksum',
  'author',
  'comment',
  'comment_bytes',
  'state',
);

/** Returns the values that a write stores, by the columns of the version. Without a comment, its size is stored as null. */
export function versionValues({ next, stored }: PublicStateWrite) {
  const comment = encodeOptional(next.comment);
  return {
    written_at: next.writtenAt,
    state_bytes: next.stateBytes,
    depth: stored.depth,
    checksum: stored.checksum,
    author: encodeAuthor(next.author),
    comment,
    comment_bytes: commentBytes(comment),
    state: stored.state,
  };
}

/** The bytes that a write adds to the account's storage. */
export const bytesOf = ({ next: { stateBytes, comment } }: PublicStateWrite): number =>
  stateBytes + commentBytes(encodeOptional(comment));

/** Whether the row of the environment has the expected version; null: nothing is stored yet. */
export const isExpected = (expected: string): string =>
  `environments.is_present = (${expected} IS NOT NULL) AND (${expected} IS NULL OR environments.version = ${expected})`;

/** Whether, for each of these webhooks, a waiting change takes the write in; null: in any case. */
export const isCollectedFor = (subscribers: string): string =>
  `(${subscribers} IS NULL OR environments.collecting = ${subscribers})`;

/**
 * Whether the edits are based on the stored text of the expected version; a `basis` of null: they are a whole text. Versions of a key are
 * never used twice; but a standby that takes over without the last writes of its primary has another text under their numbers.
 */
export const followsOn = (
  account: string,
  { environment, expected, basis }: { readonly environment: string; readonly expected: string; readonly basis: string },
): string => `(${basis} IS NULL OR EXISTS (
        SELECT 1 FROM public_state_versions AS versions
        WHERE versions.account_id = ${account} AND versions.project_id = environments.project_id
          AND versions.environment = ${environment} AND versions.version = ${expected} AND versions.checksum = ${basis}))`;
