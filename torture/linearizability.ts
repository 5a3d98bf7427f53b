/**
 * Checks the operations of several clients on one document, a versioned register with conditional writes: is there an order of all
 * operations, each at a moment between its call and its response, in which a single register would have given the same responses? Pure, and
 * exact in linear time, because a write names the version that it replaces: it can only have made the next one, so the order of writes is
 * known, and only their moments remain to be found.
 */
import { checkOrder, type StoredVersion } from './history.ts';

export interface Read {
  readonly kind: 'read';
}

export interface Write {
  readonly kind: 'write';
  /** The version that it replaces; null if none may exist. */
  readonly expects: number | null;
  /** Of the whole document that it makes; all writes are different. */
  readonly contentHash: string;
}

export type Observation =
  | { readonly kind: 'present'; readonly record: StoredVersion }
  | { readonly kind: 'absent' }
  | { readonly kind: 'written'; readonly record: StoredVersion }
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  /** No response, or one with an unknown outcome: it may take effect at any time after its call, or never. */
  | { readonly kind: 'unknown' };

/** An operation of a client. Times are of one monotonic clock. */
export interface Operation {
  readonly client: string;
  readonly calledAt: number;
  readonly answeredAt: number;
  readonly call: Read | Write;
  readonly observation: Observation;
}

type WriteOperation = Operation & { readonly call: Write };

/** Knowledge about one version, from 1. */
interface Version {
  /** Its writer: an acknowledged write, or one with an unknown outcome. */
  readonly writer: WriteOperation;
  /** Operations that found it current, except its own writer. */
  readonly seenBy: Operation[];
}

/**
 * Returns the broken promises in the history of one document, one line each; empty if it is linearizable. `listed` is the list of versions
 * after the last operation, newest first, if known: it must hold every version unchanged.
 */
export function checkRegister(operations: readonly Operation[], listed?: readonly StoredVersion[]): string[] {
  const faults = [...checkAnswers(operations), ...checkContents(operations, listed ?? [])];
  if (listed !== undefined) faults.push(...checkOrder(listed), ...checkLast(operations, listed));
  if (faults.length > 0) return faults;
  const { versions, absentBy, missing } = versionsOf(operations, listed ?? []);
  return missing === undefined
    ? checkMoments(versions, absentBy)
    : [`nobody can have made version ${missing}, which was seen`];
}

/** Checks that each response to a write fits the request, and that no version was used twice. */
function checkAnswers(operations: readonly Operation[]): string[] {
  const faults: string[] = [];
  const acknowledged = new Map<number, Operation>();
  for (const operation of operations.filter(isWrite)) {
    const { call, observation } = operation;
    if (observation.kind === 'conflict' && observation.currentVersion === call.expects) {
      faults.push(`${nameOf(operation)} was refused because of version ${call.expects}, which it had expected`);
    }
    if (observation.kind !== 'written') continue;
    const { version, contentHash } = observation.record;
    const other = acknowledged.get(version);
    if (other !== undefined) {
      faults.push(`version ${version} was acknowledged twice: to ${nameOf(other)} and to ${nameOf(operation)}`);
    }
    acknowledged.set(version, operation);
    if (version !== versionMadeBy(operation)) {
      faults.push(`${nameOf(operation)} expected version ${call.expects} and was acknowledged as version ${version}`);
    }
    if (contentHash !== call.contentHash) faults.push(`${nameOf(operation)} was acknowledged with other content`);
  }
  return faults;
}

/** Checks that what reads and the list show was written, as that version, by a write that was not refused. */
function checkContents(operations: readonly Operation[], listed: readonly StoredVersion[]): string[] {
  const check = createContentCheck(operations);
  const read = operations.flatMap((operation) =>
    operation.observation.kind === 'present' ? check(operation.observation.record, nameOf(operation)) : [],
  );
  return [...read, ...listed.flatMap((record) => check(record, 'the list of versions'))];
}

function createContentCheck(operations: readonly Operation[]) {
  const writes = operations.filter(isWrite);
  const writers = new Map(writes.map((operation) => [operation.call.contentHash, operation]));
  const acknowledged = new Map(
    writes.filter(({ observation }) => observation.kind === 'written').map((write) => [versionMadeBy(write), write]),
  );
  const shown = new Map<number, { readonly contentHash: string; readonly by: string }>();
  return ({ version, contentHash }: StoredVersion, by: string): string[] => {
    const writer = writers.get(contentHash);
    if (writer === undefined) return [`${by} shows version ${version} with content that nobody wrote`];
    const made = nameOf(writer);
    if (writer.observation.kind === 'conflict') return [`${by} shows version ${version} by ${made}, which was refused`];
    if (versionMadeBy(writer) !== version) {
      return [`${by} shows as version ${version} what ${made} wrote on version ${writer.call.expects}`];
    }
    const promised = acknowledged.get(version);
    if (promised !== undefined && promised !== writer) {
      return [`${by} shows version ${version} by ${made}, which was acknowledged to ${nameOf(promised)}`];
    }
    const before = shown.get(version) ?? { contentHash, by };
    shown.set(version, before);
    return before.contentHash === contentHash ? [] : [`${by} shows other content of version ${version} than ${before.by}`];
  };
}

