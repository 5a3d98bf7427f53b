/** A document's events, in whatever order its writes and the store's responses arrive. */
import { afterEach, describe, expect, test } from 'vitest';
import type { CurrentVersion, ReadOutcome } from '../../storage/contract/public-states.ts';
import type { ChangeEvent } from './events.ts';
import { FanOut, type Watch } from './fan-out.ts';
import { createMemory } from './kept-changes.ts';
import type { Source, StoredText } from './source.ts';
import { WatchedDocument } from './watched-document.ts';

const textOf = (version: number) => `{"n":${version}}`;

/** A store with one document, whose responses can be delayed. */
class Stage {
  readonly faults: unknown[] = [];
  readonly compared: string[] = [];
  /** Versions of the stored record, oldest first; undefined if the project does not exist. */
  versions: number[] | undefined = [];
  recordId = 'a';
  failure: Error | undefined;
  comparison: (() => Promise<string | undefined>) | undefined;
  /** Delays responses until it resolves. */
  gate: Promise<void> = Promise.resolve();
  readonly document: WatchedDocument<string>;

  constructor(keepsVersions: boolean) {
    const answer = async <Result>(result: () => Result): Promise<Result> => {
      if (this.failure !== undefined) throw this.failure;
      const found = result(); // the result is from now, whenever it arrives
      await this.gate;
      return found;
    };
    const recordOf = (version: number | undefined): ReadOutcome<StoredText> =>
      version === undefined || !this.versions?.includes(version)
        ? { kind: 'absent' }
        : { kind: 'present', record: { version, stateText: textOf(version) } };
    const current = (): ReadOutcome<CurrentVersion> => {
      const version = this.versions?.at(-1);
      if (this.versions === undefined) return { kind: 'no_project' };
      return version === undefined ? { kind: 'absent' } : { kind: 'present', record: { version, recordId: this.recordId } };
    };
    const source: Source<string> = {
      pollMilliseconds: 1_000,
      keysMax: 1_000,
      nameOf: (key) => key,
      ownerOf: () => ({ account: 'a', subject: 's' }),
      read: () => answer(() => recordOf(this.versions?.at(-1))),
      currentVersions: (keys) => answer(() => keys.map(current)),
      kept: keepsVersions
        ? {
            readVersion: (_, version) => answer(() => recordOf(version)),
            listBelow: (_, before) =>
              answer(() =>
                (this.versions ?? [])
                  .filter((version) => version < before)
                  .toReversed()
                  .slice(0, 3)
                  .map((version) => ({ version, stateText: textOf(version) })),
              ),
          }
        : undefined,
    };
    this.document = new WatchedDocument('key', {
      source,
      memory: createMemory(),
      fanOut: new FanOut(setImmediate),
      compare: (_, from, to) => {
        this.compared.push(`${from} ${to}`);
        return this.comparison?.() ?? Promise.resolve('[]');
      },
      onFault: (error) => this.faults.push(error),
    });
  }

