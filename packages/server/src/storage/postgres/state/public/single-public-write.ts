/** A write of public state in a statement of its own. */
import { encodeVersion } from '../../../history/versions.ts';
import { integerAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { type NamedValues, valuesOf } from '../../connection/parameters.ts';
import { decided, type Query } from '../../connection/query.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { NearLimit } from '../guarded-writes.ts';
import { keepRepeat, keptRepeatValues, repeatedOf, repeatValues } from '../repeats.ts';
import { outcomeOf, type PublicStateWrite, type PublicStateWritten } from './public-state-outcomes.ts';
import { appendVersion, bytesOf, versionValues } from './public-state-sql.ts';
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
  write: PublicStateWrite,
  bytesMax: number,
  { headroomBytes, hearers = undefined }: WriteBounds,
): NamedValues<PublicStateWriteName> {
  const { key, expectedVersion, stored, floor } = write;
  return {
    accountId: key.accountId,
    slug: key.slug,
    environment: environmentNumbers[key.environment],
    expectedVersion,
    bytesMax,
    headroomBytes,
    basis: stored.basis,
    versionFloor: floor,
    hearers: hearers ?? null,
    ...versionValues(write),
  };
}

/** Carries out a write, in a distributed database as the first of two statements. */
export function writeSingle(
  query: Query,
  { isDistributed, quotas }: Pick<Dependencies, 'isDistributed' | 'quotas'>,
  given: PublicStateWrite,
  bounds: WriteBounds,
): Promise<PublicStateWritten | NearLimit | Uncollected> {
  const { repeat } = given.next;
  const ways = isDistributed ? headWrites : wholeWrites;
  const statement = repeat === undefined ? ways.plain : ways.once;
  let write = given;
  return decided(async () => {
    const values = writeValues(write, quotas.storageBytes, bounds);
    const named = repeat === undefined ? values : { ...values, ...repeatValues(repeat) };
    // No row: no such project.
    const [row] = await query(statement.text, valuesOf(statement, named));
    const outcome = repeatedOf(row, repeat) ?? outcomeOf(write, row);
    if (isDistributed && outcome?.kind === 'written') await append(query, write, outcome);
    if (outcome !== undefined) return outcome;
    if (row?.follows === false) {
      // The database has another text for the expected version: the next attempt stores a whole one.
      write = { ...given, stored: encodeVersion(given.next, undefined, given.floor) };
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
  write: PublicStateWrite,
  { record: { version }, projectId }: Extract<PublicStateWritten, { kind: 'written' }>,
): Promise<void> {
  const { accountId, environment } = write.key;
  const { repeat, writtenAt } = write.next;
  const stored = versionValues(write);
  const { statement } = appendVersion;
  await Promise.all([
    query(
      statement.text,
      valuesOf(statement, {
        account_id: accountId,
        project_id: projectId,
        environment: environmentNumbers[environment],
        version,
        ...stored,
        comment_bytes: stored.comment_bytes || null,
      }),
    ),
    repeat && query(keepRepeat, keptRepeatValues(accountId, repeat, { version, writtenAt })),
  ]);
}
