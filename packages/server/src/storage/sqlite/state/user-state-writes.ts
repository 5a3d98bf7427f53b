import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { playerHash } from '../../../common/player-hash.ts';
import { isGuestId } from '../../contract/guests.ts';
import type { VersionRetention } from '../../contract/user-states.ts';
import { droppedAtWrite, type ReplacedUserState } from '../../history/replaced-user-state.ts';
import { nextVersion, versionMax } from '../../history/version-floors.ts';
import { bytesAt, integerAt, optionalIntegerAt, type Row } from '../../rows/columns.ts';
import { type EnvironmentNumber, environmentNames } from '../../rows/environment-numbers.ts';
import { decodeText, encodeText } from '../../rows/stored-texts.ts';
import { recordUserStateWrite } from '../../sql/audit/audit.ts';
import { dropVersions } from '../../sql/states/user-state-rows.ts';
import { runNow } from '../../sql/steps.ts';
import { storeNewGuest } from '../../sql/webhooks/webhook-queue.ts';
import { statement } from '../directory/database.ts';
import { statements } from '../steps.ts';
import type { UsageTotals } from '../usage/usage-totals.ts';
import { type Commands, type EncodedWriteOutcome, headKey } from '../writer/commands.ts';
import { type StateArgument, type UserStateWrite, userStateWrite } from '../writer/state-writes.ts';
import type { RepeatWrites } from './repeats.ts';
import { userStateSteps } from './user-state-steps.ts';

/** The owner of limited bytes. */
interface Room {
  readonly accountId: string;
  readonly isGuest: boolean;
  readonly bytesMax: number;
}

/** The stored part of a write. */
interface WrittenUserState {
  readonly version: number;
  readonly writtenAt: number;
  readonly stateBytes: number;
  readonly state: StateArgument;
  readonly author: string | null;
  readonly comment: string | null;
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
  readonly #buckets: Buckets;
  readonly #usage: UsageTotals;
  readonly #repeats: RepeatWrites;
  readonly #findEnvironment;
  readonly #findRecord;
  readonly #findAnywhere;
  readonly #findFloor;
  readonly #replace;
  readonly #insert;
  readonly #keep;
  readonly #uncount;
  readonly #putBounds;
  readonly #findPlayer;
  readonly #findEnding;
  readonly #query;

