/**
 * Writes of user state in a distributed database. Each statement is a single task of the account's machine, which it would not be if it
 * added rows beside other changes. The transaction asks no other machine.
 */
import { randomUUID } from 'node:crypto';
import type { NewUserState, UserStateKey } from '../../../contract/user-states.ts';
import type { ReplacedUserState } from '../../../history/replaced-user-state.ts';
import { integerAt, optionalIntegerAt, textAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { encodeUserStateAuthor } from '../../../rows/state-rows.ts';
import { encodeOptional, encodeText } from '../../../rows/stored-texts.ts';
import { valuesOf } from '../../connection/parameters.ts';
import type { Query, Row, Value } from '../../connection/query.ts';
import { usagePartOf, usageParts } from '../../usage/usage-sums.ts';
import { keepRepeat, keptRepeatValues } from '../repeats.ts';
import { type CreationValues, lockBucket, lookBeforeCreation, raiseCeiling } from './user-state-creation.ts';

const keepVersion = `
  INSERT INTO user_state_versions (account_id, project_id, record_id, version, created_micros, environment, form, checksum, written_at,
    replaced_at, state_bytes, author, comment, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

/** Adds the rows of a write that has replaced a record, whose result is `row`: the version that it keeps, and its key. */
export async function addReplaced(
  query: Query,
  { accountId, environment }: UserStateKey,
  { repeat, writtenAt }: NewUserState,
  write: {
    readonly row: Row;
    readonly version: number;
    readonly expectedVersion: number;
    readonly replaced: ReplacedUserState | undefined;
  },
): Promise<void> {
  const { row, version, expectedVersion, replaced } = write;
  await Promise.all([
    replaced &&
      query(keepVersion, [
        accountId,
        textAt(row, 'project_id'),
        textAt(row, 'record_id'),
        expectedVersion,
        integerAt(row, 'created_micros'),
        environmentNumbers[environment],
        replaced.form,
        replaced.checksum,
        replaced.writtenAt,
        writtenAt,
        replaced.stateBytes,
        replaced.author,
        replaced.comment,
        replaced.state,
      ]),
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
  const created = await query(addRecord, recordValues(key, next, { projectId, version, isLinked }));
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

const addRecord = `
  INSERT INTO user_states (account_id, project_id, environment, end_user_id, record_id, created_micros, created_at, updated_at, version,
    state_bytes, grown_bytes, state, author, comment, history_version, is_linked)
  VALUES ($1, $2, $3, $4, $5, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, $6, $6, $7, $8, $8, $9, $10, $11, $7, $12)
  ON CONFLICT (account_id, project_id, end_user_id, environment) DO NOTHING
  RETURNING version`;

const recordValues = (
  { accountId, environment, playerId }: UserStateKey,
  next: NewUserState,
  { projectId, version, isLinked }: { readonly projectId: string; readonly version: number; readonly isLinked: number },
): Value[] => [
  accountId,
  projectId,
  environmentNumbers[environment],
  encodeText(playerId),
  randomUUID(),
  next.writtenAt,
  version,
  next.stateBytes,
  next.stateText,
  encodeUserStateAuthor(next.author ?? null),
  encodeOptional(next.comment ?? null),
  isLinked,
];

/** Counts a new record, and its player if it is the first. */
async function count(
  query: Query,
  { accountId, environment, playerId }: UserStateKey,
  { stateBytes }: NewUserState,
  { projectId, bucket, isLinked }: { readonly projectId: string; readonly bucket: number; readonly isLinked: number },
): Promise<void> {
  const bit = 2 ** environmentNumbers[environment];
  // One row, always.
  const [member = {}] = await query(
    `INSERT INTO end_users (account_id, project_id, end_user_id, environments) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, project_id, end_user_id) DO UPDATE SET environments = end_users.environments | excluded.environments
     RETURNING environments`,
    [accountId, projectId, encodeText(playerId), bit],
  );
  const part = usagePartOf(bucket, playerId);
  // A guest who has signed up is counted as a player.
  await query(
    `INSERT INTO user_usage (account_id, project_id, part, end_users, bytes) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, project_id, part) DO UPDATE
     SET end_users = user_usage.end_users + excluded.end_users, bytes = user_usage.bytes + excluded.bytes`,
    [
      accountId,
      projectId,
      isLinked === 1 ? part % usageParts : part,
      integerAt(member, 'environments') === bit ? 1 : 0,
      stateBytes,
    ],
  );
}