/** Checks that the list includes every version that anybody has seen. */
function checkLast(operations: readonly Operation[], listed: readonly StoredVersion[]): string[] {
  const last = listed[0]?.version ?? 0;
  return operations.flatMap((operation) => {
    const version = versionSeenBy(operation) ?? 0;
    if (version <= last) return [];
    const verb = operation.observation.kind === 'written' ? 'was acknowledged to' : 'was shown to';
    return [`version ${version} ${verb} ${nameOf(operation)} and is lost: the list ends with version ${last}`];
  });
}

/** Finds the writer and the readers of each version; `missing` is the first without a possible writer. */
function versionsOf(operations: readonly Operation[], listed: readonly StoredVersion[]) {
  const contents = new Map(listed.map(({ version, contentHash }) => [version, contentHash]));
  for (const { observation } of operations) {
    if ('record' in observation) contents.set(observation.record.version, observation.record.contentHash);
  }
  const seen = Map.groupBy(operations, versionSeenBy);
  const candidates = Map.groupBy(
    operations.filter(isWrite).filter(({ observation }) => observation.kind !== 'conflict'),
    versionMadeBy,
  );
  const last = Math.max(0, ...[...seen.keys()].map((version) => version ?? 0), ...contents.keys());
  const versions: Version[] = [];
  for (let version = 1; version <= last; version++) {
    const contentHash = contents.get(version);
    // Of the unanswered ones, the one called first leaves the most freedom.
    const writer = (candidates.get(version) ?? [])
      .filter(({ call }) => contentHash === undefined || call.contentHash === contentHash)
      .reduce<WriteOperation | undefined>(earlier, undefined);
    if (writer === undefined) return { versions, absentBy: [], missing: version };
    versions.push({ writer, seenBy: (seen.get(version) ?? []).filter((operation) => operation !== writer) });
  }
  return { versions, absentBy: seen.get(0) ?? [], missing: undefined };
}

const earlier = (one: WriteOperation | undefined, other: WriteOperation) =>
  one === undefined || other.calledAt < one.calledAt ? other : one;

/**
 * Finds the moments at which the versions became current, in order. A version must exist before anybody who saw it got a response, and only
 * after everybody who saw the previous one made the call; the earliest possible moment is always best for the following ones.
 */
function checkMoments(versions: readonly Version[], absentBy: readonly Operation[]): string[] {
  let before = absentBy;
  let begun: Operation | undefined;
  for (const [index, { writer, seenBy }] of versions.entries()) {
    for (const operation of [writer, ...before]) {
      if (begun === undefined || operation.calledAt > begun.calledAt) begun = operation;
    }
    const answered = [writer, ...seenBy].filter(({ observation }) => observation.kind !== 'unknown');
    for (const operation of answered) {
      if (begun !== undefined && operation.answeredAt < begun.calledAt) return [contradiction(index + 1, operation, begun)];
    }
    before = seenBy;
  }
  return [];
}

function contradiction(version: number, knows: Operation, disproves: Operation): string {
  const { call, observation } = disproves;
  const older = versionSeenBy(disproves) ?? 0;
  const found = older === 0 ? 'nothing' : `version ${older}`;
  const fact = `${nameOf(knows)} knew version ${version}`;
  if (call.kind === 'write' && observation.kind !== 'conflict') return `${fact} before ${nameOf(disproves)} was called`;
  return `${fact}, and after its answer ${nameOf(disproves)} was called and found ${found}`;
}

const isWrite = (operation: Operation): operation is WriteOperation => operation.call.kind === 'write';

const versionMadeBy = ({ call }: WriteOperation): number => (call.expects ?? 0) + 1;

/** The version that was current when the operation took effect or right after; 0 for none, undefined if unknown. */
function versionSeenBy({ observation }: Operation): number | undefined {
  switch (observation.kind) {
    case 'present':
    case 'written':
      return observation.record.version;
    case 'absent':
      return 0;
    case 'conflict':
      return observation.currentVersion ?? 0;
    case 'unknown':
      return undefined;
  }
}

function nameOf({ client, calledAt, answeredAt, call }: Operation): string {
  const what = call.kind === 'read' ? 'the read' : `the write on version ${call.expects ?? 'none'}`;
  return `${what} of ${client} (${calledAt.toFixed(1)} to ${answeredAt.toFixed(1)} ms)`;
}
