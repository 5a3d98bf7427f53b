/**
 * Ten times the server's capacity for a while: accepted requests are answered soon, others are refused in the right form, memory stays
 * bounded, no acknowledged write is lost, and the service recovers within seconds.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import { ask } from '../tooling/api.ts';
import { serverCore, takeLoadCore } from '../tooling/child-processes.ts';
import { type Credentials, createProject, publicStatePath, withServer } from '../tooling/credentials.ts';
import { type OpenLoopReport, type OpenLoopRequest, offer } from '../tooling/load/open-loop.ts';
import { createRandom, type Random } from '../tooling/random.ts';
import { mebibytes, watchMemory } from '../tooling/readings.ts';
import { quantile, sumOf } from '../tooling/statistics.ts';
import { checkHistory } from './history.ts';
import { createWriteLedger, storedVersions, type WriteLedger } from './write-ledger.ts';

/** One request in this many is a write; the others are reads. */
const writesOneIn = 4;
const calm = { perSecond: 200, connectionsMax: 64 };
const closedConnections = 64;
const overloadFactor = 10;
const acceptedMillisecondsMax = 1_000;
const residentGrowthMebibytesMax = 256;
const sampleMilliseconds = 50;

export interface OverloadOptions {
  readonly seconds: number;
  readonly connections: number;
  /** Of three documents each. With more documents than connections, the share of writes stays the same. */
  readonly projects: number;
  readonly seed: number;
  /** Whether slowness is a fault. It is not in a run so short that its first moments dominate. */
  readonly checksTime: boolean;
}

export interface OverloadReport {
  readonly capacityPerSecond: number;
  readonly overload: OpenLoopReport;
  readonly calmBefore: OpenLoopReport;
  readonly calmAfter: OpenLoopReport;
  readonly residentMebibytes: { readonly before: number; readonly peak: number; readonly after: number };
  readonly acknowledgedWrites: number;
  readonly faults: readonly string[];
}

/** Runs the load on a separate server. Server and load have a core each. */
export function overload({ seconds, connections, projects, seed, checksTime }: OverloadOptions): Promise<OverloadReport> {
  takeLoadCore();
  return withServer({ core: serverCore }, async (server, credentials) => {
    const mix = await createMix(credentials, createRandom(seed), projects);
    const shortSeconds = Math.min(5, seconds);
    const phase = (perSecond: number, connectionsMax: number, length: number) =>
      offer({ port: credentials.port, perSecond, seconds: length, connectionsMax, next: mix.next });

    await phase(calm.perSecond, calm.connectionsMax, shortSeconds); // warms up hot code
    const full = await phase(1e6, closedConnections, shortSeconds);
    const capacityPerSecond = Math.round(full.accepted.length / shortSeconds);
    const calmBefore = await phase(calm.perSecond, calm.connectionsMax, shortSeconds);
    const before = mebibytes(server.residentBytes());
    const peakBytes = watchMemory(server, sampleMilliseconds);
    const heavy = await phase(capacityPerSecond * overloadFactor, connections, seconds);
    const peak = mebibytes(peakBytes());
    await sleep(Math.min(10, seconds) * 1000);
    const calmAfter = await phase(calm.perSecond, calm.connectionsMax, shortSeconds);
    const residentMebibytes = { before, peak, after: mebibytes(server.residentBytes()) };
    const report = { capacityPerSecond, overload: heavy, calmBefore, calmAfter, residentMebibytes };
    const acknowledgedWrites = sumOf(mix.ledgers, ({ acknowledged }) => acknowledged.length);
    return { ...report, acknowledgedWrites, faults: [...checkReport(report, checksTime), ...(await mix.verify())] };
  });
}

function checkReport(report: Omit<OverloadReport, 'faults' | 'acknowledgedWrites'>, checksTime: boolean): string[] {
  const { overload: heavy, calmBefore, calmAfter, residentMebibytes } = report;
  const faults = [...heavy.faults, ...calmBefore.faults, ...calmAfter.faults];
  if (heavy.lost > 0) faults.push(`${heavy.lost} requests lost their connection before an answer`);
  const growth = residentMebibytes.peak - residentMebibytes.before;
  if (growth > residentGrowthMebibytesMax) faults.push(`the server grew by ${growth} MiB`);
  if (calmAfter.refused.length > 0) faults.push(`${calmAfter.refused.length} requests were refused after the overload`);
  if (!checksTime) return faults;
  const p99 = quantile(heavy.accepted, 0.99);
  if (p99 > acceptedMillisecondsMax) faults.push(`accepted requests took ${Math.round(p99)} ms at the 99th percentile`);
  const [before, after] = [quantile(calmBefore.accepted, 0.99), quantile(calmAfter.accepted, 0.99)];
  if (after > 2 * before + 20)
    faults.push(`the 99th percentile was ${before.toFixed(1)} ms before and is ${after.toFixed(1)} ms`);
  return faults;
}

interface Mix {
  readonly ledgers: readonly WriteLedger[];
  next(): OpenLoopRequest;
  verify(): Promise<string[]>;
}

interface Document {
  readonly apiKey: string;
  /** Headers of every request. */
  readonly head: string;
  readonly ledger: WriteLedger;
}

/** Requests to some thousand documents: a read, or the next write of a document without a pending write. */
async function createMix(credentials: Credentials, random: Random, projects: number): Promise<Mix> {
  const documents: Document[] = [];
  let made = 0;
  const make = async () => {
    while (made < projects) {
      const slug = `overload-${++made}`;
      const apiKey = await createProject(credentials, slug);
      const head = `Host: ${credentials.host}\r\nAuthorization: ApiKey ${apiKey}\r\n`;
      for (const environment of environments) {
        const path = publicStatePath({ ...credentials, slug }, environment);
        documents.push({ apiKey, head, ledger: createWriteLedger(path, random.fork()) });
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, make));
  const idle = [...documents];

  const read = (): OpenLoopRequest => {
    const { head, ledger } = random.pick(documents);
    return { wire: `GET ${ledger.path} HTTP/1.1\r\n${head}\r\n` };
  };
  const write = (document: Document): OpenLoopRequest => {
    const { method, headers, body } = document.ledger.next();
    const [[name, value] = []] = Object.entries(headers);
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return {
      wire: `${method} ${document.ledger.path} HTTP/1.1\r\n${document.head}${length}${name}: ${value}\r\n\r\n${body}`,
      onAnswer: (status, answerHead) => {
        document.ledger.settle({ status, etag: /\r\nETag: ([^\r]*)/i.exec(answerHead)?.[1] });
        idle.push(document);
      },
    };
  };
  const next = () => {
    const document = random.oneIn(writesOneIn) ? idle.shift() : undefined;
    return document === undefined ? read() : write(document);
  };

  const verifyOne = async ({ apiKey, ledger }: Document): Promise<string[]> => {
    const { acknowledged, inFlight, path, storedUnanswered } = ledger;
    const reader = { baseUrl: credentials.baseUrl, authorization: `ApiKey ${apiKey}` };
    const { text } = await ask(reader, 200, 'GET', `${path}/versions`);
    const faults = checkHistory({ acknowledged, inFlight, found: storedVersions(text) });
    if (storedUnanswered > 0) faults.push(`${storedUnanswered} writes were refused and stored nevertheless`);
    return faults.map((fault) => `${path}: ${fault}`);
  };
  const verify = async () => {
    const faults: string[] = [];
    for (const document of documents) faults.push(...(await verifyOne(document)));
    return faults;
  };
  return { ledgers: documents.map(({ ledger }) => ledger), next, verify };
}
