/** A write of public state in a statement of its own. */

import type { SubscriberIds } from '../../../contract/webhooks.ts';
import { encodeVersion } from '../../../history/versions.ts';
import { integerAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { type NamedValues, valuesOf } from '../../connection/parameters.ts';
import { decided, type Query } from '../../connection/query.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { NearLimit } from '../guarded-writes.ts';
import { repeatedOf, repeatValues } from '../repeats.ts';
import { outcomeOf, type PublicStateWrite, type PublicStateWritten } from './public-state-outcomes.ts';
import { bytesOf, versionValues } from './public-state-sql.ts';
import type { PublicStateWriteName } from './public-state-statements.ts';

/** For one of the webhooks, no change is waiting any more: nothing is written. */
export interface Uncollected {
  readonly kind: 'uncollected';
}

/** How close to its limit the account may come, and the webhooks for which a change must be waiting. */
export interface WriteBounds {
  readonly marginBytes: number;
  readonly subscribers?: SubscriberIds;
}

/** Returns the values of a write that cannot be repeated. */
export function writeValues(
  write: PublicStateWrite,
  bytesMax: number,
  { marginBytes, subscribers = undefined }: WriteBounds,
): NamedValues<PublicStateWriteName> {
  const { key, expectedVersion, stored, floor } = write;
  return {
    accountId: key.accountId,
    slug: key.slug,
    environment: environmentNumbers[key.environment],
    expectedVersion,
    bytesMax,
    marginBytes,
    basis: stored.basis,
    versionFloor: floor,
    subscribers: subscribers ?? null,
    ...versionValues(write),
  };
}

/** Carries out a write: in one statement, or in a transaction of the layout's statements. */
export function writeSingle(
  query: Query,
  { layout, quotas }: Pick<Dependencies, 'layout' | 'quotas'>,
  given: PublicStateWrite,
  bounds: WriteBounds,
): Promise<PublicStateWritten | NearLimit | Uncollected> {
  const { repeat } = given.next;
  const statement = layout.publicStatements[repeat === undefined ? 'plain' : 'once'];
  let write = given;
  return decided(async () => {
    const values = writeValues(write, quotas.storageBytes, bounds);
    const named = repeat === undefined ? values : { ...values, ...repeatValues(repeat) };
    // No row: no such project.
    const [row] = await query(statement.text, valuesOf(statement, named));
    const outcome = repeatedOf(row, repeat) ?? outcomeOf(write, row);
    const added = outcome?.kind === 'written' ? layout.addWritten(query, write, outcome) : undefined;
    if (added !== undefined) await added;
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
