/** A writer that puts one version after another on one document and remembers what it was promised. */
import { createHash } from 'node:crypto';
import { type Api, expectStatus } from './api.ts';
import type { StoredVersion } from './history.ts';
import type { Random } from './random.ts';

interface ChainDocument {
  readonly writer: string;
  count: number;
  readonly log: number[];
  padding: string;
}

export interface WriteChain {
  readonly api: Api;
  readonly path: string;
  readonly acknowledged: readonly StoredVersion[];
  readonly inFlight: StoredVersion | undefined;
  /** Writes version after version until the server is gone; rejects when it answers anything but success before that. */
  writeUntil(isServerGone: () => boolean): Promise<void>;
  /** Goes on from what a restarted server holds, which the caller has found to be right. */
  resume(found: readonly { readonly version: number; readonly state: unknown }[]): void;
}

/** Most writes are small, as most documents are; some span many pages of the database. */
const paddingCharacters = [...Array(16).fill(0), 200, 500, 2_000, 20_000] as readonly number[];
const logEntriesMax = 50;

/** A chain on the public state at `path`, which must be empty. `api` outlives the server that it speaks to. */
export function createWriteChain(api: Api, path: string, random: Random): WriteChain {
  const acknowledged: StoredVersion[] = [];
  let current: ChainDocument = { writer: path, count: 0, log: [], padding: '' };
  let inFlight: StoredVersion | undefined;

  const writeOnce = async (): Promise<void> => {
    const { version = 0 } = acknowledged.at(-1) ?? {};
    const replaces = version === 0 || current.log.length >= logEntriesMax || random.oneIn(2);
    const next = structuredClone(current);
    const body = replaces ? replacement(next, random) : patch(next);
    inFlight = { version: version + 1, contentHash: hashOf(next) };
    const headers = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const answer = expectStatus(await api.send(replaces ? 'PUT' : 'PATCH', path, { headers, body }), 200);
    if (answer.headers.etag !== `"${version + 1}"`)
      throw new Error(`${path}: ETag ${answer.headers.etag} after "${version}"`);
    acknowledged.push(inFlight);
    inFlight = undefined;
    current = next;
  };

  return {
    api,
    path,
    acknowledged,
    get inFlight() {
      return inFlight;
    },
    async writeUntil(isServerGone) {
      while (!isServerGone()) {
        try {
          await writeOnce();
        } catch (error) {
          if (!isServerGone()) throw error;
        }
      }
    },
    resume(found) {
      const newest = found[0];
      if (newest === undefined) return;
      current = newest.state as ChainDocument;
      if (newest.version === inFlight?.version) acknowledged.push(inFlight);
      inFlight = undefined;
    },
  };
}

function replacement(document: ChainDocument, random: Random): string {
  document.count++;
  document.log.length = 0;
  document.padding = 'p'.repeat(random.pick(paddingCharacters));
  return JSON.stringify({ state: document });
}

function patch(document: ChainDocument): string {
  document.count++;
  document.log.push(document.count);
  const ops = [
    { op: 'replace', path: '/count', value: document.count },
    { op: 'add', path: '/log/-', value: document.count },
  ];
  return JSON.stringify({ ops });
}

/** SHA-256 of the compact JSON text of a document. */
export function hashOf(document: unknown): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}
