/** A server with a project and a key, and requests to it as plain text. */
import { expect } from 'vitest';
import type { HttpAnswer } from '../../tooling/http-answers.ts';
import { type AnswerOptions, connectRaw, exchangeRaw, type RawConnection } from '../support/raw.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support/server.ts';

export interface World {
  readonly server: TestServer;
  readonly baseUrl: string;
  /** The path of the project's public state in `development`. */
  readonly statePath: string;
  /** `Authorization` line with the project's key. */
  readonly keyLine: string;
  /** `Authorization` line with the account's developer token. */
  readonly tokenLine: string;
  /** Path of unwritten public state in a new project, and the `Authorization` line of its key. */
  newDocument(): Promise<{ readonly path: string; readonly keyLine: string }>;
  /** Sends one request over a new connection. */
  exchange(request: string | Uint8Array, options?: AnswerOptions): Promise<HttpAnswer>;
  connect(): Promise<RawConnection>;
  stop(): Promise<void>;
}

/** Starts the server. `settings` are environment variables. */
export async function openWorld(
  settings: Readonly<Record<string, string>> = {},
  options: Omit<TestServerOptions, 'settings'> = {},
): Promise<World> {
  const server = await startServer({ ...options, settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0', ...settings } });
  const developer = await server.newDeveloper();
  const newDocument = async () => {
    const project = await server.newProject(developer);
    const { apiKey } = await server.newApiKey(project);
    return { path: `${project.path}/public-state/development`, keyLine: `Authorization: ApiKey ${apiKey}` };
  };
  const { path: statePath, keyLine } = await newDocument();
  return {
    server,
    baseUrl: server.baseUrl,
    statePath,
    keyLine,
    tokenLine: `Authorization: Bearer ${developer.token}`,
    newDocument,
    exchange: (request, options) => exchangeRaw(server.baseUrl, request, options),
    connect: () => connectRaw(server.baseUrl),
    stop: () => server.stop(),
  };
}

/** Text of a request: its line, `Host`, further header lines, and an optional body with its length. */
export function requestText(line: string, headerLines: readonly string[] = [], body?: string): string {
  const framing = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  return `${[`${line} HTTP/1.1`, 'Host: localhost', ...headerLines, ...framing].join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Text of a chunked body, with one chunk for each piece. */
export function chunked(...pieces: readonly string[]): string {
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
}

export const jsonLine = 'Content-Type: application/json';
export const createLine = 'If-None-Match: *';

/** Header lines of a write that creates the document. */
export const writeLines = (keyLine: string): string[] => [keyLine, jsonLine, createLine];

/** Expects an error envelope with this status and code, and the common headers. */
export function expectRefusal(answer: HttpAnswer, status: number, code: string): void {
  const { error, message } = JSON.parse(answer.body.toString('utf8')) as { error: string; message: string };
  expect({ status: answer.status, error }).toEqual({ status, error: code });
  expect(message).not.toBe('');
  expect(answer.headers.get('content-type')).toBe('application/json');
  expectCommonHeaders(answer);
}

/** Expects the headers of every response. */
export function expectCommonHeaders({ headers }: HttpAnswer): void {
  expect(headers.get('api-version')).toBe('1');
  expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/);
}
