/**
 * Detects that the database went back while the node runs, and tracks the marks. Every node has a row with a number that it raises every
 * five seconds. If the database returns an earlier number, it has lost confirmed writes.
 */

import { randomUUID } from 'node:crypto';
import { now } from '../../common/time/clock.ts';
import { everything } from '../caches/access-changes.ts';
import { type Marks, type RaisedFloor, unmarked } from '../contract/installation.ts';
import type { BackgroundObserver, OnRollback } from '../contract/store-observer.ts';
import { versionsAheadDefault } from '../history/version-floors.ts';
import { integerAt } from '../rows/columns.ts';
import { BackgroundWork } from '../sql/upkeep/background-work.ts';
import { readMarks, readVersionFloor, recordRollback } from '../sql/upkeep/store-rollback.ts';
import type { Store } from '../store.ts';
import type { Database } from './connection/database.ts';
import { engineSql } from './engine-sql.ts';
import type { AccessChanges } from './management/access-changes.ts';
import { takeSteps } from './steps.ts';

/** The time between two reads of the marks. A mark set by a node or command is visible on all nodes within two seconds. */
const pollMilliseconds = 1_000;
/** Reads of the marks per beat. */
const pollsPerBeat = 5;
const pollBackoff = { firstMilliseconds: pollMilliseconds, maxMilliseconds: 2_000 };
/** How long the rows of nodes that ended without deleting them are kept. A node that pauses longer finds its row forgotten. */
const keptDays = 30;

export interface HeartbeatOptions {
  readonly database: Database;
  readonly access: AccessChanges;
  readonly background: BackgroundObserver;
  /** The secret that sorts players into buckets. */
  readonly bucketSecret: Uint8Array;
  readonly onRollback: OnRollback | undefined;
}

export interface Heartbeat {
  /** The marks when this node last read them. */
  marks(): Marks;
  /** The store verbs about marks: this node knows its own changes immediately. */
  verbs(shared: Pick<Store, 'recordRollback' | 'recover'>): Pick<Store, 'marks' | 'recordRollback' | 'recover'>;
  close(): Promise<void>;
}

/** Reads the marks, and starts polling and beating. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const heart = new Heart(options);
  await heart.poll();
  heart.schedule(pollMilliseconds);
  return heart;
}

class Heart implements Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #nodeId = randomUUID();
  readonly #work: BackgroundWork;
  #marks: Marks = unmarked;
  /** The last number confirmed by the database. */
  #beat = 0;
  #polls = 0;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#work = new BackgroundWork('heartbeat', options.background, pollBackoff);
  }

  marks(): Marks {
    return this.#marks;
  }

  verbs({
    recordRollback: note,
    recover,
  }: Pick<Store, 'recordRollback' | 'recover'>): Pick<Store, 'marks' | 'recordRollback' | 'recover'> {
    const known = async (raising: Promise<RaisedFloor>) => {
      const floor = await raising;
      await this.poll();
      return floor;
    };
    return {
      marks: () => this.#marks,
      recordRollback: (back) => known(note(back)),
      recover: (back) => known(recover(back)),
    };
  }

  schedule(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#turn().then((rest) => this.schedule(rest));
    }, milliseconds).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#polling;
    if (this.#beat === 0) return;
    // Any number of rows: this node's, and those of nodes that ended long ago.
    await this.#options.database
      .query(`DELETE FROM heartbeats WHERE node_id = $1 OR beaten_at < now() - interval '${keptDays} days'`, [this.#nodeId])
      .catch(() => undefined);
  }

  /** Reads the marks. The floor known here never falls: versions above it may have been assigned. */
  async poll(): Promise<void> {
    const marks = await takeSteps(this.#options.database.query, readMarks());
    this.#marks = { ...marks, versionFloor: Math.max(marks.versionFloor, this.#marks.versionFloor) };
  }

  /** Returns the milliseconds until the next turn; never rejects. */
  async #turn(): Promise<number> {
    try {
      this.#polls += 1;
      if (this.#polls % pollsPerBeat === 0) await this.#confirm();
      await this.poll();
      this.#work.succeed();
      return pollMilliseconds;
    } catch (error) {
      return this.#isClosed ? pollMilliseconds : this.#work.fail(error);
    }
  }

  async #confirm(): Promise<void> {
    const { database, onRollback } = this.#options;
    const before = this.#beat;
    // One row, always.
    const [row = {}] = await database.query(
      `INSERT INTO heartbeats (node_id, beat, beaten_at) VALUES ($1, 1, now())
       ON CONFLICT (node_id) DO UPDATE SET beat = heartbeats.beat + 1, beaten_at = excluded.beaten_at RETURNING beat`,
      [this.#nodeId],
    );
    const beat = integerAt(row, 'beat');
    if (beat <= before) {
      const floor = await this.#raise();
      await this.poll();
      onRollback?.(floor);
    }
    this.#beat = beat;
  }

  /** Raises the floor, unless another node has done so. Returns the floor. */
  #raise(): Promise<RaisedFloor> {
    const { access, bucketSecret } = this.#options;
    const known = this.#marks.versionFloor;
    return access.change(
      everything,
      async (query) => {
        const stored = await takeSteps(query, readVersionFloor());
        if (stored > known) return stored;
        const back = { known, ahead: versionsAheadDefault, now: now() };
        return takeSteps(query, recordRollback({ engine: engineSql(bucketSecret) }, back));
      },
      () => false,
    );
  }
}