  /** Stores the next version, and announces it like a write on this node. */
  write(isAnnounced = true): number {
    const versions = this.versions ?? [];
    const version = (versions.at(-1) ?? this.#newest) + 1;
    const isCreation = versions.length === 0;
    this.#newest = version;
    this.versions = [...versions, version];
    if (isAnnounced) this.announce(version, isCreation);
    return version;
  }

  announce(version: number, isCreation = false): void {
    this.document.announce({ version, stateText: textOf(version), isCreation });
  }

  remove(): void {
    this.versions = [];
    this.recordId += "'";
  }

  #newest = 0;
}

interface Reader {
  readonly told: string[];
  readonly watch: Watch;
  accepts: boolean;
}

const shown = (event: ChangeEvent): string => {
  if (event.type !== 'change') return `${event.type} ${event.version}${event.stateText === null ? ' null' : ''}`;
  const { from, refetch } = JSON.parse(event.data) as { from: number; refetch?: true };
  return `change ${from}-${event.version}${refetch ? ' refetch' : ''}`;
};

function read(stage: Stage, since?: number): Reader {
  const told: string[] = [];
  const reader = {
    told,
    accepts: true,
    watch: undefined as unknown as Watch,
  };
  reader.watch = stage.document.open(since, {
    take: (event) => {
      told.push(shown(event));
      return reader.accepts;
    },
  });
  return reader;
}

const settled = async () => {
  for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
};

let stage: Stage;
/** Polls like a new reader. */
const look = async () => {
  await stage.document.poll();
  await stage.document.remember();
};
afterEach(() => expect(stage.faults).toEqual([]));

describe.each([
  ['where versions are kept', true],
  ['where no versions are kept', false],
])('%s', (_, keepsVersions) => {
  test('versions announced out of order are delivered in order, each once', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const { told } = read(stage, 1);
    stage.write(false);
    stage.write(false);
    stage.announce(3);
    stage.announce(2);
    await settled();
    stage.announce(3);
    await settled();
    expect(told).toEqual(['change 1-2', 'change 2-3']);
  });

  test('a version announced during a read of the store is delivered once', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const { told } = read(stage, 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.gate = promise;
    const looking = stage.document.poll(); // will find version 1
    stage.write();
    resolve();
    await looking;
    await settled();
    expect(told).toEqual(['change 1-2']);
  });

  test('late news of an absent document is dropped', async () => {
    stage = new Stage(keepsVersions);
    await look();
    const { told } = read(stage, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.gate = promise;
    const looking = stage.document.poll(); // will find no document
    stage.write();
    await settled();
    stage.gate = Promise.resolve();
    resolve();
    await looking;
    await settled();
    expect(told).toEqual(['change 0-1']);
  });

  test('an announcement before the first read is not lost', async () => {
    stage = new Stage(keepsVersions);
    stage.write(false);
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.gate = promise;
    const looking = stage.document.poll(); // will find version 1
    stage.write();
    stage.gate = Promise.resolve();
    resolve();
    await looking;
    const { told } = read(stage, 1);
    await settled();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(keepsVersions ? /^change 1-2$/ : /^change 1-2|^snapshot 2$/);
  });

  test('a record that was created again resets its readers, even if nobody saw the deletion', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    stage.write();
    await look();
    const { told } = read(stage, 2);
    stage.remove();
    await look();
    await settled();
    expect(told).toEqual(['reset 0 null']);
    stage.write();
    await settled();
    expect(told).toEqual(['reset 0 null', 'reset 3']);
    stage.remove();
    stage.write(false);
    await look();
    await settled();
    expect(told).toEqual(['reset 0 null', 'reset 3', 'reset 4']);
    stage.remove();
    stage.write(); // announced, without the deletion being seen
    await settled();
    expect(told.at(-1)).toBe('reset 5');
  });

  test('a stalled reader has nothing queued, and gets the whole document if it is far behind', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const reader = read(stage, 1);
    reader.accepts = false;
    stage.write();
    await settled();
    for (let n = 0; n < 60; n++) stage.write();
    await settled();
    expect(reader.told).toEqual(['change 1-2']);
    reader.accepts = true;
    stage.document.ready(reader.watch);
    await settled();
    expect(reader.told).toEqual(['change 1-2', 'snapshot 62']);
  });

  test('a deleted project counts as a deleted document', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const { told } = read(stage, 1);
    stage.versions = undefined;
    await look();
    await settled();
    expect([told, stage.document.isGone]).toEqual([['reset 0 null'], true]);
  });

  test('a failed or abandoned comparison is delivered without operations', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const { told } = read(stage, 1);
    stage.document.send(read(stage).watch); // brings its text into memory
    await settled();
    stage.comparison = () => Promise.reject(new Error('the thread ended'));
    stage.write();
    await settled();
    stage.comparison = () => Promise.resolve(undefined);
    stage.write();
    await settled();
    expect(told).toEqual(['change 1-2 refetch', 'change 2-3 refetch']);
    expect(stage.faults.splice(0)).toHaveLength(1);
  });

  test('many readers get one change, which is computed once', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const readers = Array.from({ length: 500 }, () => read(stage));
    await settled();
    stage.write();
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    for (const { told } of readers) expect(told).toEqual(['snapshot 1', 'change 1-2']);
    expect(stage.compared).toEqual([`${textOf(1)} ${textOf(2)}`]);
  });

  test('a closed reader gets nothing', async () => {
    stage = new Stage(keepsVersions);
    stage.write();
    await look();
    const { told, watch } = read(stage, 1);
    stage.document.close(watch);
    stage.write();
    stage.document.ready(watch);
    await settled();
    expect(told).toEqual([]);
  });
});

test('a change that the store cannot read yet is delivered once it can', async () => {
  stage = new Stage(true);
  stage.write();
  stage.write();
  stage.write();
  await look();
  stage.failure = new Error('the database is gone');
  const { told } = read(stage, 1);
  await settled();
  expect([told, stage.faults.splice(0).length > 0]).toEqual([[], true]);
  stage.failure = undefined;
  stage.document.retry();
  await settled();
  expect(told).toEqual(['change 1-2', 'change 2-3']);
});

test('a reader that returns with a version of an earlier record gets the whole document', async () => {
  stage = new Stage(true);
  stage.versions = [5, 6];
  await look();
  expect([read(stage, 3).told, read(stage, 9).told]).toEqual([[], []]); // it must be read first
  await settled();
  const readers = [read(stage, 3), read(stage, 0), read(stage, 9), read(stage, 5)];
  await settled();
  expect(readers.map(({ told }) => told)).toEqual([['reset 6'], ['reset 6'], ['reset 6'], ['change 5-6']]);
});
