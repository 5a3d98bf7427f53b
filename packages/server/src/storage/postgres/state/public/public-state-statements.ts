/** The statements of a single write of public state, which is not combined with others. */
import { nextVersionSql } from '../../../history/version-floors.ts';
import { parameters, type Statement } from '../../connection/parameters.ts';
import { storageBytesOf } from '../../usage/usage-sums.ts';
import { findingRepeat, type RepeatName, type RepeatSql, withoutRepeat, withRepeat } from '../repeats.ts';

/** The parameters that decide about a write, and those stored in the row of the environment. */
const compared = parameters(
  'accountId',
  'slug',
  'environment',
  /** Null: nothing is stored yet. */
  'expectedVersion',
  'stateBytes',
  /** The limit of bytes of an account without its own, and the headroom below it. */
  'bytesMax',
  'headroomBytes',
  'commentBytes',
  /** The checksum of the text that the edits are based on; null for a whole text. */
  'basis',
  'versionFloor',
  /** It writes only if, for each of these webhooks, a waiting change takes it in; null: in any case. */
  'hearers',
);
/** Those with the parameters stored in the history. */
const appended = parameters(...compared.names, 'storedText', 'comment', 'writtenAt', 'author', 'depth', 'checksum');
const at = appended.at;

export type PublicStateWriteName = (typeof appended.names)[number] | RepeatName;

/**
 * Whether the edits are based on the stored text of the expected version. Versions of a key are never used twice; but a standby that takes
 * over without the last writes of its primary has another text under their numbers.
 */
export const followsOn = (account: string, environment: string, expected: string, basis: string) => `EXISTS (
        SELECT 1 FROM public_state_versions AS versions
        WHERE versions.account_id = ${account} AND versions.project_id = environments.project_id
          AND versions.environment = ${environment} AND versions.version = ${expected} AND versions.checksum = ${basis})`;

/**
 * Compares, and writes the row of the environment. The UPDATE itself checks this row: after waiting for another write, a statement sees this
 * row, and no other, as that write left it.
 */
const headOf = ({ known, isNew }: RepeatSql) => `
  WITH ${known}target AS (
    SELECT environments.project_id, environments.version, is_present, coalesce(storage_bytes_max, ${at.bytesMax}) AS bytes_max,
      ${at.basis}::integer IS NULL OR ${followsOn(at.accountId, at.environment, `${at.expectedVersion}::bigint`, `${at.basis}::integer`)} AS follows,
      ${at.hearers}::text IS NULL OR coalesce(environments.collecting, '') = ${at.hearers} AS is_collected
    FROM accounts JOIN environments ON environments.account_id = accounts.account_id
    WHERE accounts.account_id = ${at.accountId} AND environments.slug = ${at.slug} AND environments.environment = ${at.environment}
  ), head AS (
    UPDATE environments
    SET version = ${nextVersionSql('environments.version', `${at.versionFloor}::bigint`)}, is_present = true,
      kept_bytes = environments.kept_bytes + ${at.stateBytes}::bigint + ${at.commentBytes}::bigint
    FROM target
    WHERE environments.account_id = ${at.accountId} AND environments.slug = ${at.slug} AND environments.environment = ${at.environment}
      AND environments.project_id = target.project_id AND follows
      AND (${at.hearers}::text IS NULL OR environments.collecting = ${at.hearers})
      AND environments.is_present = (${at.expectedVersion}::bigint IS NOT NULL)
      AND (${at.expectedVersion}::bigint IS NULL OR environments.version = ${at.expectedVersion}::bigint)
      AND (bytes_max = 0 OR ${storageBytesOf(at.accountId)} + ${at.stateBytes}::bigint + ${at.commentBytes}::bigint
        + ${at.headroomBytes}::bigint <= bytes_max)
      ${isNew}
    RETURNING environments.project_id, environments.version
  )`;

const resultOf = (written: string, { columns }: RepeatSql) => `
  SELECT target.project_id, target.version, is_present, bytes_max, follows, is_collected,
    (SELECT version FROM ${written}) AS written${columns}
  FROM target`;

/** Writes the row of the environment and appends to the history, in one statement. */
const wholeOf = (repeat: RepeatSql) => `${headOf(repeat)}, written AS (
    INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, depth,
      checksum, author, comment, comment_bytes, state)
    SELECT ${at.accountId}, project_id, ${at.environment}, version, ${at.writtenAt}, ${at.stateBytes}::bigint, ${at.depth}::smallint,
      ${at.checksum}::integer, ${at.author}, ${at.comment}, nullif(${at.commentBytes}::bigint, 0), ${at.storedText}
    FROM head
    RETURNING version
  )${repeat.kept('written', at.writtenAt)}${resultOf('written', repeat)}`;

/** Without and with a key to repeat the write. */
interface PublicStateStatements {
  readonly plain: Statement<PublicStateWriteName>;
  readonly once: Statement<PublicStateWriteName>;
}

const repeatWhole = withRepeat(appended.names);
const repeatHead = findingRepeat(compared.names);
const headAlone = (repeat: RepeatSql) => headOf(repeat) + resultOf('head', repeat);

/** The statements that do all of a write. */
export const wholeWrites: PublicStateStatements = {
  plain: { names: appended.names, text: wholeOf(withoutRepeat) },
  once: { names: repeatWhole.names, text: wholeOf(repeatWhole) },
};

/**
 * Statements that append nothing, for a distributed database: one statement that appends too would need several rounds to the
 * account's machine.
 */
export const headWrites: PublicStateStatements = {
  plain: { names: compared.names, text: headAlone(withoutRepeat) },
  once: { names: repeatHead.names, text: headAlone(repeatHead) },
};
