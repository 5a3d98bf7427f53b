/** What a reverse proxy must forward unchanged, each as a request to it and a check of the response. */

import { createHash } from 'node:crypto';
import type { Credentials } from '../../tooling/credentials.ts';
import { projectPath } from '../../tooling/credentials.ts';
import { type Answer, type Ask, exchangeBytes, follow } from '../../tooling/proxies/proxy-client.ts';

export interface Behind {
  /** Sends a request to the proxy. */
  readonly ask: Ask;
  /** Sends a request to the service. */
  readonly direct: Ask;
  readonly credentials: Credentials;
  /** The address of the proxy. */
  readonly port: number;
  /** The limit of one client address on anonymous routes, per minute. */
  readonly addressLimit: number;
}

/** Resolves with the fault, or undefined. */
type Case = (behind: Behind) => Promise<string | undefined>;

const path = ({ credentials }: Behind, rest: string) => `${projectPath(credentials)}/${rest}`;
const withKey = ({ credentials: { apiKey } }: Behind) => ({ Authorization: `ApiKey ${apiKey}` });
const withToken = ({ credentials: { developerToken } }: Behind) => ({ Authorization: `Bearer ${developerToken}` });
const compressed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
const json = { 'Content-Type': 'application/json' };
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

function differs(what: string, got: unknown, wanted: unknown): string | undefined {
  return got === wanted ? undefined : `${what} is ${String(got)}, not ${String(wanted)}`;
}

/** The fault of a refusal: its status, its code, or a form other than the API's. */
function notRefusal(answer: Answer, status: number, code: string): string | undefined {
  const wrong = differs('status', answer.status, status) ?? differs('API-Version', answer.headers['api-version'], '1');
  if (wrong !== undefined) return `${wrong}: ${answer.text.slice(0, 120)}`;
  try {
    return differs('error', (JSON.parse(answer.text) as { error?: unknown }).error, code);
  } catch {
    return `the body is no JSON: ${answer.text.slice(0, 120)}`;
  }
}

const document = (behind: Behind, env = 'development') => path(behind, `public-state/${env}`);

const read = (behind: Behind, further: Readonly<Record<string, string>> = {}, env?: string) =>
  behind.ask({ path: document(behind, env), headers: { ...withKey(behind), ...compressed, ...further } });

const write = (behind: Behind, headers: Readonly<Record<string, string>>, state: unknown, env?: string) =>
  behind.ask({
    method: 'PUT',
    path: document(behind, env),
    headers: { ...withKey(behind), ...json, ...compressed, ...headers },
    body: JSON.stringify({ state }),
  });

