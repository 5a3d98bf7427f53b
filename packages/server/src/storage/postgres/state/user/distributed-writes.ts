/**
 * Writes of user state in a distributed database. Each statement is a single task of the account's machine, which it would not be if it
 * added rows beside other changes. The transaction asks no other machine.
 */
import type { Expectation } from '../../../contract/public-states.ts';
import type { NewUserState, UserStateKey } from '../../../contract/user-states.ts';
import type { ReplacedUserState } from '../../../history/replaced-user-state.ts';
import { integerAt, optionalIntegerAt, textAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { encodeText } from '../../../rows/stored-texts.ts';
import { parameters, valuesOf } from '../../connection/parameters.ts';
import type { Query, Row } from '../../connection/query.ts';
import { usagePartOf, usageParts } from '../../usage/usage-sums.ts';
import { addCounts, counts, joinMember, members } from '../../usage/user-counts.ts';
import { keepRepeat, keptRepeatValues } from '../repeats.ts';
import { type CreationValues, lockBucket, lookBeforeCreation, raiseCeiling } from './user-state-creation.ts';
import {
  addRecord,
  keepVersion,
  keptNames,
  keptValues,
  keptVersionOf,
  recordNames,
  recordOf,
  unlessThere,
} from './user-state-rows.ts';

const keeping = parameters(
  'accountId',
  'environment',
  'expectedVersion',
  'writtenAt',
  ...keptNames,
  'project_id',
  'record_id',
  'created_micros',
);
const keepsVersion = { names: keeping.names, text: keepVersion.values({ ...keeping.at, ...keptVersionOf(keeping.at) }) };

/** A replacement that was carried out, the row of its statement, and the version that it keeps. */
export interface Replaced {
  readonly row: Row;
  readonly version: number;
  readonly expectedVersion: number;
  readonly replaced: ReplacedUserState | undefined;
}

/** Whether a write takes several statements. */
export const hasSeveralSteps = (expected: Expectation, { repeat, before }: NewUserState): boolean =>
  expected.kind === 'absent' || repeat !== undefined || before?.version === expected.version;

/** Adds the rows of a replacement: the version that it keeps, and its key. */
export async function addReplaced(
  query: Query,
  { accountId, environment }: UserStateKey,
  { repeat, writtenAt }: NewUserState,
  { row, version, expectedVersion, replaced }: Replaced,
): Promise<void> {
  await Promise.all([
    replaced &&
      query(
        keepsVersion.text,
        valuesOf(keepsVersion, {
          accountId,
          environment: environmentNumbers[environment],
          expectedVersion,
          writtenAt,
          ...keptValues(replaced),
          project_id: textAt(row, 'project_id'),
          record_id: textAt(row, 'record_id'),
          created_micros: integerAt(row, 'created_micros'),
        }),
      ),
    repeat && query(keepRepeat, keptRepeatValues(accountId, repeat, { version, writtenAt })),
  ]);
}

/** A creation: its values, and those that follow from the id of the player. */
export interface Creation {
  readonly named: CreationValues;
  readonly bucket: number;
  readonly versionFloor: number;
}

/**
 * Creates a record, and returns a row like the statement that does so alone. The bucket is locked first, until the end of the transaction:
 * what follows sees the record, the player and its links as the last holder of the lock left them.
 */
export async function createInSteps(
  query: Query,
  key: UserStateKey,
  next: NewUserState,
  { named, bucket, versionFloor }: Creation,
): Promise<Row | undefined> {
  const place = [key.accountId, key.slug, environmentNumbers[key.environment]];
  // No row: no such project.
  const [floor] = await query(lockBucket, [...place, bucket, versionFloor]);
  if (floor === undefined) return undefined;
  const look = lookBeforeCreation[next.repeat === undefined ? 'plain' : 'once'];
  // No row: the project was deleted in the meantime.
  const [row] = await query(look.text, valuesOf(look, named));
  if (row === undefined || !mayCreate(row)) return row;
  const [projectId, version] = [textAt(floor, 'project_id'), integerAt(floor, 'version')];
  if (integerAt(row, 'user_version_ceiling') < version) {
    // No row: the project was deleted in the meantime.
    const raised = await query(raiseCeiling, [...place, version, projectId, versionFloor]);
    if (raised.length === 0) return row;
  }
  const isLinked = optionalIntegerAt(row, 'is_linked') ?? 0;
  // No row: a record was moved here.
  const created = await query(adding.text, valuesOf(adding, { ...named, projectId, version, isLinked }));
  if (created.length === 0) return row;
  await count(query, key, next, { projectId, bucket, isLinked });
  const { repeat, writtenAt } = next;
  if (repeat !== undefined) await query(keepRepeat, keptRepeatValues(key.accountId, repeat, { version, writtenAt }));
  return { ...row, written: version };
}

const mayCreate = (row: Row): boolean =>
  row.has_ended !== true &&
  row.version === null &&
  row.is_linked !== 0 &&
  row.has_room === true &&
  (row.repeated_version ?? null) === null;

const record = parameters(...recordNames, 'projectId', 'version', 'isLinked');
const adding = {
  names: record.names,
  text: `${addRecord.values(recordOf(record.at, record.at))} ${unlessThere} RETURNING version`,
};

/** Counts a new record, and its player if it is the first. */
async function count(
  query: Query,
  { accountId, environment, playerId }: UserStateKey,
  { stateBytes }: NewUserState,
  { projectId, bucket, isLinked }: { readonly projectId: string; readonly bucket: number; readonly isLinked: number },
): Promise<void> {
  const bit = 2 ** environmentNumbers[environment];
  // One row, always.
  const [member = {}] = await query(`${members.statement.text} ${joinMember} RETURNING environments`, [
    accountId,
    projectId,
    encodeText(playerId),
    bit,
  ]);
  const part = usagePartOf(bucket, playerId);
  // A guest who has signed up is counted as a player.
  await query(`${counts.statement.text} ${addCounts}`, [
    accountId,
    projectId,
    isLinked === 1 ? part % usageParts : part,
    integerAt(member, 'environments') === bit ? 1 : 0,
    stateBytes,
  ]);
}
