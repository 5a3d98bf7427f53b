/** Valid requests to every route, as bytes, for mutation. */

import { type Operation, operations } from '@holdfast/contract';
import { examples } from '@holdfast/contract/openapi';
import type { Credentials } from '../tooling/credentials.ts';
import { publicStatePath } from '../tooling/credentials.ts';

/** A request in parts, so that a mutation can change a specific one. */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/**
 * One request to each route of the operations table with the credential that it takes, and common variations. Deletions use `victim`, so
 * that a long run keeps the account needed by everything else.
 */
export function requestCorpus(credentials: Credentials, victim: Credentials): readonly RequestParts[] {
  const requests = Object.values(operations).map((operation: Operation) =>
    validRequest(operation, operation.method === 'DELETE' ? victim : credentials),
  );
  const reads = requests.filter(({ method }) => method === 'GET');
  const writes = requests.filter(({ body }) => body !== undefined);
  return [
    ...requests,
    ...reads.map((request) => ({ ...request, method: 'HEAD' })),
    ...writes.map((request) => withHeader(request, 'Expect', '100-continue')),
    ...requests.map(preflight),
    ...publicStateWrites(credentials),
  ];
}

function validRequest(operation: Operation, credentials: Credentials): RequestParts {
  const body = exampleBody(operation);
  return {
    method: operation.method,
    target: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, credentials)),
    headers: [
      ['Host', credentials.host],
      ...authorization(operation, credentials),
      ...(operation.precondition ? [['If-Match', '"1"'] as const] : []),
      ...(body ? [['Content-Type', operation.body?.mediaType ?? ''] as const] : []),
    ],
    body,
  };
}

function segment(name: string, { accountId, slug }: Credentials): string {
  const values: Readonly<Record<string, string>> = {
    accountId,
    slug,
    env: 'development',
    version: '1',
    keyId: 'key_0000000000000000000000',
    endUserId: 'player%2F1',
  };
  return values[name] ?? 'x';
}

function authorization({ access }: Operation, { apiKey, developerToken }: Credentials): [string, string][] {
  if (access.length === 0) return [];
  return [['Authorization', access.includes('api_key') ? `ApiKey ${apiKey}` : `Bearer ${developerToken}`]];
}

function exampleBody({ body }: Operation): Buffer | undefined {
  if (body === undefined) return undefined;
  const example = examples[body.schema] ?? {};
  const isForm = body.mediaType === 'application/x-www-form-urlencoded';
  return Buffer.from(isForm ? String(new URLSearchParams(example as Record<string, string>)) : JSON.stringify(example));
}

function withHeader(request: RequestParts, name: string, value: string): RequestParts {
  return { ...request, headers: [...request.headers, [name, value]] };
}

function preflight({ target, method, headers }: RequestParts): RequestParts {
  const host = headers.filter(([name]) => name === 'Host');
  const asked = [...host, ['Origin', 'https://game.example'], ['Access-Control-Request-Method', method]] as const;
  return { method: 'OPTIONS', target, headers: asked, body: undefined };
}

/** Writes that always succeed, whatever the current version: they reach most of the service's code. */
function publicStateWrites(credentials: Credentials): RequestParts[] {
  const { host, apiKey } = credentials;
  const headers: [string, string][] = [
    ['Host', host],
    ['Authorization', `apikey ${apiKey}`],
    ['Content-Type', 'application/json; charset=utf-8'],
  ];
  const target = publicStatePath(credentials, 'staging');
  const versions = Array.from({ length: 8 }, (_, index) => index + 1);
  const create: RequestParts = {
    method: 'PUT',
    target,
    headers: [...headers, ['If-None-Match', '*']],
    body: Buffer.from('{"state":{"list":[1,2,3],"deep":{"a":{"b":9007199254740993}}},"comment":null}'),
  };
  const patches = versions.map((version) => ({
    method: 'PATCH',
    target: `http://${host}${target}?again=${version}`,
    headers: [...headers, ['If-Match', `"${version}"`] as [string, string]],
    body: Buffer.from(
      '{"ops":[{"op":"add","path":"/list/-","value":1e400},{"op":"replace","path":"/deep/a/b","value":null}]}',
    ),
  }));
  return [create, ...patches];
}

/** The request as sent. The length of a body is added unless the headers frame it already. */
export function requestBytes({ method, target, headers, body }: RequestParts): Buffer {
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const framing = body === undefined || isFramed ? '' : `Content-Length: ${body.length}\r\n`;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}${framing}\r\n`, 'latin1');
  return body === undefined ? head : Buffer.concat([head, body]);
}
