/**
 * A watched document: its current version, and the next event for a reader at any version.
 *
 * Readers store only their position and receive the events after it, so each event is made once for all of them, and a paused reader costs
 * nothing. New versions are noticed through writes on this node and by polling the store. Either may fail or be late, since everything sent
 * is read or compared from the store.
 */
import { coalesced } from '../../common/async/coalesced.ts';
import type { CurrentVersion, ReadOutcome } from '../../storage/contract/public-states.ts';
import type { Announcement } from './announcements.ts';
import { type ChangeEvent, eventAfter, isTooFarBehind, type Position, type Whole } from './events.ts';
import { type FanOut, Readers, type Sink, type Watch } from './fan-out.ts';
import { ChangeMaker, DocumentMemory, type Memory } from './kept-changes.ts';
import type { Source } from './source.ts';

export interface DocumentParts<Key> {
  readonly source: Source<Key>;
  readonly memory: Memory;
  readonly fanOut: FanOut;
  /** Resolves with the operations between two texts, or undefined if they are omitted. */
  readonly compare: (key: Key, fromText: string, toText: string) => Promise<string | undefined>;
  /** Called with each failure; the failed work is retried. */
  readonly onFault: (error: unknown) => void;
}

const noDocument: Readonly<Record<Whole['type'], Whole>> = {
  snapshot: { type: 'snapshot', version: 0, stateText: null },
  reset: { type: 'reset', version: 0, stateText: null },
};

export class WatchedDocument<Key> {
  readonly key: Key;
  readonly #parts: DocumentParts<Key>;
  readonly #memory: DocumentMemory;
  readonly #readers: Readers;
  readonly #maker: ChangeMaker<Key>;
  /** 0 if there is no document; undefined before the first poll. */
  #version: number | undefined;
  #recordId: string | undefined;
  /** Whether the project was deleted. */
  #isGone = false;
  /** Whether a deletion of the document was seen, with no creation since. */
  #wasDeleted = false;
  /** Readers below this version have seen a deleted document. */
  #resetAt = 0;
  /** Counts applied events, to detect events during a poll. */
  #applied = 0;
  /** Characters of all changes made so far. */
  #changeCharacters = 0;
  #isReading = false;
  #hasFailed = false;