  constructor(database: DatabaseSync, usage: UsageTotals, repeats: RepeatWrites) {
    this.#buckets = new Buckets(database);
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
      LEFT JOIN user_versions ON head_key = projects.project_id * 4 + ?3
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
    this.#replace = database.prepare(
      `UPDATE user_states
       SET version = ?2, updated_at = ?3, state_bytes = ?4, state = CAST(?5 AS TEXT), author = ?6, comment = ?7, history_version = ?2,
         history_bytes = ?8
       WHERE sequence = ?1`,
    );
    // One row, always.
    this.#keep = database.prepare(`
      INSERT INTO user_state_versions
        (record_id, version, written_at, replaced_at, state_bytes, form, checksum, author, comment, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
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

  readonly write: Commands['writeUserState'] = (values): EncodedWriteOutcome => {
    const write = userStateWrite(values);
    const { accountId, slug, environment: environmentNumber, playerId, stateBytes, writtenAt } = write;
    const { repeat, by, comment, replaced, retention } = write;
    const environment = this.#environment(accountId, slug, environmentNumber);
    if (environment === undefined) return null;
    if (this.#hasTokenEnded(environment, write)) return { kind: 'token_ended' };
    const { projectId } = environment;
    const repeated = repeat && this.#repeats.find(accountId, repeat);
    if (repeated !== undefined) return repeated;
    const id = encodeText(playerId);
    const row = this.#findRecord.get(projectId, id, environmentNumber);
    const current = row === undefined ? null : integerAt(row, 'version');
    if (write.expectedVersion !== current) return current === null ? 0 : -current;
    // Only a first state looks up the player: a subject that has become a different player has no state.
    const player = row === undefined ? this.#findPlayer.get(accountId, id)?.player_id : undefined;
    if (player !== undefined && player !== id) return { kind: 'ended' };
    const isLinked = player !== undefined || row?.is_linked === 1;
    const isGuest = !isLinked && isGuestId(playerId);
    const isNew = row === undefined && this.#findAnywhere.get(projectId, id) === undefined;
    const refusedUser = isNew ? this.#usage.refusePlayer(accountId, write.playersMax, isGuest) : undefined;
    if (refusedUser !== undefined) return refusedUser;
    const room = this.#room({ accountId, isGuest, bytesMax: write.storageBytesMax }, row, stateBytes, replaced);
    if (room.refused !== undefined) return room.refused;
    const version = nextVersion(current ?? this.#floor(environment, playerId), write.versionFloor);
    this.#raiseCeiling(environment, version, write.versionFloor);
    const written = { version, writtenAt, stateBytes, state: write.state, author: write.author, comment };
    if (row === undefined) this.#create([projectId, environmentNumber, id], written, isLinked);
    else this.#put(row, written, room.replaced);
    const kept = droppedAtWrite(version, retention);
    const dropped = row !== undefined && kept !== undefined ? this.#drop(row, version, kept) : 0;
    this.#usage.addUserState({ accountId, projectId, isGuest }, isNew ? 1 : 0, room.addedBytes - dropped);
    if (repeat !== undefined) this.#repeats.keep(accountId, repeat, version, writtenAt);
    if (write.hearers !== undefined && isNew && isGuest) runNow(storeNewGuest(write, playerId, writtenAt), this.#query);
    if (by !== undefined) {
      const key = { accountId, slug, environment: environmentNames[environmentNumber], playerId };
      const commentText = comment === null ? null : decodeText(comment);
      runNow(recordUserStateWrite(key, by, { version, comment: commentText }), this.#query);
      this.#usage.flush();
      this.#usage.forget();
    }
    return version;
  };

  /** Whether the token of the writing player has ended. Looked up only if tokens of the project have ended. */
  #hasTokenEnded({ lastEndedAt }: EnvironmentOfUsers, { accountId, slug, environment, playerId, epoch }: UserStateWrite) {
    if (epoch === undefined || lastEndedAt <= epoch) return false;
    const player = playerHash(accountId, playerId);
    return this.#findEnding.get(accountId, player, slug, environment, epoch) !== undefined;
  }

  /**
   * Returns how many bytes a write adds, and whether they fit. If a shorter state fits but the version that it replaces cannot be kept,
   * this version and all earlier ones are dropped.
   */
  #room({ accountId, isGuest, bytesMax }: Room, row: Row | undefined, stateBytes: number, replaced?: ReplacedUserState) {
    const grownBytes = stateBytes - (row === undefined ? 0 : integerAt(row, 'state_bytes'));
    const historyBytes = row === undefined ? 0 : integerAt(row, 'history_bytes');
    const addedBytes = grownBytes + (replaced?.bytes ?? -historyBytes);
    const refused = this.#usage.refuseBytes(accountId, addedBytes, bytesMax, isGuest);
    if (refused === undefined || grownBytes > 0) return { addedBytes, replaced, refused };
    return { addedBytes: grownBytes - historyBytes, replaced: undefined, refused: undefined };
  }

  #create(place: readonly [number, EnvironmentNumber, string], written: WrittenUserState, isLinked: boolean): void {
    const { version, writtenAt, stateBytes, state, author, comment } = written;
    this.#insert.run(...place, version, writtenAt, stateBytes, state, author, comment, isLinked ? 1 : 0);
  }

  /** Replaces a state and keeps the `replaced` version; if that is missing, earlier versions are dropped. */
  #put(row: Row, written: WrittenUserState, replaced: ReplacedUserState | undefined): void {
    const { version, writtenAt, stateBytes, state, author, comment } = written;
    const [sequence, historyBytes] = [integerAt(row, 'sequence'), integerAt(row, 'history_bytes')];
    const keptBytes = replaced === undefined ? 0 : historyBytes + replaced.bytes;
    this.#replace.run(sequence, version, writtenAt, stateBytes, state, author, comment, keptBytes);
    if (replaced !== undefined) this.#add(sequence, replaced, writtenAt);
    else if (historyBytes > 0) runNow(dropVersions(userStateSteps.userStates, [sequence], version, null), this.#query);
  }

  #add(sequence: number, replaced: ReplacedUserState, replacedAt: number): void {
    const { version, writtenAt, stateBytes, form, checksum, author, comment, state } = replaced;
    this.#keep.run(sequence, version, writtenAt, replacedAt, stateBytes, form, checksum, author, comment, state);
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

/** Sorts players into buckets, with the secret cached. */
class Buckets {
  readonly #findSecret;
  #secret: Uint8Array | undefined;

  constructor(database: DatabaseSync) {
    // One row, always: made with the table.
    this.#findSecret = statement(database, 'SELECT secret FROM bucket_key');
  }

  of(projectId: number, playerId: string): number {
    this.#secret ??= bytesAt(this.#findSecret.get() ?? {}, 'secret');
    return bucketOf(this.#secret, projectId, playerId);
  }
}

/**
 * The bucket of a player of a project, one of 4,096: 12 bits of a keyed hash, unrelated to the same player's buckets elsewhere. A bucket
 * reveals almost nothing about its players.
 */
export function bucketOf(secret: Uint8Array, projectId: number, playerId: string): number {
  const mac = createHmac('sha256', secret)
    .update(`${projectId}/${encodeText(playerId)}`)
    .digest();
  return mac.readUInt16BE(0) >> 4;
}
