/** A client that reads, writes and patches a few documents on any node, and records results with times. */

import type { ApiAnswer } from '../tooling/api.ts';
import { writesAfter } from '../tooling/api.ts';
import type { Random } from '../tooling/random.ts';
import type { Observation, Operation, Read, Write } from './linearizability.ts';
import { expectUnavailable } from './write-chain.ts';
import { hashOf } from './write-ledger.ts';

/** A document of these clients. */
interface MarkedDocument {
  /** Unique to each write. */
  readonly marker: string;
  readonly log: readonly number[];
  readonly padding: string;
}

/** A client's knowledge of a document: as it was read, a version from a refusal, or that there is none. */
type Knowledge = { readonly version: number; readonly document?: MarkedDocument } | 'absent' | undefined;

/** A request to send, and its meaning. */
interface PlannedOperation {
  readonly kind: 'GET' | 'PUT' | 'PATCH';
  readonly call: Read | Write;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

/** Sends a request to one node. Resolves with undefined if the node was killed; rejects if it just does not respond. */
export type SendToNode = (
  method: string,
  path: string,
  options: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<ApiAnswer | undefined>;

export interface RegisterClient {
  /** Runs one operation; the outcome is `unknown` if it may have taken effect, or a read failed. */
  operate(
    send: SendToNode,
    path: string,
  ): Promise<{ readonly kind: PlannedOperation['kind']; readonly operation: Operation }>;
}

export interface RegisterClientOptions {
  readonly name: string;
  readonly random: Random;
  /** Receives responses that a service must never give, whatever happens to its database. */
  onFault(fault: string): void;
  /** Milliseconds of a clock that all clients share. */
  readonly now: () => number;
}

/** One write in this many must be refused: it names an outdated version. */
const staleOneIn = 12;
const readsOneIn = 2;
const logEntriesMax = 30;
const paddingCharacters = [...Array(12).fill(0), 200, 2_000, 9_000] as readonly number[];

/** A client without initial knowledge. */
export function createRegisterClient({ name, random, onFault, now }: RegisterClientOptions): RegisterClient {
  const known = new Map<string, Knowledge>();
  let markers = 0;
  return {
    async operate(send, path) {
      const plan = planOperation(known.get(path), `${name}-${++markers}`, random);
      const { kind, call, headers, body } = plan;
      const calledAt = now();
      let observation: Observation = { kind: 'unknown' };
      try {
        const answer = await send(kind, path, { headers, ...(body !== undefined && { body }) });
        if (answer !== undefined) {
          const seen = readAnswer(answer, plan);
          observation = seen.observation;
          if (observation.kind !== 'unknown') known.set(path, seen.knowledge);
        }
      } catch (error) {
        onFault(`${kind} ${path} of ${name}: ${(error as Error).message}`);
      }
      return { kind, operation: { client: name, calledAt, answeredAt: now(), call, observation } };
    },
  };
}

function planOperation(known: Knowledge, marker: string, random: Random): PlannedOperation {
  if (known === undefined || random.oneIn(readsOneIn)) return { kind: 'GET', call: { kind: 'read' }, headers: {} };
  const current = known === 'absent' ? null : known.version;
  const expects = current !== null && random.oneIn(staleOneIn) ? olderThan(current, random) : current;
  const headers = writesAfter(expects);
  const base = known === 'absent' ? undefined : known.document;
  const isPatch = random.oneIn(2) && expects === current && (base !== undefined || expects === null);
  if (isPatch) {
    const { document, ops } = patched(base, marker);
    const call: Write = { kind: 'write', expects, contentHash: hashOf(document) };
    return { kind: 'PATCH', call, headers, body: JSON.stringify({ ops }) };
  }
  const document: MarkedDocument = { marker, log: [], padding: 'p'.repeat(random.pick(paddingCharacters)) };
  const call: Write = { kind: 'write', expects, contentHash: hashOf(document) };
  return { kind: 'PUT', call, headers, body: JSON.stringify({ state: document }) };
}

/** An earlier version, or none. */
const olderThan = (version: number, random: Random): number | null =>
  version === 1 || random.oneIn(3) ? null : version - 1;

/** The operations that create `document` from the existing one, or from nothing. */
function patched(base: MarkedDocument | undefined, marker: string): { document: MarkedDocument; ops: unknown[] } {
  if (base === undefined) {
    const document = { marker, log: [1], padding: '' };
    return { document, ops: Object.entries(document).map(([key, value]) => ({ op: 'add', path: `/${key}`, value })) };
  }
  const replaceMarker = { op: 'replace', path: '/marker', value: marker };
  if (base.log.length >= logEntriesMax) {
    return { document: { ...base, marker, log: [] }, ops: [replaceMarker, { op: 'replace', path: '/log', value: [] }] };
  }
  const entry = base.log.length + 1;
  const document = { ...base, marker, log: [...base.log, entry] };
  return { document, ops: [replaceMarker, { op: 'add', path: '/log/-', value: entry }] };
}

interface Seen {
  readonly observation: Observation;
  readonly knowledge: Knowledge;
}

/** The meaning of a response. Throws if it is impossible for the request. */
function readAnswer(answer: ApiAnswer, { kind, call }: PlannedOperation): Seen {
  const { status, headers, text } = answer;
  const isRead = call.kind === 'read';
  if (status === 200) {
    const { version, state } = JSON.parse(text) as { version: number; state: MarkedDocument };
    if (headers.etag !== `"${version}"`) throw new Error(`version ${version} came with the entity tag ${headers.etag}`);
    const record = { version, contentHash: hashOf(state) };
    return { observation: { kind: isRead ? 'present' : 'written', record }, knowledge: { version, document: state } };
  }
  if (status === 204 && isRead) return { observation: { kind: 'absent' }, knowledge: 'absent' };
  if (status === 412 && !isRead) {
    const { currentVersion } = JSON.parse(text) as { currentVersion: number | null };
    const tag = currentVersion === null ? undefined : `"${currentVersion}"`;
    if (headers.etag !== tag) throw new Error(`a refusal because of version ${currentVersion} came with ${headers.etag}`);
    const knowledge = currentVersion === null ? 'absent' : { version: currentVersion };
    return { observation: { kind: 'conflict', currentVersion }, knowledge };
  }
  if (status !== 503) throw new Error(`status ${status} in answer to a ${kind}: ${text.slice(0, 200)}`);
  expectUnavailable(answer);
  return { observation: { kind: 'unknown' }, knowledge: undefined };
}
