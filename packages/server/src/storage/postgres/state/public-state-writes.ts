/**
 * Writing public state: one statement compares, writes and appends to the history. Writes of different environments in the same turn of the
 * event loop are one statement and one commit. A repeatable write has a separate statement.
 */

import { nextVersionSql } from '../../history/version-floors.ts';
import { type EncodedVersion, encodeAuthor, encodeVersion, KeptVersion } from '../../history/versions.ts';
import { integerAt, textAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { noProject } from '../../rows/state-rows.ts';
import { commentBytes, encodeText } from '../../rows/stored-texts.ts';
import { recordStateWrite } from '../../sql/audit/audit.ts';
import { checkProposalWrite, recordProposalWrite } from '../../sql/proposals/proposal-applications.ts';
import { type Expectation, type NewPublicState, type PublicStateKey, StoreFault, type WriteOutcome } from '../../store.ts';
import { decided, type Query, type Row, type Value } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { clock } from '../engine-sql.ts';
import { takeSteps } from '../steps.ts';
import { createTurnBatches } from '../turn-batches.ts';
import { storageBytesOf } from '../usage/usage-sums.ts';
import { storeHeardChange } from './collected-changes.ts';
import type { NearLimit } from './guarded-writes.ts';
import {
  keepRepeat,
  keptRepeatValues,
  type RepeatSql,
  repeatedOf,
  repeatKeyValues,
  repeatValues,
  withoutRepeat,
  withRepeat,
} from './repeats.ts';

/** An outcome, with the written version and its project. */
export type PublicStateWritten =
  | { readonly kind: 'written'; readonly record: KeptVersion; readonly projectId: string }
  | Exclude<WriteOutcome, { kind: 'written' }>;

/**
 * Carries out a conditional write; `before` is the expected version, if available. No other write of this node to the same environment may
 * be running.
 */
export type WritePublicState = (
  key: PublicStateKey,
  expected: Expectation,
  next: NewPublicState,
  before?: KeptVersion,
) => Promise<PublicStateWritten>;

interface Write {
  readonly key: PublicStateKey;
  /** Null: nothing is stored yet. */
  readonly expectedVersion: number | null;
  readonly next: NewPublicState;
  /** The installation's floor (version-floors.ts). */
  readonly floor: number;
  /** Encoded again, as a whole text, if the database turns out to have another text for the expected version. */
  stored: EncodedVersion;
}

/** The maximum bytes of state in one statement, unless it makes a single write: less than the largest state has. */
const togetherBytesMax = 512 * 1024;
/** The size that a write counts in addition to its bytes, so that a statement carries out at most 32 writes. */
const writeBytes = 16 * 1024;

/** Returns the function that writes public state. */
export function createPublicStateWrites(
  dependencies: Pick<Dependencies, 'database' | 'writes' | 'quotas' | 'marks' | 'isDistributed'>,
): WritePublicState {
  const { database, writes, quotas, marks, isDistributed } = dependencies;
  const bytesMax = quotas.storageBytes;

  /** Writes in one statement, if a change waits for each of these webhooks that takes it in; undefined if not, or near a limit. */
  const writeCollected = async (write: Write, hearers: string): Promise<PublicStateWritten | undefined> => {
    const headroomBytes = writes.headroomOf(write.key.accountId)?.bytes;
    if (headroomBytes === undefined) return undefined;
    const outcome = await writeOne(database.query, dependencies, write, headroomBytes, hearers);
    return outcome.kind === 'near_limit' || outcome.kind === 'uncollected' ? undefined : outcome;
  };

  const writeAlone = async (write: Write): Promise<PublicStateWritten> => {
    let written: PublicStateWritten | undefined;
    const { key, next } = write;
    const { comment, by, hearers, application } = next;
    const isPlain = by === undefined && application === undefined;
    if (isPlain && hearers !== undefined && !isDistributed) {
      const outcome = await writeCollected(write, hearers);
      if (outcome !== undefined) return outcome;
    }
    const isSingle = isPlain && hearers === undefined;
    const carryOut = !isSingle ? writes.writeInTransaction : isDistributed ? writes.writeInSteps : writes.write;
    const outcome = await carryOut({ accountId: key.accountId, isGuest: false }, async (query, headroom) => {
      const notApplied = application && (await takeSteps(query, checkProposalWrite({ clock }, key, application)));
      if (notApplied !== undefined) return notApplied;
      const attempt = await writeOne(query, dependencies, write, headroom.bytes);
      if (attempt.kind === 'uncollected') throw new StoreFault('a write that stores its events itself waited for others');
      if (attempt.kind !== 'written') return attempt;
      const { version } = attempt.record;
      const from = write.expectedVersion ?? 0;
      if (hearers !== undefined) {
        const { author, writtenAt: at } = next;
        await takeSteps(query, storeHeardChange(key, { from, version, author, comment, at }));
      }
      if (by !== undefined) await takeSteps(query, recordStateWrite(key, by, { version, comment }));
      if (application !== undefined) await takeSteps(query, recordProposalWrite(key, application, { from, version }));
      written = attempt;
      return { kind: 'written', version };
    });
    return outcome.kind === 'written' ? (written as PublicStateWritten) : outcome;
  };

  const writeInTurn = createTurnBatches<Write, PublicStateWritten>({
    groupOf: ({ key }) => key.accountId,
    sizeOf: ({ next, stored }) => writeBytes + (stored.depth === 0 ? next.stateBytes : stored.state.length),
    sizeMax: togetherBytesMax,
    carryOut: async (batch) => {
      const headroomBytes = writes.headroomOf(batch[0]?.key.accountId as string)?.bytes;
      if (batch.length === 1 || headroomBytes === undefined || isDistributed) return batch.map(writeAlone);
      const outcomes = await writeTogether(database.query, batch, bytesMax, headroomBytes);
      return outcomes.map((outcome, index) => outcome ?? writeAlone(batch[index] as Write));
    },
  });
  return (key, expected, next, before) => {
    const expectedVersion = expected.kind === 'version' ? expected.version : null;
    const floor = marks().versionFloor;
    const write = { key, expectedVersion, next, floor, stored: encodeVersion(next, before, floor) };
    const isPlain = next.repeat === undefined && next.by === undefined && next.application === undefined;
    return isPlain ? writeInTurn(write) : writeAlone(write);
  };
}

/**
 * Whether the edits are based on the stored text of the expected version. Versions of a key are never used twice; but a standby that takes
 * over without the last writes of its primary has another text under their numbers.
 */
const followsOn = (environment: string, expected: string, basis: string) => `EXISTS (
        SELECT 1 FROM public_state_versions AS versions
        WHERE versions.account_id = $1 AND versions.project_id = environments.project_id
          AND versions.environment = ${environment} AND versions.version = ${expected} AND versions.checksum = ${basis})`;

/**
 * Compares, and writes the row of the environment. The UPDATE itself checks this row: a statement that has waited for another write sees it,
 * and only it, as the other write left it.
 */
const headOf = ({ known, isNew }: RepeatSql) => `
  WITH ${known}target AS (
    SELECT environments.project_id, environments.version, is_present, coalesce(storage_bytes_max, $6) AS bytes_max,
      $9::integer IS NULL OR ${followsOn('$3', '$4::bigint', '$9::integer')} AS follows,
      $11::text IS NULL OR coalesce(environments.collecting, '') = $11 AS is_collected
    FROM accounts JOIN environments ON environments.account_id = accounts.account_id
    WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
  ), head AS (
    UPDATE environments
    SET version = ${nextVersionSql('environments.version', '$10::bigint')}, is_present = true,
      kept_bytes = environments.kept_bytes + $5::bigint + $8::bigint
    FROM target
    WHERE environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
      AND environments.project_id = target.project_id AND follows
      AND ($11::text IS NULL OR environments.collecting = $11)
      AND environments.is_present = ($4::bigint IS NOT NULL)
      AND ($4::bigint IS NULL OR environments.version = $4::bigint)
      AND (bytes_max = 0 OR ${storageBytesOf('$1')} + $5::bigint + $8::bigint + $7::bigint <= bytes_max)
      ${isNew}
    RETURNING environments.project_id, environments.version
  )`;

const resultOf = (written: string, { columns }: RepeatSql) => `
  SELECT target.project_id, target.version, is_present, bytes_max, follows, is_collected,
    (SELECT version FROM ${written}) AS written${columns}
  FROM target`;

/** Does it, and appends to the history, in one statement. */
const statementOf = (repeat: RepeatSql) => `${headOf(repeat)}, written AS (
    INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, depth,
      checksum, author, comment, comment_bytes, state)
    SELECT $1, project_id, $3, version, $14, $5::bigint, $16::smallint, $17::integer, $15, $13, nullif($8::bigint, 0), $12
    FROM head
    RETURNING version
  )${repeat.kept('written', '$14')}${resultOf('written', repeat)}`;

/**
 * The statements of a write, without and with a key to repeat it, each with the number of values of the write that come before those of the
 * repeat. In a distributed database, they append nothing: one statement that does would need several rounds to the machine of the account.
 */
const statements = {
  whole: { plain: statementOf(withoutRepeat), once: statementOf(withRepeat(18)), values: 17 },
  head: {
    plain: headOf(withoutRepeat) + resultOf('head', withoutRepeat),
    once: headOf(withRepeat(12)) + resultOf('head', withRepeat(12)),
    values: 11,
  },
} as const;

/** The bytes that a write adds to the account's storage. */
const bytesOf = ({ next: { stateBytes, comment } }: Write): number =>
  stateBytes + commentBytes(comment === null ? null : encodeText(comment));

/** The statement of a write without a key to repeat it, in a database of one machine. */
export const writeStatement = statements.whole.plain;

/** The values of a write in its statements. With `hearers`, it writes only if a change waits for each of them that takes it in. */
export function writeValues(
  { key, expectedVersion, next, stored, floor }: Write,
  bytesMax: number,
  headroomBytes: number,
  hearers: string | null = null,
): Value[] {
  const { stateBytes, comment, writtenAt, author } = next;
  const text = comment === null ? null : encodeText(comment);
  return [
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
    expectedVersion,
    stateBytes,
    bytesMax,
    headroomBytes,
    commentBytes(text),
    stored.basis,
    floor,
    hearers,
    stored.state,
    text,
    writtenAt,
    encodeAuthor(author),
    stored.depth,
    stored.checksum,
  ];
}

async function writeOne(
  query: Query,
  { isDistributed, quotas }: Pick<Dependencies, 'isDistributed' | 'quotas'>,
  write: Write,
  headroomBytes: number,
  hearers?: string,
): Promise<PublicStateWritten | NearLimit | { readonly kind: 'uncollected' }> {
  const { repeat } = write.next;
  const form = statements[isDistributed ? 'head' : 'whole'];
  const statement = repeat === undefined ? form.plain : form.once;
  return decided(async () => {
    const values = writeValues(write, quotas.storageBytes, headroomBytes, hearers);
    const repeating = repeatValues(repeat).slice(0, isDistributed ? repeatKeyValues : undefined);
    const [row] = await query(statement, [...values.slice(0, form.values), ...repeating]);
    const outcome = repeatedOf(row, repeat) ?? outcomeOf(write, row);
    if (isDistributed && outcome?.kind === 'written') await append(query, write, outcome);
    if (outcome !== undefined) return outcome;
    if (row?.follows === false) {
      write.stored = encodeVersion(write.next, undefined, write.floor);
      return undefined;
    }
    if (row?.is_collected === false) return { kind: 'uncollected' };
    return row !== undefined && integerAt(row, 'bytes_max') > 0
      ? { kind: 'near_limit', bytes: bytesOf(write), players: 0 }
      : undefined;
  });
}

/** Appends a version whose row of the environment was written in the same transaction. */
async function append(
  query: Query,
  { key, next: { repeat, writtenAt, author, comment, stateBytes }, stored }: Write,
  { record: { version }, projectId }: Extract<PublicStateWritten, { kind: 'written' }>,
): Promise<void> {
  const text = comment === null ? null : encodeText(comment);
  await Promise.all([
    query(
      `INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, depth,
         checksum, author, comment, comment_bytes, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        key.accountId,
        projectId,
        environmentNumbers[key.environment],
        version,
        writtenAt,
        stateBytes,
        stored.depth,
        stored.checksum,
        encodeAuthor(author),
        text,
        commentBytes(text) || null,
        stored.state,
      ],
    ),
    repeat && query(keepRepeat, keptRepeatValues(key.accountId, repeat, { version, writtenAt })),
  ]);
}

/**
 * Returns the outcome of a row. Undefined if nothing was written although the expectation held when the statement began: the account is
 * near its limit, another write came in between, which the next attempt sees, the text differs from the expected one, or an event must be
 * stored.
 */
function outcomeOf({ expectedVersion, next, stored }: Write, row: Row | undefined): PublicStateWritten | undefined {
  // No row: no such project.
  if (row === undefined) return noProject;
  if (row.written !== null) {
    const record = new KeptVersion(integerAt(row, 'written'), next, stored);
    return { kind: 'written', record, projectId: textAt(row, 'project_id') };
  }
  const currentVersion = row.is_present === true ? integerAt(row, 'version') : null;
  return currentVersion === expectedVersion ? undefined : { kind: 'conflict', currentVersion };
}

/**
 * The same for several environments of one account ($1), each given in $2 under its number `n`; $3 is the default limit of bytes, $4 the
 * room that the account must have left for all of them, including headroom, and $5 the version floor.
 *
 * A row locked by another transaction is skipped, and its write gets a separate statement. A statement that holds rows therefore never
 * waits for another one, no two block each other, and a contended environment does not delay the rest. Everything written to is locked by
 * then and exists; the INSERT never creates a row of an environment. It is used because it finds its rows by their key whatever the planner
 * assumes, which an UPDATE with a join does not promise.
 *
 * Why both forms: measured with a writer for each of 64 documents of one account, 2 KB each, on two cores with the database. If a commit
 * takes 1 ms longer, as on a disk over a network, this form makes 5,350 writes a second, and a statement each 3,100; if it takes 4 ms
 * longer, 4,380 and 1,210. It takes 46 µs of this process a write instead of 84. If commits cost nothing, it is 7 % slower. For writers of
 * one document there is no difference, since their writes are never combined. In this form a single write costs the database 27 % more
 * processor time (21 % with parameters instead of JSON), and one writer makes 16 % fewer writes a second.
 */
const writeTogetherStatement = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::text::json) AS given (n integer, slug text, environment smallint,
      expected bigint, written_at bigint, state_bytes bigint, depth smallint, checksum integer, basis integer,
      author text, comment text, comment_bytes bigint, hearers text, state text)
  ), target AS (
    SELECT given.n, given.environment, found.*, coalesce(storage_bytes_max, $3) AS bytes_max
    FROM accounts CROSS JOIN given JOIN LATERAL (
      SELECT project_id, version, is_present FROM environments
      WHERE environments.account_id = $1 AND environments.slug = given.slug AND environments.environment = given.environment
      LIMIT 1
    ) AS found ON true
    WHERE accounts.account_id = $1
  ), held AS (
    SELECT given.slug, given.environment, given.state_bytes + given.comment_bytes AS bytes, free.*
    FROM (SELECT 1 FROM target WHERE bytes_max = 0 OR ${storageBytesOf('$1')} + $4::bigint <= bytes_max LIMIT 1) AS room
    CROSS JOIN given JOIN LATERAL (
      SELECT project_id, version, is_present FROM environments
      WHERE environments.account_id = $1 AND environments.slug = given.slug AND environments.environment = given.environment
        AND environments.is_present = (given.expected IS NOT NULL)
        AND (given.expected IS NULL OR environments.version = given.expected)
        AND (given.hearers IS NULL OR environments.collecting = given.hearers)
        AND (given.basis IS NULL OR ${followsOn('given.environment', 'given.expected', 'given.basis')})
      LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS free ON true
  ), head AS (
    INSERT INTO environments (account_id, slug, environment, project_id, version, is_present, kept_bytes,
      user_version_floor, user_version_ceiling)
    SELECT $1, slug, environment, project_id, version, is_present, bytes, 0, 0 FROM held
    ON CONFLICT (account_id, slug, environment) DO UPDATE
    SET version = ${nextVersionSql('environments.version', '$5::bigint')}, is_present = true, kept_bytes = environments.kept_bytes + excluded.kept_bytes
    WHERE environments.project_id = excluded.project_id AND environments.version = excluded.version
      AND environments.is_present = excluded.is_present
    RETURNING slug, environment, project_id, version
  ), written AS (
    INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, depth,
      checksum, author, comment, comment_bytes, state)
    SELECT $1, project_id, environment, version, written_at, state_bytes, depth, checksum, author, comment,
      nullif(comment_bytes, 0), state
    FROM head JOIN given USING (slug, environment)
    RETURNING project_id, environment, version
  )
  SELECT n, project_id, target.version, is_present, written.version AS written
  FROM target LEFT JOIN written USING (project_id, environment)`;

/** Carries out writes of one account. An outcome is undefined if its write was skipped. */
async function writeTogether(
  query: Query,
  batch: readonly Write[],
  bytesMax: number,
  headroomBytes: number,
): Promise<(PublicStateWritten | undefined)[]> {
  const given = batch.map(({ key, expectedVersion, next, stored: { state, depth, checksum, basis } }, n) => {
    const comment = next.comment === null ? null : encodeText(next.comment);
    return {
      n,
      slug: key.slug,
      environment: environmentNumbers[key.environment],
      expected: expectedVersion,
      written_at: next.writtenAt,
      state_bytes: next.stateBytes,
      state,
      depth,
      checksum,
      basis,
      author: encodeAuthor(next.author),
      comment,
      comment_bytes: commentBytes(comment),
      hearers: next.hearers ?? null,
    };
  });
  const neededBytes = given.reduce((sum, one) => sum + one.state_bytes + one.comment_bytes, headroomBytes);
  const rows: Row[] = [];
  for (const row of await query(writeTogetherStatement, [
    (batch[0] as Write).key.accountId,
    JSON.stringify(given),
    bytesMax,
    neededBytes,
    Math.max(...batch.map(({ floor }) => floor)),
  ])) {
    rows[integerAt(row, 'n')] = row;
  }
  return batch.map((write, n) => outcomeOf(write, rows[n]));
}
