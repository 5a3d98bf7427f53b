/**
 * The ledger of one document that is written version after version: what to send next, and what was acknowledged. Pure: it sends nothing.
 */

import { createHash } from 'node:crypto';
import { writesAfter } from '../tooling/api.ts';
import type { Random } from '../tooling/random.ts';
import type { StoredVersion } from './history.ts';

interface LedgerDocument {
  readonly writer: string;
  count: number;
  readonly log: number[];
  padding: string;
}

/** A write to send, unchanged until it is settled. */
interface PendingWrite extends StoredVersion {
  readonly method: 'PUT' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The parts of a response that settle a write. */
interface WriteAnswer {
  readonly status: number;
  readonly etag: string | undefined;
}

export interface WriteLedger {
  readonly path: string;
  /** Every version known to be stored, oldest first. */
  readonly acknowledged: readonly StoredVersion[];
  /** The sent but unsettled write. */
  readonly inFlight: StoredVersion | undefined;
  /** Writes that were refused or unanswered, and found stored when repeated. */
  readonly storedUnanswered: number;
  /** The next write to send. */
  next(): PendingWrite;
  /** Takes its response. Throws if neither a healthy nor an unavailable service would give it. */
  settle(answer: WriteAnswer): 'stored' | 'refused';
  /** Continues from the server's list, newest first, which the caller has checked. */
  resume(found: readonly { readonly version: number; readonly state: unknown }[]): void;
}

/** Most writes are small, like most documents; some span many pages of the database. */
const paddingCharacters = [...Array(16).fill(0), 200, 500, 2_000, 20_000] as readonly number[];
const logEntriesMax = 50;

/** A ledger of the public state at `path`, which must be empty. */
export function createWriteLedger(path: string, random: Random): WriteLedger {
  const acknowledged: StoredVersion[] = [];
  let current: LedgerDocument = { writer: path, count: 0, log: [], padding: '' };
  let pending: (PendingWrite & { readonly document: LedgerDocument; attempts: number }) | undefined;
  let storedUnanswered = 0;

  const prepare = () => {
    const version = acknowledged.at(-1)?.version ?? 0;
    const replaces = version === 0 || current.log.length >= logEntriesMax || random.oneIn(2);
    const document = structuredClone(current);
    return {
      version: version + 1,
      method: replaces ? ('PUT' as const) : ('PATCH' as const),
      headers: writesAfter(version),
      body: replaces ? replacement(document, random) : patch(document),
      contentHash: hashOf(document),
      document,
      attempts: 0,
    };
  };

  return {
    path,
    acknowledged,
    get inFlight() {
      return pending;
    },
    get storedUnanswered() {
      return storedUnanswered;
    },
    next() {
      pending ??= prepare();
      pending.attempts++;
      return pending;
    },
    settle({ status, etag }) {
      if (pending === undefined) throw new Error(`${path}: an answer to no write`);
      const isThere = etag === `"${pending.version}"`;
      if (status === 503) return 'refused';
      if (status === 412 && isThere && pending.attempts > 1) storedUnanswered++;
      else if (status !== 200 || !isThere) {
        throw new Error(`${path}: status ${status} and ETag ${etag} after a write of version ${pending.version}`);
      }
      acknowledged.push({ version: pending.version, contentHash: pending.contentHash });
      current = pending.document;
      pending = undefined;
      return 'stored';
    },
    resume(found) {
      const newest = found[0];
      if (newest === undefined) return;
      current = newest.state as LedgerDocument;
      if (pending !== undefined && newest.version === pending.version) {
        acknowledged.push({ version: pending.version, contentHash: pending.contentHash });
      }
      pending = undefined;
    },
  };
}

function replacement(document: LedgerDocument, random: Random): string {
  document.count++;
  document.log.length = 0;
  document.padding = 'p'.repeat(random.pick(paddingCharacters));
  return JSON.stringify({ state: document });
}

function patch(document: LedgerDocument): string {
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

/** The versions in the text of a list, as the service returned it. */
export function storedVersions(list: string): readonly StoredVersion[] {
  const records = JSON.parse(list) as readonly { readonly version: number; readonly state: unknown }[];
  return records.map(({ version, state }) => ({ version, contentHash: hashOf(state) }));
}
