/** User state: one row for each player and environment, replaced in place. */

import { randomUUID } from 'node:crypto';
import { playerHash } from '../../../../common/ids/player-hash.ts';
import { playerName } from '../../../caches/record-names.ts';
import type { UserStateVerbs } from '../../../contract/engine-verbs.ts';
import { isGuestId } from '../../../contract/guests.ts';
import type { Expectation, ReadOutcome, WriteOutcome } from '../../../contract/public-states.ts';
import type { NewUserState, UserState, UserStateKey } from '../../../contract/user-states.ts';
import { droppedAtWrite, type ReplacedUserState, replacedUserState } from '../../../history/replaced-user-state.ts';
import { nextVersion } from '../../../history/version-floors.ts';
import { integerAt, optionalIntegerAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { encodeUserStateAuthor, noProject, outcomeOf, toUserState, userStateColumns } from '../../../rows/state-rows.ts';
import { encodeOptional, encodeText } from '../../../rows/stored-texts.ts';
import { recordUserStateWrite } from '../../../sql/audit/audit.ts';
import { dropOldVersions } from '../../../sql/states/user-state-retention.ts';
import { storeNewGuest } from '../../../sql/webhooks/webhook-queue.ts';
import type { Database } from '../../connection/database.ts';
import { type NamedValues, valuesOf } from '../../connection/parameters.ts';
import { decided, type Query, type Row } from '../../connection/query.ts';
import type { Dependencies } from '../../dependencies.ts';
import { engineSql } from '../../engine-sql.ts';
import { takeSteps } from '../../steps.ts';
import { bucketOf, usagePartOf } from '../../usage/usage-sums.ts';
import { currentUserVersions } from '../current-versions.ts';
import type { Margin, NearLimit } from '../guarded-writes.ts';
import { repeatedOf, repeatValues } from '../repeats.ts';
import { writePathOf } from '../write-paths.ts';
import type { CreationValues } from './user-state-creation.ts';
import { listUserStates } from './user-state-pages.ts';
import type { ReplacementValues } from './user-state-replacement.ts';
import { keptValues } from './user-state-rows.ts';
import type { common } from './user-state-sql.ts';

/** Returns the store methods of user state. */
export function createUserStates(dependencies: Dependencies): UserStateVerbs {
  const { database, queues, writes, layout } = dependencies;
  return {
    readUserState: (key) => read(database, key),
    writeUserState(key, expected, next) {
      const { by, comment = null, subscribers } = next;
      const carryOut = writes.carryOut[writePathOf(next, layout.userConditions(expected, next))];
      const owner = { accountId: key.accountId, isGuest: isGuestId(key.playerId) };
      return queues.run(playerName(key, key.playerId), async () => {
        const written = await carryOut(owner, async (query, margin) => {
          const outcome = await (expected.kind === 'version'
            ? replace(query, dependencies, key, expected, next, margin)
            : create(query, dependencies, key, next, margin));
          if (
            subscribers !== undefined &&
            owner.isGuest &&
            outcome.kind === 'written' &&
            (await isFirstState(query, key))
          ) {
            await takeSteps(query, storeNewGuest(key, key.playerId, next.writtenAt));
          }
          if (by !== undefined && outcome.kind === 'written') {
            await takeSteps(query, recordUserStateWrite(key, by, { version: outcome.version, comment }));
          }
          return outcome;
        });
        if (written.kind === 'written') await checkStored(dependencies, key, written.version, next);
        return written;
      });
    },
    currentUserVersions: (keys) => currentUserVersions(database, keys),
    listUserStates: (key, page) => listUserStates(database, key, page),
  };
}

/** Whether the state that was just written is the player's only one in the project. */
async function isFirstState(query: Query, { accountId, slug, playerId }: UserStateKey): Promise<boolean> {
  // One or two rows.
  const rows = await query(
    `SELECT 1 AS found FROM user_states JOIN projects USING (account_id, project_id)
     WHERE account_id = $1 AND slug = $2 AND end_user_id = $3 LIMIT 2`,
    [accountId, slug, encodeText(playerId)],
  );
  return rows.length === 1;
}

/** Drops versions that are no longer kept, after some of the writes. Versions that cannot be dropped now are left to the sweep. */
async function checkStored(
  { database, bucketSecret }: Dependencies,
  key: UserStateKey,
  version: number,
  { retention }: NewUserState,
): Promise<void> {
  const kept = droppedAtWrite(version, retention);
  if (kept === undefined) return;
  const drop = (query: Query) => takeSteps(query, dropOldVersions({ engine: engineSql(bucketSecret) }, key, kept));
  await database.transaction('read committed', drop).catch(() => undefined);
}

async function read(
  database: Database,
  { accountId, slug, environment, playerId }: UserStateKey,
): Promise<ReadOutcome<UserState>> {
  // No row: no such project. A row without `version`: the player has no state here.
  const [row] = await database.query(
    `SELECT ${userStateColumns.replace('version', 'user_states.version')}
     FROM accounts
     JOIN environments ON environments.account_id = accounts.account_id
     LEFT JOIN user_states ON user_states.account_id = environments.account_id
       AND user_states.project_id = environments.project_id AND user_states.environment = environments.environment
       AND user_states.end_user_id = $4
     WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3`,
    [accountId, slug, environmentNumbers[environment], encodeText(playerId)],
  );
  return outcomeOf(row, toUserState);
}

/** The values that both writes have. */
function commonValues(
  { bucketSecret, quotas }: Dependencies,
  key: UserStateKey,
  { stateBytes }: NewUserState,
  margin: Margin,
): NamedValues<(typeof common.names)[number]> {
  return {
    accountId: key.accountId,
    slug: key.slug,
    environment: environmentNumbers[key.environment],
    playerId: encodeText(key.playerId),
    stateBytes,
    part: usagePartOf(bucketOf(bucketSecret, key), key.playerId),
    bytesMax: quotas.storageBytes,
    marginBytes: margin.bytes,
  };
}

async function replace(
  query: Query,
  dependencies: Dependencies,
  key: UserStateKey,
  { version: expectedVersion }: Extract<Expectation, { kind: 'version' }>,
  next: NewUserState,
  margin: Margin,
): Promise<WriteOutcome | NearLimit> {
  const { repeat } = next;
  const floor = dependencies.marks().versionFloor;
  const replaced = next.before?.version === expectedVersion ? replacedUserState(next, floor) : undefined;
  const { layout } = dependencies;
  const forms = layout.replacements[replaced === undefined ? 'dropping' : 'keeping'];
  const statement = forms[repeat === undefined ? 'plain' : 'once'];
  const named: ReplacementValues = {
    ...commonValues(dependencies, key, next, margin),
    ...writtenValues(key, next),
    expectedVersion,
    versionFloor: floor,
    ...(replaced && { keptBytes: replaced.bytes, ...keptValues(replaced) }),
    ...repeatValues(repeat),
  };
  const values = valuesOf(statement, named);
  return decided(async () => {
    // No row: no such project. A row that is not `is_written`: the expectation does not hold, the account is near its limit, or another
    // write has come in between, which the next look shows.
    const [row] = await query(statement.text, values);
    if (row === undefined) return noProject;
    if (row.has_ended === true) return { kind: 'token_ended' };
    const repeated = repeatedOf(row, repeat);
    if (repeated !== undefined) return repeated;
    if (row.is_written === true) {
      const version = nextVersion(expectedVersion, floor);
      const added = layout.addReplaced(query, key, next, { row, version, expectedVersion, replaced });
      if (added !== undefined) await added;
      return { kind: 'written', version };
    }
    const currentVersion = optionalIntegerAt(row, 'version');
    if (currentVersion !== expectedVersion) return { kind: 'conflict', currentVersion };
    if (integerAt(row, 'bytes_max') === 0) return undefined;
    const isShorter = next.stateBytes <= integerAt(row, 'state_bytes');
    if (replaced === undefined || !isShorter || margin.bytes > 0) return nearLimit(next, row, replaced);
    // The state fits, but the version that it replaces cannot be kept: it and all earlier versions are dropped.
    return replace(
      query,
      dependencies,
      key,
      { kind: 'version', version: expectedVersion },
      { ...next, retention: undefined },
      margin,
    );
  });
}

/** The new state, and the token of the player if one is checked. */
const writtenValues = ({ accountId, playerId }: UserStateKey, next: NewUserState) => ({
  stateText: next.stateText,
  writtenAt: next.writtenAt,
  author: encodeUserStateAuthor(next.author ?? null),
  comment: encodeOptional(next.comment ?? null),
  epoch: next.epoch ?? null,
  playerHash: next.epoch === undefined ? null : playerHash(accountId, playerId),
});

/** A longer record comes closer to the limit by the difference, and by the size of the kept version. */
const nearLimit = ({ stateBytes }: NewUserState, row: Row, replaced?: ReplacedUserState): NearLimit => ({
  kind: 'near_limit',
  bytes: stateBytes - (optionalIntegerAt(row, 'state_bytes') ?? 0) + (replaced?.bytes ?? 0),
  players: row.is_new === true ? 1 : 0,
  isLinked: row.is_linked === 1,
});

async function create(
  query: Query,
  dependencies: Dependencies,
  key: UserStateKey,
  next: NewUserState,
  margin: Margin,
): Promise<WriteOutcome | NearLimit> {
  const { repeat } = next;
  const bucket = bucketOf(dependencies.bucketSecret, key);
  const { versionFloor } = dependencies.marks();
  const named: CreationValues = {
    ...commonValues(dependencies, key, next, margin),
    ...writtenValues(key, next),
    playersMax: dependencies.quotas.endUsers,
    marginPlayers: margin.players,
    versionFloor,
    bucket,
    environmentBit: 2 ** environmentNumbers[key.environment],
    recordId: randomUUID(),
    ...repeatValues(repeat),
  };
  const creation = { bucket, versionFloor, named };
  return decided(async () => {
    // No row: no such project. A row without `written`: there is a record, the account is near a limit, or another write has come in
    // between, which the next look shows.
    const row = await dependencies.layout.create(query, key, next, creation);
    if (row === undefined) return noProject;
    if (row.has_ended === true) return { kind: 'token_ended' };
    const repeated = repeatedOf(row, repeat);
    if (repeated !== undefined) return repeated;
    if (row.written !== null) return { kind: 'written', version: integerAt(row, 'written') };
    if (row.version !== null) return { kind: 'conflict', currentVersion: integerAt(row, 'version') };
    if (row.is_linked === 0) return { kind: 'ended' };
    const isLimited = integerAt(row, 'bytes_max') > 0 || integerAt(row, 'end_users_max') > 0;
    return isLimited ? nearLimit(next, row) : undefined;
  });
}
