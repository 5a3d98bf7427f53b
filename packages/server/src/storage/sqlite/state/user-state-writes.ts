import type { DatabaseSync } from 'node:sqlite';
import { playerHash } from '../../../common/ids/player-hash.ts';
import { isGuestId } from '../../contract/guests.ts';
import type { WriteOutcome } from '../../contract/public-states.ts';
import type { QuotaReached } from '../../contract/usage.ts';
import type { VersionRetention } from '../../contract/user-states.ts';
import {
  droppedAtWrite,
  type ReplacedUserState,
  replacedColumns,
  replacedValues,
} from '../../history/replaced-user-state.ts';
import { nextVersion, versionMax } from '../../history/version-floors.ts';
import { integerAt, optionalIntegerAt, type Row } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { noProject } from '../../rows/state-rows.ts';
import { decodeText, encodeText } from '../../rows/stored-texts.ts';
import { recordUserStateWrite } from '../../sql/audit/audit.ts';
import { dropVersions } from '../../sql/states/user-state-rows.ts';
import { runNow } from '../../sql/steps.ts';
import { storeNewGuest } from '../../sql/webhooks/webhook-queue.ts';
import { headKey, headKeySql } from '../schema/head-keys.ts';
import { statements } from '../steps.ts';
import type { UsageTotals } from '../usage/usage-totals.ts';
import type { Commands } from '../writer/commands.ts';
import { type UserStateWrite, userStateWrite } from '../writer/state-writes.ts';
import { encodeWriteOutcome } from '../writer/write-outcomes.ts';
import { PlayerBuckets } from './player-buckets.ts';
import type { RepeatWrites } from './repeats.ts';
import { userStateSteps } from './user-state-steps.ts';

/** There is room for a replacement. */
interface Room {
  readonly kind: 'room';
  /** The growth of the account's usage. */
  readonly addedBytes: number;
  /** The version to keep; undefined: none, and earlier ones are dropped. */
  readonly replaced: ReplacedUserState | undefined;
}

/** The cached data that all players of one environment share. */
interface EnvironmentOfUsers {
  readonly projectId: number;
  readonly headKey: number;
  /** Every new record starts above this. */
  readonly floor: number;
  /** When tokens of any player of the project last ended; 0 for never. */
  readonly lastEndedAt: number;
  /** No version has ever exceeded this. */
  ceiling: number;
}

/** The maximum number of cached environments; about 200 bytes each. */
const environmentsMax = 50_000;

/**
 * The writes of user state, on the writer thread. Cached environments are valid under the same rule as in `PublicStateWrites`, and the
 * writer calls `forget` on the same occasions.
 */
export class UserStateWrites {
  readonly #environments = new Map<string, EnvironmentOfUsers>();
  readonly #buckets: PlayerBuckets;
  readonly #usage: UsageTotals;
  readonly #repeats: RepeatWrites;
  readonly #findEnvironment;
  readonly #findRecord;
  readonly #findAnywhere;
  readonly #findFloor;
  readonly #update;
  readonly #insert;
  readonly #keep;
  readonly #uncount;
  readonly #putBounds;
  readonly #findPlayer;
  readonly #findEnding;
  readonly #query;