/** Cases over HTTP/1.1 and HTTP/2 alike. */
export const cases: Readonly<Record<string, Case>> = {
  'GET: entity tag, headers and body are those of the service': async (behind) => {
    const answer = await read(behind);
    const origin = await behind.direct({ path: document(behind), headers: withKey(behind) });
    const names = ['etag', 'api-version', 'cache-control', 'vary', 'content-type', 'content-encoding'];
    const header = names.map((name) => differs(name, answer.headers[name], origin.headers[name])).find(Boolean);
    const wrongTag = /^"[1-9][0-9]*"$/.test(answer.headers.etag ?? '') ? undefined : `ETag is ${answer.headers.etag}`;
    return wrongTag ?? header ?? differs('body', answer.text, origin.text);
  },
  'GET with If-None-Match: 304 with the entity tag': async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const answer = await read(behind, { 'If-None-Match': etag });
    return differs('status', answer.status, 304) ?? differs('ETag', answer.headers.etag, etag);
  },
  'GET of nothing: 204': async (behind) => differs('status', (await read(behind, {}, 'production')).status, 204),
  'HEAD: the headers of GET': async (behind) => {
    const answer = await behind.ask({ method: 'HEAD', path: document(behind), headers: withKey(behind) });
    return differs('ETag', answer.headers.etag, (await read(behind)).headers.etag);
  },
  'PUT with If-Match: 200, then 412 with the current entity tag': async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const first = await write(behind, { 'If-Match': etag }, { a: 1 });
    if (first.status !== 200) return `status is ${first.status}: ${first.text}`;
    const second = await write(behind, { 'If-Match': etag }, { a: 2 });
    const tag = differs('ETag of the conflict', second.headers.etag, first.headers.etag);
    return notRefusal(second, 412, 'version_conflict') ?? tag;
  },
  'PATCH with If-Match: 200': async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const body = JSON.stringify({ ops: [{ op: 'add', path: '/b', value: 9007199254740993n.toString() }] });
    const headers = { ...withKey(behind), ...json, 'If-Match': etag };
    const answer = await behind.ask({ method: 'PATCH', path: document(behind), headers, body });
    return differs('status', answer.status, 200);
  },
  'a write with an Idempotency-Key that is sent again counts once': async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const headers = { 'If-Match': etag, 'Idempotency-Key': `proxy-${Math.random()}` };
    const first = await write(behind, headers, { keyed: true });
    const second = await write(behind, headers, { keyed: true });
    const wrong = differs('status', first.status, 200) ?? differs('status of the second', second.status, 200);
    return wrong ?? differs('ETag of the second', second.headers.etag, first.headers.etag);
  },
  'PUT with If-None-Match: * on a document that exists: 412': async (behind) =>
    notRefusal(await write(behind, { 'If-None-Match': '*' }, {}), 412, 'version_conflict'),
  'a body of 1.5 MB is taken, one of 3 MB is 413 of the service': async (behind) => {
    const { etag = '' } = (await read(behind, {}, 'development')).headers;
    const escaped = `{"state":{"a":"${'\\u00e9'.repeat(249_000)}"}}`;
    const headers = { ...withKey(behind), ...json };
    const ask = (body: string, version: string) =>
      behind.ask({ method: 'PUT', path: document(behind), headers: { ...headers, 'If-Match': version }, body });
    const taken = await ask(escaped, etag);
    if (taken.status !== 200) return `status is ${taken.status}: ${taken.text.slice(0, 120)}`;
    const refused = await ask(' '.repeat(3_000_000), '"1"');
    return notRefusal(refused, 413, 'payload_too_large');
  },
  'a body without a credential is 401 of the service': async (behind) => {
    const headers = { ...json, 'If-Match': '"1"' };
    const answer = await behind.ask({ method: 'PUT', path: document(behind), headers, body: 'x'.repeat(1_500_000) });
    return notRefusal(answer, 401, 'unauthorized') ?? differs('challenge', answer.headers['www-authenticate'], 'Bearer');
  },
  'headers of 20 kB are refused by the service': async (behind) =>
    notRefusal(await read(behind, { 'X-Long': 'x'.repeat(20_000) }), 431, 'headers_too_large'),
  'a slash in an end-user id stays encoded': async (behind) => {
    const target = path(behind, 'user-states/production/a%2Fb');
    return differs('status', (await behind.ask({ path: target, headers: withToken(behind) })).status, 204);
  },
  'a slash in the id of an end user that is deleted stays encoded': async (behind) => {
    const question = { method: 'DELETE', path: path(behind, 'user-states/a%2Fb'), headers: withToken(behind) };
    return differs('status', (await behind.ask(question)).status, (await behind.direct(question)).status);
  },
  'versions: the list is that of the service, byte for byte': async (behind) => {
    const question = { path: `${document(behind)}/versions`, headers: withKey(behind) };
    const through = await behind.ask({ ...question, headers: { ...question.headers, ...compressed } });
    const origin = await behind.direct(question);
    if (origin.text.length < 4_000_000) return `the list has ${origin.text.length} characters, too few to prove anything`;
    const fault = differs('Content-Encoding', through.headers['content-encoding'], 'gzip');
    return fault ?? differs('body', digest(through.text), digest(origin.text));
  },
  'a request id comes through and back': async (behind) =>
    differs('X-Request-Id', (await read(behind, { 'X-Request-Id': 'proxy-1' })).headers['x-request-id'], 'proxy-1'),
};

/** The head of an HTTP/1.1 request that writes the document. */
function headOf(behind: Behind, version: string, length: number, further = ''): string {
  const { apiKey } = behind.credentials;
  return (
    `PUT ${document(behind)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ApiKey ${apiKey}\r\nIf-Match: ${version}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n${further}\r\n`
  );
}

