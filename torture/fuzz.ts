/**
 * Raw byte fuzz of the listener. Every case is a mutated request on its own connection, followed by a healthy request on another. Whatever
 * is sent, the process survives, no status is 5xx, every response is well-formed HTTP with `API-Version: 1`, and memory stays bounded.
 */

import { errorCodes, quotaCodes, tokenErrorCodes } from '@holdfast/contract';
import { type Credentials, createAccount, withServer } from '../tooling/credentials.ts';
import { type HttpAnswer, readAnswer } from '../tooling/http-answers.ts';
import { createRandom } from '../tooling/random.ts';
import { mebibytes, watchMemory } from '../tooling/readings.ts';
import type { ServerProcess } from '../tooling/server-process.ts';
import { Counts } from '../tooling/statistics.ts';
import { type RequestParts, requestCorpus } from './corpus.ts';
import { createProbe, type Probe } from './health-probe.ts';
import { mutated } from './mutate.ts';
import { sendAndCollect } from './raw-exchange.ts';

const parallelConnections = 96;
/** An idle process takes 90 MiB; each connection may hold a body of 2 MiB, its text and its parsed value. */
const residentMebibytesMax = 512;
const memorySampleMilliseconds = 100;
const faultsMax = 20;

export interface FuzzOptions {
  readonly cases: number;
  /** Case number i has the seed `seed + i`, so that each can be repeated alone. */
  readonly seed: number;
  /** Variables of the server, for example of another store. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface FuzzReport {
  readonly cases: number;
  readonly answers: number;
  /** Cases with at least one response. */
  readonly answeredCases: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly residentMebibytesPeak: number;
  /** Each begins with the seed of its case. Empty if all promises held. */
  readonly faults: readonly string[];
}

/** Starts a server, sends the cases and reports; rejects only if the server cannot be started. */
export function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const env = { SVC_BODY_TIMEOUT_SECONDS: '5', SVC_QUOTA_API_REQUESTS_PER_MONTH: '0', ...options.env };
  return withServer({ env }, async (server, credentials, dataDir) => {
    const corpus = requestCorpus(credentials, await createAccount(dataDir, credentials, options.env));
    return fuzzServer(server, credentials, corpus, options);
  });
}

interface Tally {
  answers: number;
  answeredCases: number;
  readonly statuses: Counts<number>;
  readonly faults: string[];
}

async function fuzzServer(
  server: ServerProcess,
  credentials: Credentials,
  corpus: readonly RequestParts[],
  { cases, seed }: FuzzOptions,
): Promise<FuzzReport> {
  const tally: Tally = { answers: 0, answeredCases: 0, statuses: new Counts(), faults: [] };
  const peak = watchMemory(server, memorySampleMilliseconds);
  let next = 0;
  const worker = async () => {
    const probe = createProbe(credentials);
    while (next < cases && tally.faults.length < faultsMax && server.isRunning()) {
      await runCase({ seed: seed + next++, corpus, credentials, probe, tally });
    }
    probe.close();
  };
  await Promise.all(Array.from({ length: Math.min(parallelConnections, cases) }, worker));
  const residentMebibytesPeak = mebibytes(peak());
  tally.faults.push(...faultsOfProcess(server, residentMebibytesPeak));
  return { cases: next, ...tally, residentMebibytesPeak };
}

interface Case {
  readonly seed: number;
  readonly corpus: readonly RequestParts[];
  readonly credentials: Credentials;
  readonly probe: Probe;
  readonly tally: Tally;
}

async function runCase({ seed, corpus, credentials, probe, tally }: Case): Promise<void> {
  const random = createRandom(seed);
  const bytes = mutated(random.pick(corpus), random.pick(corpus), random);
  const cutAt = random.oneIn(4) ? random.below(bytes.length + 1) : bytes.length;
  const { wire, isHeld } = await sendAndCollect(credentials, [bytes.subarray(0, cutAt), bytes.subarray(cutAt)]);
  const { answers, faults } = checkWire(wire, bytes);
  if (isHeld) faults.push('the server held the connection open after the client had ended it');
  if (answers.length > 0) tally.answeredCases++;
  for (const { status } of answers) {
    tally.answers++;
    tally.statuses.add(status);
  }
  const sick = await probe.check();
  if (sick !== undefined) faults.push(`the healthy request after it: ${sick}`);
  tally.faults.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
}

/** The responses on a connection, and their faults. `request` is what was sent. */
export function checkWire(wire: Buffer, request: Buffer): { answers: HttpAnswer[]; faults: string[] } {
  const answers: HttpAnswer[] = [];
  const faults: string[] = [];
  const toHead = request.includes('HEAD') ? 'unknown' : false;
  let rest = wire;
  while (rest.length > 0) {
    const reading = readAnswer(rest, { toHead });
    if (reading.kind === 'incomplete') break; // cut by the end of the connection, as the client requested
    if (reading.kind === 'malformed') {
      faults.push(`a malformed answer: ${reading.fault}`);
      break;
    }
    if (reading.answer.status >= 200) answers.push(reading.answer);
    rest = rest.subarray(reading.bytes);
  }
  faults.push(...answers.map(checkAnswer).filter((fault) => fault !== undefined));
  return { answers, faults };
}

const knownCodes = new Set([errorCodes, quotaCodes, tokenErrorCodes].flatMap((codes) => Object.keys(codes)));

function checkAnswer({ status, headers, body }: HttpAnswer): string | undefined {
  if (status >= 500) return `status ${status}`;
  const version = headers.get('api-version');
  if (version !== '1') return `status ${status} with API-Version ${version ?? 'missing'}`;
  if (headers.get('content-type') !== 'application/json' || body.length === 0) return undefined;
  try {
    const { error, code } = Object(JSON.parse(body.toString('utf8'))) as { error?: unknown; code?: unknown };
    return status < 400 || knownCodes.has(String(error ?? code)) ? undefined : `status ${status} with an unknown code`;
  } catch {
    return `status ${status} with a body that is no JSON`;
  }
}

function faultsOfProcess(server: ServerProcess, residentMebibytesPeak: number): string[] {
  const faults: string[] = [];
  if (!server.isRunning()) faults.push(`the server ended:\n${server.output()}`);
  if (/uncaught|unhandled|MaxListenersExceeded/i.test(server.output()))
    faults.push(`the server complained:\n${server.output()}`);
  if (residentMebibytesPeak > residentMebibytesMax) {
    faults.push(`the server took ${residentMebibytesPeak} MiB, more than ${residentMebibytesMax}`);
  }
  return faults;
}