  constructor(database: DatabaseSync, usage: UsageTotals, repeats: RepeatWrites) {
    this.#buckets = new PlayerBuckets(database);
    this.#usage = usage;
    this.#query = statements(database);
    this.#repeats = repeats;
    // No row: no such project. A row without bounds: no player has ever written to this environment.
    this.#findEnvironment = database.prepare(`
      SELECT project_id, version_floor, version_ceiling,
        (SELECT max(ended_at) FROM player_endings WHERE account_id = ?1 AND slug = ?2) AS ended_here,
        (SELECT max(ended_at) FROM player_endings WHERE account_id = ?1 AND slug = '') AS ended_everywhere
      FROM accounts
      JOIN projects USING (account_id)
      LEFT JOIN user_versions ON head_key = ${headKeySql('projects.project_id', '?3')}
      WHERE account_id = ?1 AND slug = ?2`);
    // No row: the player has no state here.
    this.#findRecord = database.prepare(
      `SELECT sequence, version, state_bytes, history_bytes, is_linked FROM user_states
       WHERE project_id = ? AND end_user_id = ? AND environment = ?`,
    );
    // No row: the player has state in no environment of the project.
    this.#findAnywhere = database.prepare('SELECT 1 FROM user_states WHERE project_id = ? AND end_user_id = ? LIMIT 1');
    // No row: no player of this bucket was ever deleted here.
    this.#findFloor = database.prepare('SELECT version FROM end_user_floors WHERE head_key = ? AND bucket = ?');
    // One row, always: it was found in the same transaction.
    this.#update = database.prepare(
      `UPDATE user_states
       SET version = ?2, updated_at = ?3, state_bytes = ?4, state = CAST(?5 AS TEXT), author = ?6, comment = ?7, history_version = ?2,
         history_bytes = ?8
       WHERE sequence = ?1`,
    );
    // One row, always.
    this.#keep = database.prepare(`
      INSERT INTO user_state_versions (record_id, ${replacedColumns.join(', ')})
      VALUES (?, ${replacedColumns.map(() => '?').join(', ')})`);
    // One row, always.
    this.#uncount = database.prepare('UPDATE user_states SET history_bytes = history_bytes - ? WHERE sequence = ?');
    // One row, always.
    this.#insert = database.prepare(`
      INSERT INTO user_states
        (project_id, environment, end_user_id, version, updated_at, created_at, state_bytes, state, author, comment, history_version, is_linked)
      VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, CAST(?7 AS TEXT), ?8, ?9, ?4, ?10)`);
    // No row: nothing was linked.
    this.#findPlayer = database.prepare('SELECT player_id FROM player_links WHERE account_id = ? AND subject = ?');
    // No row: no token of this epoch or a later one has ended.
    this.#findEnding = database.prepare(`
      SELECT 1 FROM player_endings WHERE account_id = ? AND player_hash = ? AND slug IN (?, '') AND environment IN (?, -1) AND ended_at > ?
      LIMIT 1`);
    // One row, always.
    this.#putBounds = database.prepare(`
      INSERT INTO user_versions (head_key, version_floor, version_ceiling) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET version_ceiling = max(version_ceiling, excluded.version_ceiling)`);
  }

  forget(): void {
    this.#environments.clear();
  }

  readonly write: Commands['writeUserState'] = (values) => encodeWriteOutcome(this.#write(userStateWrite(...values)));

  #write(write: UserStateWrite): WriteOutcome {
    const { accountId, expectedVersion, repeat } = write;
    const environment = this.#environment(accountId, write.slug, write.environment);
    if (environment === undefined) return noProject;
    if (this.#hasTokenEnded(environment, write)) return { kind: 'token_ended' };
    const repeated = repeat && this.#repeats.find(accountId, repeat);
    if (repeated !== undefined) return repeated;
    const id = encodeText(write.playerId);
    const row = this.#findRecord.get(environment.projectId, id, write.environment);
    const currentVersion = row === undefined ? null : integerAt(row, 'version');
    if (expectedVersion !== currentVersion) return { kind: 'conflict', currentVersion };
    return row === undefined ? this.#create(environment, write, id) : this.#replace(environment, write, row);
  }

  /** Creates a state. Only a first state looks up the player: a subject that has become a different player has no state. */
  #create(environment: EnvironmentOfUsers, write: UserStateWrite, id: string): WriteOutcome {
    const { accountId, playerId, stateBytes, writtenAt, versionFloor } = write;
    const { projectId } = environment;
    const player = this.#findPlayer.get(accountId, id)?.player_id;
    if (player !== undefined && player !== id) return { kind: 'ended' };
    const isLinked = player !== undefined;
    const isGuest = !isLinked && isGuestId(playerId);
    const isNew = this.#findAnywhere.get(projectId, id) === undefined;
    const refused =
      (isNew ? this.#usage.refusePlayer(accountId, write.playersMax, isGuest) : undefined) ??
      this.#usage.refuseBytes(accountId, stateBytes, write.storageBytesMax, isGuest);
    if (refused !== undefined) return refused;
    const version = nextVersion(this.#floor(environment, playerId), versionFloor);
    this.#raiseCeiling(environment, version, versionFloor);
    const place = [projectId, write.environment, id] as const;
    const content = [version, writtenAt, stateBytes, write.state, write.author, write.comment] as const;
    this.#insert.run(...place, ...content, isLinked ? 1 : 0);
    this.#usage.addUserState({ accountId, projectId, isGuest }, isNew ? 1 : 0, stateBytes);
    if (write.subscribers !== undefined && isNew && isGuest) runNow(storeNewGuest(write, playerId, writtenAt), this.#query);
    return this.#written(write, version);
  }

  /** Replaces the state in a row. */
  #replace(environment: EnvironmentOfUsers, write: UserStateWrite, row: Row): WriteOutcome {
    const { accountId, versionFloor, retention } = write;
    const isGuest = row.is_linked !== 1 && isGuestId(write.playerId);
    const room = this.#roomFor(write, row, isGuest);
    if (room.kind === 'quota') return room;
    const version = nextVersion(integerAt(row, 'version'), versionFloor);
    this.#raiseCeiling(environment, version, versionFloor);
    this.#put(row, version, write, room.replaced);
    const kept = droppedAtWrite(version, retention);
    const droppedBytes = kept === undefined ? 0 : this.#drop(row, version, kept);
    this.#usage.addUserState({ accountId, projectId: environment.projectId, isGuest }, 0, room.addedBytes - droppedBytes);
    return this.#written(write, version);
  }

  /** Stores the other records of a write: its key, if it can be repeated, and its record in the audit trail. */
  #written(write: UserStateWrite, version: number): WriteOutcome {
    const { accountId, slug, playerId, comment, repeat, by } = write;
    if (repeat !== undefined) this.#repeats.keep(accountId, repeat, version, write.writtenAt);
    if (by !== undefined) {
      const key = { accountId, slug, environment: environmentNames[write.environment], playerId };
      const commentText = comment === null ? null : decodeText(comment);
      runNow(recordUserStateWrite(key, by, { version, comment: commentText }), this.#query);
      this.#usage.flush();
      this.#usage.forget();
    }
    return { kind: 'written', version };
  }

  /** Whether the token of the writing player has ended. Looked up only if tokens of the project have ended. */
  #hasTokenEnded({ lastEndedAt }: EnvironmentOfUsers, { accountId, slug, environment, playerId, epoch }: UserStateWrite) {
    if (epoch === undefined || lastEndedAt <= epoch) return false;
    const player = playerHash(accountId, playerId);
    return this.#findEnding.get(accountId, player, slug, environment, epoch) !== undefined;
  }

  /**
   * Returns how many bytes a replacement adds, and the version that it keeps, or why it does not fit. If a shorter state fits but the
   * version that it replaces cannot be kept, this version and all earlier ones are dropped.
   */
  #roomFor(
    { accountId, stateBytes, storageBytesMax, replaced }: UserStateWrite,
    row: Row,
    isGuest: boolean,
  ): Room | QuotaReached {
    const grownBytes = stateBytes - integerAt(row, 'state_bytes');
    const historyBytes = integerAt(row, 'history_bytes');
    const addedBytes = grownBytes + (replaced?.bytes ?? -historyBytes);
    const refused = this.#usage.refuseBytes(accountId, addedBytes, storageBytesMax, isGuest);
    if (refused === undefined) return { kind: 'room', addedBytes, replaced };
    return grownBytes > 0 ? refused : { kind: 'room', addedBytes: grownBytes - historyBytes, replaced: undefined };
  }

  /** Keeps the `replaced` version; if that is missing, earlier versions are dropped. */
  #put(row: Row, version: number, write: UserStateWrite, replaced: ReplacedUserState | undefined): void {
    const { writtenAt, stateBytes, state, author, comment } = write;
    const [sequence, historyBytes] = [integerAt(row, 'sequence'), integerAt(row, 'history_bytes')];
    const keptBytes = replaced === undefined ? 0 : historyBytes + replaced.bytes;
    this.#update.run(sequence, version, writtenAt, stateBytes, state, author, comment, keptBytes);
    if (replaced !== undefined) this.#keep.run(sequence, ...replacedValues(replaced, writtenAt));
    else if (historyBytes > 0) runNow(dropVersions(userStateSteps.userStates, [sequence], version, null), this.#query);
  }

  /** Drops versions that are no longer kept. Returns their counted bytes. */
  #drop(row: Row, version: number, retention: VersionRetention): number {
    const sequence = integerAt(row, 'sequence');
    const { bytes } = runNow(dropVersions(userStateSteps.userStates, [sequence], version, retention), this.#query);
    if (bytes > 0) this.#uncount.run(bytes, sequence);
    return bytes;
  }

  /** The first version of a player is one above this. */
  #floor(environment: EnvironmentOfUsers, playerId: string): number {
    const bucket = this.#buckets.of(environment.projectId, playerId);
    const row = this.#findFloor.get(environment.headKey, bucket);
    return row === undefined ? environment.floor : Math.max(environment.floor, integerAt(row, 'version'));
  }

  /**
   * The ceiling rises in steps of 1, 2, 4, 8 … above the floor, or above the installation's floor if that is higher. Even a very high
   * version thus takes few of these writes.
   */
  #raiseCeiling(environment: EnvironmentOfUsers, version: number, versionFloor: number): void {
    if (version <= environment.ceiling) return;
    const floor = Math.max(environment.floor, versionFloor - 1);
    const ceiling = Math.min(Math.max(version, floor + 2 ** Math.ceil(Math.log2(version - floor))), versionMax);
    this.#putBounds.run(environment.headKey, environment.floor, ceiling);
    environment.ceiling = ceiling;
  }

  #environment(accountId: string, slug: string, environment: number): EnvironmentOfUsers | undefined {
    const key = `${accountId}/${slug}/${environment}`;
    const known = this.#environments.get(key);
    if (known !== undefined) return known;
    const row = this.#findEnvironment.get(accountId, slug, environment);
    if (row === undefined) return undefined;
    const projectId = integerAt(row, 'project_id');
    const found: EnvironmentOfUsers = {
      projectId,
      headKey: headKey(projectId, environment),
      floor: optionalIntegerAt(row, 'version_floor') ?? 0,
      lastEndedAt: Math.max(optionalIntegerAt(row, 'ended_here') ?? 0, optionalIntegerAt(row, 'ended_everywhere') ?? 0),
      ceiling: optionalIntegerAt(row, 'version_ceiling') ?? 0,
    };
    if (this.#environments.size >= environmentsMax) this.#environments.clear();
    this.#environments.set(key, found);
    return found;
  }
}