  constructor(key: Key, parts: DocumentParts<Key>) {
    this.key = key;
    this.#parts = parts;
    this.#memory = new DocumentMemory(parts.memory);
    this.#readers = new Readers(
      parts.fanOut,
      (position) => this.#next(position),
      () => this.#changeCharacters,
    );
    this.#maker = new ChangeMaker({
      key,
      memory: this.#memory,
      source: parts.source,
      compare: parts.compare,
      onFault: parts.onFault,
      onMade: ({ data }) => {
        this.#changeCharacters += data.length;
        this.#readers.wake();
      },
      onFailed: (error) => this.#fail(error),
      onOtherRecord: async (version) => {
        await this.poll();
        this.#resetAt = Math.max(this.#resetAt, version + 1);
        this.#readers.wake();
      },
    });
  }

  get isWatched(): boolean {
    return this.#readers.size > 0;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The number of applied events. `observe` takes its value from before the poll. */
  get applied(): number {
    return this.#applied;
  }

  /** Whether there is an event for a reader at this position. `poll` must have resolved before. */
  isBehind(position: Position | undefined): boolean {
    return position !== this.#version;
  }

  /** Starts to send a reader the changes after `since`, or the whole document first. `poll` must have resolved before. */
  open(since: number | undefined, sink: Sink): Watch {
    const isElsewhere = since !== undefined && this.#version !== 0 && since > (this.#version ?? 0);
    const position: Position = isElsewhere ? 'elsewhere' : (since ?? 'begin');
    const watch: Watch = { position, sink, isReady: true, seenCharacters: this.#changeCharacters };
    this.#readers.add(watch);
    this.#readers.send(watch);
    return watch;
  }

  close(watch: Watch): void {
    watch.isReady = false;
    this.#readers.delete(watch);
  }

  /** Call this when the reader can take events again. */
  ready(watch: Watch): void {
    if (!this.#readers.has(watch)) return;
    watch.isReady = true;
    const { position } = watch;
    const isOfThisRecord = typeof position === 'number' && position >= this.#resetAt && this.#version !== 0;
    if (isOfThisRecord && position !== this.#version && isTooFarBehind(this.#changeCharacters - watch.seenCharacters))
      watch.position = 'begin';
    this.#readers.send(watch);
  }

  /** Sends a reader as many events as it takes now. */
  send(watch: Watch): void {
    this.#readers.send(watch);
  }

  /** Retries failed work. */
  retry(): void {
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#readers.wake();
  }

  forget(): void {
    this.#memory.forget();
  }

  /** Records a version written on this node. */
  announce({ version, stateText, isCreation }: Announcement): void {
    const current = this.#version;
    if (current !== undefined && version <= current) {
      this.#memory.keepText(version, stateText);
      return;
    }
    if (current === undefined || !(isCreation || version === current + 1)) {
      this.#pollSoon();
      return;
    }
    const isFirst = current === 0 && !this.#wasDeleted && (version === 1 || this.#parts.source.kept === undefined);
    this.#advance(version, isCreation ? undefined : this.#recordId, { stateText, isNew: isCreation && !isFirst });
    if (isCreation) this.#pollSoon(); // to get the record's id, which changes with each creation
  }

  /**
   * Reads the document if its earlier versions are not kept, so that the next change can be compared with it. `poll` must have resolved
   * before.
   */
  async remember(): Promise<void> {
    const version = this.#version ?? 0;
    const isNeeded = this.#parts.source.kept === undefined && version > 0 && this.#memory.textOf(version) === undefined;
    if (isNeeded) await this.#readCurrent();
  }

  /** Queues a poll, since the document may have changed without an announcement. */
  pollLater(): void {
    this.#pollSoon();
  }

  /** Resolves once a poll that began after the call is done. Rejects with the store's error. */
  readonly poll = coalesced(() => this.#ask());

  async #ask(): Promise<void> {
    const { applied } = this;
    const [outcome] = await this.#parts.source.currentVersions([this.key]);
    if (outcome !== undefined) await this.observe(outcome, applied);
  }

  #pollSoon(): void {
    this.poll().catch((error: unknown) => this.#fail(error));
  }

  /** Records the store's response. `applied` is the count from before the poll. */
  async observe(outcome: ReadOutcome<CurrentVersion>, applied: number): Promise<void> {
    if (outcome.kind === 'present') return this.#observePresent(outcome.record, applied);
    if (applied !== this.#applied) return this.#pollSoon(); // the document has been written since the poll began
    this.#isGone = outcome.kind === 'no_project';
    if (this.#version !== undefined && this.#version > 0) {
      this.#wasDeleted = true;
      this.#applied++;
      this.#recordId = undefined;
      this.#version = 0;
      this.#readers.wake();
    }
    this.#version = 0;
  }

  async #observePresent({ version, recordId }: CurrentVersion, askedAt: number): Promise<void> {
    const current = this.#version;
    if (current === undefined) {
      this.#version = version;
      this.#recordId = recordId;
      return;
    }
    // Otherwise the poll began before the last write.
    if (version < current) return askedAt === this.#applied ? this.#rollBack(version, recordId) : undefined;
    if (version === current) {
      this.#recordId = recordId;
      return;
    }
    const isNew = current === 0 ? this.#wasDeleted : (this.#recordId ?? recordId) !== recordId;
    if (isNew || this.#parts.source.kept !== undefined) return this.#advance(version, recordId, { isNew });
    const applied = this.#applied;
    const read = await this.#parts.source.read(this.key);
    if (applied !== this.#applied) return this.#pollSoon();
    const stateText = read.kind === 'present' && read.record.version === version ? read.record.stateText : undefined;
    this.#advance(version, recordId, { stateText, isNew });
  }

  /** The store has gone back: versions above this one, and changes made from them, no longer exist. */
  #rollBack(version: number, recordId: string | undefined): void {
    this.#memory.forget();
    this.#resetAt = Math.max(this.#resetAt, (this.#version ?? 0) + 1);
    this.#version = version;
    this.#recordId = recordId;
    this.#applied++;
    this.#readers.wake();
  }

  #advance(
    version: number,
    recordId: string | undefined,
    { stateText, isNew }: { readonly stateText?: string | undefined; readonly isNew: boolean },
  ): void {
    if (isNew) this.#resetAt = version;
    else if (this.#parts.source.kept === undefined) this.#maker.make(this.#version ?? 0, version, stateText);
    if (stateText !== undefined) this.#memory.keepText(version, stateText);
    this.#version = version;
    this.#recordId = recordId;
    this.#isGone = false;
    this.#wasDeleted = false;
    this.#applied++;
    this.#readers.wake();
  }

  /** The next event for a reader; undefined if there is none, or it has not been made yet. */
  #next(position: Position): ChangeEvent | undefined {
    const version = this.#version ?? 0;
    const type = eventAfter(position, version, this.#resetAt);
    if (type === 'none') return undefined;
    if (type !== 'change') return this.#whole(type);
    const from = Number(position);
    return this.#memory.changeFrom(from) ?? this.#missing(from, version);
  }

  /** Makes a change that is not cached. If versions are not kept, only the first change can be made. */
  #missing(position: number, version: number): Whole | undefined {
    const { kept } = this.#parts.source;
    if (this.#maker.isMaking(position)) return undefined;
    if (kept !== undefined) {
      this.#maker.makeFromKept(kept, position, version);
      return undefined;
    }
    if (position > 0) return this.#whole('snapshot');
    const text = this.#memory.textOf(version)?.stateText;
    if (text === undefined) this.#readWhole();
    else this.#maker.make(0, version, text);
    return undefined;
  }

  /** The whole document; undefined while it is being read. */
  #whole(type: Whole['type']): Whole | undefined {
    const version = this.#version ?? 0;
    if (version === 0) return noDocument[type];
    const kept = this.#memory.textOf(version);
    if (kept === undefined) {
      this.#readWhole();
      return undefined;
    }
    kept[type] ??= { type, version, stateText: kept.stateText };
    return kept[type];
  }

  #readWhole(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readCurrent()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isReading = false;
        if (!this.#hasFailed) this.#readers.wake();
      });
  }

  async #readCurrent(): Promise<void> {
    const read = await this.#parts.source.read(this.key);
    if (read.kind === 'present') this.#memory.keepText(read.record.version, read.record.stateText);
    if (read.kind !== 'present' || read.record.version !== this.#version) await this.poll();
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#parts.onFault(error);
  }
}
