/** A write of public state in a statement of its own. */
import { encodeAuthor, encodeVersion } from '../../../history/versions.ts';
import { integerAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { commentBytes, encodeOptional } from '../../../rows/stored-texts.ts';
import { type NamedValues, valuesOf } from '../../connection/parameters.ts';
import { decided, type Query } from '../../connection/query.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { NearLimit } from '../guarded-writes.ts';
import { keepRepeat, keptRepeatValues, repeatedOf, repeatValues } from '../repeats.ts';
import { outcomeOf, type PublicStateWrite, type PublicStateWritten } from './public-state-outcomes.ts';
import { headWrites, type PublicStateWriteName, wholeWrites } from './public-state-statements.ts';

/** For one of the webhooks, no change is waiting any more: nothing is written. */
export interface Uncollected {
  readonly kind: 'uncollected';
}

/** How close to its limit the account may come, and the webhooks for which a change must be waiting. */
export interface WriteBounds {
  readonly headroomBytes: number;
  readonly hearers?: string;
}

/** Returns the values of a write that cannot be repeated. */
export function writeValues(
  { key, expectedVersion, next, stored, floor }: PublicStateWrite,
  bytesMax: number,
  { headroomBytes, hearers = undefined }: WriteBounds,
): NamedValues<PublicStateWriteName> {
  const comment = encodeOptional(next.comment);
  return {
    accountId: key.accountId,
    slug: key.slug,
    environment: environmentNumbers[key.environment],
    expectedVersion,
    stateBytes: next.stateBytes,
    bytesMax,
    headroomBytes,
    commentBytes: commentBytes(comment),
    basis: stored.basis,
    versionFloor: floor,
    hearers: hearers ?? null,
    storedText: stored.state,
    comment,
    writtenAt: next.writtenAt,
    author: encodeAuthor(next.author),
    depth: stored.depth,
    checksum: stored.checksum,
  };
}

/** The bytes that a write adds to the account's storage. */
const bytesOf = ({ next: { stateBytes, comment } }: PublicStateWrite): number =>
  stateBytes + commentBytes(encodeOptional(comment));

/** Carries out a write, in a distributed database as the first of two statements. */
export function writeSingle(
  query: Query,
  { isDistributed, quotas }: Pick<Dependencies, 'isDistributed' | 'quotas'>,
  write: PublicStateWrite,
  bounds: WriteBounds,
): Promise<PublicStateWritten | NearLimit | Uncollected> {
  const { repeat } = write.next;
  const ways = isDistributed ? headWrites : wholeWrites;
  const statement = repeat === undefined ? ways.plain : ways.once;
  return decided(async () => {
    const values = writeValues(write, quotas.storageBytes, bounds);
    const named = repeat === undefined ? values : { ...values, ...repeatValues(repeat) };
    // No row: no such project.
    const [row] = await query(statement.text, valuesOf(statement, named));
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
  { key, next: { repeat, writtenAt, author, comment, stateBytes }, stored }: PublicStateWrite,
  { record: { version }, projectId }: Extract<PublicStateWritten, { kind: 'written' }>,
): Promise<void> {
  const text = encodeOptional(comment);
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
