/** End-user state: one row for each end user and environment, replaced in place. */

import { randomUUID } from 'node:crypto';
import { recordSaveWrite } from '../../cold/audit.ts';
import { integerAt, optionalIntegerAt } from '../../columns.ts';
import { isGuestId } from '../../guest-ids.ts';
import { endUserName } from '../../record-names.ts';
import { encodeText, environmentNumbers, noProject, outcomeOf, toUserState } from '../../rows.ts';
import type { Expectation, ReadOutcome, WriteOutcome } from '../../store.ts';
import type { QuotaLimits } from '../../usage-store.ts';
import type { NewUserState, UserState, UserStateKey, UserStateStore } from '../../user-state-store.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Query, type Row, type Value } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { takeSteps } from '../steps.ts';
import { bucketOf, usagePartOf } from '../usage/usage-sums.ts';
import { currentUserVersions } from './current-versions.ts';
import type { Headroom, NearLimit } from './guarded-writes.ts';
import { repeatedOf, repeatValues } from './repeats.ts';
import { listUserStates } from './user-state-pages.ts';
import { createRecord, createRecordOnce, replaceRecord, replaceRecordOnce } from './user-state-statements.ts';

/** Returns the methods of the store that keep end-user state. */
export function createUserStates(dependencies: Dependencies): Omit<UserStateStore, 'deleteEndUser'> {
  const { database, queues, writes } = dependencies;
  return {
    readUserState: (key) => read(database, key),
    writeUserState(key, expected, next) {
      const { by, comment = null } = next;
      const carryOut = by === undefined ? writes.write : writes.writeInTransaction;
      const owner = { accountId: key.accountId, isGuest: isGuestId(key.endUserId) };
      return queues.run(endUserName(key, key.endUserId), () =>
        carryOut(owner, async (query, headroom) => {
          const outcome = await (expected.kind === 'version'
            ? replace(query, dependencies, key, expected, next, headroom)
            : create(query, dependencies, key, next, headroom));
          if (by !== undefined && outcome.kind === 'written') {
            await takeSteps(query, recordSaveWrite(key, by, { version: outcome.version, comment }));
          }
          return outcome;
        }),
      );
    },
    currentUserVersions: (keys) => currentUserVersions(database, keys),
    listUserStates: (key, page) => listUserStates(database, key, page),
  };
}

async function read(
  database: Database,
  { accountId, slug, environment, endUserId }: UserStateKey,
): Promise<ReadOutcome<UserState>> {
  // No row: no such project. A row without `version`: the end user has no state here.
  const [row] = await database.query(
    `SELECT user_states.version, state_bytes, state
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN user_states ON user_states.account_id = environments.account_id
       AND user_states.project_id = environments.project_id AND user_states.environment = environments.environment
       AND user_states.end_user_id = $4
     WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3`,
    [accountId, slug, environmentNumbers[environment], encodeText(endUserId)],
  );
  return outcomeOf(row, toUserState);
}

/** The values that both writes begin with: `$1` to `$9`. */
function commonValues(
  { bucketSecret, quotas }: Dependencies,
  key: UserStateKey,
  { stateText, stateBytes, writtenAt }: NewUserState,
  headroom: Headroom,
): Value[] {
  const part = usagePartOf(bucketOf(bucketSecret, key), key.endUserId);
  return [
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
    encodeText(key.endUserId),
    stateBytes,
    stateText,
    writtenAt,
    part,
    ...limitValues(quotas, headroom),
  ];
}

const limitValues = (quotas: QuotaLimits, headroom: Headroom): Value[] => [quotas.storageBytes, headroom.bytes];

async function replace(
  query: Query,
  dependencies: Dependencies,
  key: UserStateKey,
  { version: expectedVersion }: Extract<Expectation, { kind: 'version' }>,
  next: NewUserState,
  headroom: Headroom,
): Promise<WriteOutcome | NearLimit> {
  const { repeat } = next;
  const values = [...commonValues(dependencies, key, next, headroom), expectedVersion, ...repeatValues(repeat)];
  const statement = repeat === undefined ? replaceRecord : replaceRecordOnce;
  return decided(async () => {
    // No row: no such project. A row that is not `is_written`: the expectation does not hold, or the account is near its limit,
    // or another write has come in between, which the next look shows.
    const [row] = await query(statement, values);
    if (row === undefined) return noProject;
    const repeated = repeatedOf(row, repeat);
    if (repeated !== undefined) return repeated;
    if (row.is_written === true) return { kind: 'written', version: expectedVersion + 1 };
    const currentVersion = optionalIntegerAt(row, 'version');
    if (currentVersion !== expectedVersion) return { kind: 'conflict', currentVersion };
    return integerAt(row, 'bytes_max') > 0 ? nearLimit(next, row) : undefined;
  });
}

/** A longer record comes nearer to the limit by the difference. */
const nearLimit = ({ stateBytes }: NewUserState, row: Row): NearLimit => ({
  kind: 'near_limit',
  bytes: stateBytes - (optionalIntegerAt(row, 'state_bytes') ?? 0),
  endUsers: row.is_new === true ? 1 : 0,
});

async function create(
  query: Query,
  dependencies: Dependencies,
  key: UserStateKey,
  next: NewUserState,
  headroom: Headroom,
): Promise<WriteOutcome | NearLimit> {
  const { repeat } = next;
  const bucket = bucketOf(dependencies.bucketSecret, key);
  const values = [
    ...commonValues(dependencies, key, next, headroom),
    bucket,
    2 ** environmentNumbers[key.environment],
    randomUUID(),
    dependencies.quotas.endUsers,
    headroom.endUsers,
    ...repeatValues(repeat),
  ];
  const statement = repeat === undefined ? createRecord : createRecordOnce;
  return decided(async () => {
    // No row: no such project. A row without `written`: there is a record, or the account is near a limit, or another write
    // has come in between, which the next look shows.
    const [row] = await query(statement, values);
    if (row === undefined) return noProject;
    const repeated = repeatedOf(row, repeat);
    if (repeated !== undefined) return repeated;
    if (row.written !== null) return { kind: 'written', version: integerAt(row, 'written') };
    if (row.version !== null) return { kind: 'conflict', currentVersion: integerAt(row, 'version') };
    const isLimited = integerAt(row, 'bytes_max') > 0 || integerAt(row, 'end_users_max') > 0;
    return isLimited ? nearLimit(next, row) : undefined;
  });
}