/** Checks that events of a stream are forwarded as they happen, each before the next one. */
const streams =
  (version: 1 | 2): Case =>
  async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const first = Number(etag.slice(1, -1));
    const headers = { ...withKey(behind), ...compressed, Accept: 'text/event-stream' };
    let written = 0;
    let wrong: string | undefined;
    await follow(
      { port: behind.port, version },
      { path: `${document(behind)}/changes?since=${first}`, headers },
      (text) => {
        const told = text.match(/^id: \d+$/gm)?.length ?? 0;
        if (told === 3 || wrong !== undefined) return true;
        // The stream has begun, or an event has arrived: the next write must be forwarded although nothing follows it.
        if (told === written && text.startsWith('retry: ')) {
          written++;
          const sent = write(behind, { 'If-Match': `"${first + told}"` }, { told });
          sent.then(({ status }) => {
            wrong ??= differs('status of a write', status, 200);
          });
        }
        return false;
      },
    );
    return wrong;
  };

/** Cases that exist only in HTTP/1.1, that name their version, or that need a separate address. */
export const http1Cases: Readonly<Record<string, Case>> = {
  'a stream of changes over HTTP/1.1 is told event by event': streams(1),
  'a stream of changes over HTTP/2 is told event by event': streams(2),
  'a long poll waits, and is 204': async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const target = `${document(behind)}/changes?wait=2&since=${etag.slice(1, -1)}`;
    return differs('status', (await behind.ask({ path: target, headers: withKey(behind) })).status, 204);
  },
  'Expect: 100-continue is met, then the write': async (behind) => {
    const { etag = '' } = (await read(behind)).headers;
    const body = '{"state":{"c":1}}';
    const head = headOf(behind, etag, body.length, 'Expect: 100-continue\r\n');
    const received = await exchangeBytes(behind.port, head, /^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, body);
    return /^HTTP\/1\.1 100 .*\r\n\r\nHTTP\/1\.1 200 /s.test(received) ? undefined : received.slice(0, 200);
  },
  'a chunked body of 3 MB is 413 of the service': async (behind) => {
    const headers = { ...withKey(behind), ...json, 'If-Match': '"1"', 'Transfer-Encoding': 'chunked' };
    const body = ' '.repeat(3_000_000);
    return notRefusal(await behind.ask({ method: 'PUT', path: document(behind), headers, body }), 413, 'payload_too_large');
  },
  'a body that stops arriving is 408 of the service': async (behind) => {
    const received = await exchangeBytes(behind.port, `${headOf(behind, '"1"', 1_000)}{`, /never/, '');
    const isWhole =
      /^HTTP\/1\.1 408 /.test(received) && /request_timeout/.test(received) && /API-Version: 1/i.test(received);
    return isWhole ? undefined : `received ${received.slice(0, 300)}`;
  },
  'a method that nobody takes is refused with the version, said once': async ({ ask }) => {
    const { status, headers } = await ask({ method: 'TRACE', path: '/healthz' });
    return differs('status', status, 405) ?? differs('API-Version', headers['api-version'], '1');
  },
  'each client address has its own limit, whatever it claims': async ({ ask, addressLimit }) => {
    const anonymous = (from: string, headers = {}) => ask({ path: '/v1/auth/authorize/context', from, headers });
    for (let i = 0; i < addressLimit; i++) await anonymous('127.0.0.5', { 'X-Forwarded-For': `198.51.100.${i}` });
    const beyond = await anonymous('127.0.0.5', { 'X-Forwarded-For': '198.51.100.250' });
    const other = await anonymous('127.0.0.6');
    return (
      notRefusal(beyond, 429, 'rate_limited') ??
      (beyond.headers['retry-after'] === undefined ? 'Retry-After is missing' : undefined) ??
      (other.status === 429 ? 'another address is refused for what the first one asked' : undefined)
    );
  },
};

/** Over plain HTTP: the redirect to TLS. */
export async function redirected(ask: Ask): Promise<string | undefined> {
  const { status, headers } = await ask({ path: '/v1/x?y=%2F', headers: { Host: 'localhost' } });
  return (
    differs('status', status, 308) ??
    differs('Location', headers.location, 'https://localhost/v1/x?y=%2F') ??
    differs('API-Version', headers['api-version'], '1')
  );
}

/** What the service and the proxy tell browsers for the next year. */
export async function keepsToTls(ask: Ask): Promise<string | undefined> {
  const { headers } = await ask({ path: '/healthz' });
  return differs('Strict-Transport-Security', headers['strict-transport-security'], 'max-age=31536000');
}

/** With the service stopped: the proxy's own responses. */
export async function unavailable(ask: Ask): Promise<string | undefined> {
  const answer = await ask({ path: '/healthz' });
  return notRefusal(answer, 503, 'service_unavailable') ?? differs('Retry-After', answer.headers['retry-after'], '5');
}
