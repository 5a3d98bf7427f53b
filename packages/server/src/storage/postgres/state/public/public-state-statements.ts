/** The statements of a single write of public state, which is not combined with others. */
import { nextVersionSql } from '../../../history/version-floors.ts';
import { parameters, type Statement } from '../../connection/parameters.ts';
import { fitsBytes } from '../../usage/usage-sums.ts';
import { findingRepeat, type RepeatName, type RepeatSql, withoutRepeat, withRepeat } from '../repeats.ts';
import { appendVersion, followsOn, isCollectedFor, isExpected } from './public-state-sql.ts';

/** The parameters that decide about a write, and those stored in the row of the environment. */
const compared = parameters(
  'accountId',
  'slug',
  'environment',
  /** Null: nothing is stored yet. */
  'expectedVersion',
  'state_bytes',
  /** The limit of bytes of an account without its own, and the margin below it. */
  'bytesMax',
  'marginBytes',
  'comment_bytes',
  /** The checksum of the text that the edits are based on; null for a whole text. */
  'basis',
  'versionFloor',
  /** It writes only if, for each of these webhooks, a waiting change takes it in; null: in any case. */
  'subscribers',
);
/** Those with the parameters stored in the history, which have the names of their columns. */
const appended = parameters(...compared.names, 'state', 'comment', 'written_at', 'author', 'depth', 'checksum');
const at = appended.at;

export type PublicStateWriteName = (typeof appended.names)[number] | RepeatName;

const expected = `${at.expectedVersion}::bigint`;
const added = `${at.state_bytes}::bigint + ${at.comment_bytes}::bigint`;
const follows = followsOn(at.accountId, { environment: at.environment, expected, basis: `${at.basis}::integer` });

/**
 * Compares, and writes the row of the environment. The UPDATE itself checks this row: after waiting for another write, a statement sees this
 * row, and no other, as that write left it.
 */
const headOf = ({ known, isNew }: RepeatSql) => `
  WITH ${known}target AS (
    SELECT environments.project_id, environments.version, is_present, coalesce(storage_bytes_max, ${at.bytesMax}) AS bytes_max,
      ${follows} AS follows,
      ${at.subscribers}::text IS NULL OR coalesce(environments.collecting, '') = ${at.subscribers} AS is_collected
    FROM accounts JOIN environments ON environments.account_id = accounts.account_id
    WHERE accounts.account_id = ${at.accountId} AND environments.slug = ${at.slug} AND environments.environment = ${at.environment}
  ), head AS (
    UPDATE environments
    SET version = ${nextVersionSql('environments.version', `${at.versionFloor}::bigint`)}, is_present = true,
      kept_bytes = environments.kept_bytes + ${added}
    FROM target
    WHERE environments.account_id = ${at.accountId} AND environments.slug = ${at.slug} AND environments.environment = ${at.environment}
      AND environments.project_id = target.project_id AND follows
      AND ${isCollectedFor(`${at.subscribers}::text`)} AND ${isExpected(expected)}
      AND (bytes_max = 0 OR ${fitsBytes(at.accountId, `${added} + ${at.marginBytes}::bigint`)})
      ${isNew}
    RETURNING environments.project_id, environments.version
  )`;

const resultOf = (written: string, { columns }: RepeatSql) => `
  SELECT target.project_id, target.version, is_present, bytes_max, follows, is_collected,
    (SELECT version FROM ${written}) AS written${columns}
  FROM target`;

/** The version that is appended. */
const version = {
  account_id: at.accountId,
  environment: at.environment,
  written_at: at.written_at,
  state_bytes: `${at.state_bytes}::bigint`,
  depth: `${at.depth}::smallint`,
  checksum: `${at.checksum}::integer`,
  author: at.author,
  comment: at.comment,
  comment_bytes: `nullif(${at.comment_bytes}::bigint, 0)`,
  state: at.state,
};

/** Writes the row of the environment and appends to the history, in one statement. */
const wholeOf = (repeat: RepeatSql) => `${headOf(repeat)}, written AS (
    ${appendVersion.select(version)}
    FROM head
    RETURNING version
  )${repeat.kept('written', at.written_at)}${resultOf('written', repeat)}`;

/** Without and with a key to repeat the write. */
export interface PublicStateStatements {
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
