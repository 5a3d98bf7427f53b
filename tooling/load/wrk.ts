/** Puts load on a server with wrk. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { loadCore, outputOf, spawnPinned } from '../child-processes.ts';
import { temporaryPath } from '../workspace.ts';
import { revisionMark } from './documents.ts';
import { pathOf } from './seed.ts';

const script = `${import.meta.dirname}/wrk.lua`;

export interface Load {
  readonly kind: 'fixed' | 'spread' | 'chain' | 'refresh';
  readonly url: string;
  readonly connections: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For all but `fixed`: a file made by {@link writeSpreadPlan}, {@link writeChainPlan} or {@link writeRefreshPlan}. */
  readonly planFile?: string;
}

export interface LoadReport {
  readonly requests: number;
  readonly microseconds: number;
  readonly bytes: number;
  readonly conflicts: number;
  /** Responses of 400 and above, except conflicts. */
  readonly refused: number;
  readonly socketErrors: number;
  readonly latencyMicroseconds: { readonly p50: number; readonly p99: number; readonly max: number };
}

/** A document that one connection reads once and then writes repeatedly. */
interface Chain {
  readonly method: 'PUT' | 'PATCH';
  readonly path: string;
  readonly authorization: string;
  /** The alternating bodies. */
  readonly bodies: readonly string[];
}

/** Sends load for some seconds and returns its results. */
export async function sendLoad(load: Load, seconds: number): Promise<LoadReport> {
  // A chain of requests needs one thread per connection, since the variables of a script belong to its thread.
  const threads = load.kind === 'chain' || load.kind === 'refresh' ? load.connections : 1;
  const command = ['wrk', `-t${threads}`, `-c${load.connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script];
  for (const [name, value] of Object.entries(load.headers ?? {})) command.push('-H', `${name}: ${value}`);
  command.push(load.url);
  if (load.planFile !== undefined) command.push('--', load.planFile);
  const env = { ...process.env, HOLDFAST_LOAD: load.kind };
  const child = spawnPinned(loadCore, command, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const output = outputOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  const line = /^REPORT (.*)$/m.exec(output())?.[1];
  if (code !== 0 || line === undefined) throw new Error(`wrk ended with code ${code} and said:\n${output()}`);
  return JSON.parse(line) as LoadReport;
}

/** Returns whether every request succeeded as expected. */
export function isClean({ requests, refused, socketErrors, conflicts }: LoadReport, { connections }: Load): boolean {
  // If an earlier load was cut off, its last write may land between the first read and the first write of this one.
  return requests > 0 && refused === 0 && socketErrors === 0 && conflicts <= connections;
}

/**
 * Writes a plan of paths for GET requests, sent in turn; returns the file. `authorizationOf` returns the credential of each if they differ.
 */
export function writeSpreadPlan(paths: readonly string[], authorizationOf?: (index: number) => string): string {
  const file = temporaryPath('paths.txt');
  const lines = paths.map((path, index) => (authorizationOf ? `${path}\t${authorizationOf(index)}` : path));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** A load of writes with one connection per key, each to a separate project. The number in each body marks its revision. */
export function chainLoad(
  url: string,
  apiKeys: readonly string[],
  method: Chain['method'],
  bodies: readonly string[],
): Load {
  const chains = apiKeys.map((key, index) => ({ method, path: pathOf(index), authorization: `ApiKey ${key}`, bodies }));
  return { kind: 'chain', url, connections: apiKeys.length, planFile: writeChainPlan(chains, revisionMark) };
}

/** A load of reads, of one document per key in turn. */
export function readLoad(url: string, apiKeys: readonly string[], connections: number): Load {
  const paths = apiKeys.map((_, index) => pathOf(index));
  const planFile = writeSpreadPlan(paths, (index) => `ApiKey ${apiKeys[index]}`);
  return { kind: 'spread', url, connections, planFile };
}

/** Writes a plan of chains, one per connection. `mark` is the number in every body that each write replaces. */
function writeChainPlan(chains: readonly Chain[], mark: number): string {
  const entries = chains.map((chain) => {
    const writes = chain.bodies.map((body) => luaTable(writeRequest(chain, body, mark)));
    return `{read=${luaText(getRequest(chain.path, chain.authorization))}, writes={${writes}}}`;
  });
  const file = temporaryPath('chains.lua');
  writeFileSync(file, `return {\n${entries.join(',\n')}\n}\n`);
  return file;
}

/** A write up to its entity tag, and the body's text before and after the number. */
function writeRequest({ method, path, authorization }: Chain, body: string, mark: number) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'If-Match: ',
  ].join('\r\n');
  const [before, after, ...more] = body.split(String(mark));
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`the body for ${path} does not hold ${mark} exactly once`);
  }
  return { head, before, after };
}

/** Writes a plan of refresh tokens, one per connection. */
export function writeRefreshPlan(refreshTokens: readonly string[]): string {
  const file = temporaryPath('refresh.lua');
  writeFileSync(file, `return {${refreshTokens.map(luaText)}}\n`);
  return file;
}

function getRequest(path: string, authorization: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`;
}

const luaTable = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields).map(([name, value]) => `${name}=${luaText(value)}`)}}`;

/** A Lua literal. For text whose only control characters are line ends, JSON and Lua are the same. */
const luaText = (text: string): string => JSON.stringify(text);
