/** Logs and traces of a separate process. No request with any credential leaves a secret in the log. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Operation, type OperationId, operations } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CommandSandbox, command, createCommandSandbox } from '../../packages/server/src/cli/command.fixture.ts';
import { answeringWith } from '../../tooling/answering.ts';
import { firstCredentials } from '../../tooling/credentials.ts';
import { everyCredential } from '../support/credentials.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Project, startServer } from '../support/server.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the log', () => {
  /** Placed wherever a request can carry a secret; nothing else in this file contains it. */
  const mark = 'hunter2';

  test('has one line for every route and credential, without any content of the request', async () => {
    const lines: string[] = [];
    let ahead = 0;
    const clock = {
      now: () => Date.now() + ahead,
      advance: (milliseconds: number) => {
        ahead += milliseconds;
      },
    };
    const server = await startServer({
      settings: { SVC_LOG_LEVEL: 'debug', SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' },
      logOutput: { write: (line) => void lines.push(line), close: async () => {} },
      now: clock.now,
    });
    const project = await server.newProject();
    const credentials = await everyCredential(server, project, clock);
    lines.length = 0;
    const ids = Object.keys(operations) as OperationId[];
    const table: Readonly<Record<OperationId, Operation>> = operations;
    // Deletions come last, since the others need the resources.
    const rank = (id: OperationId) => Number(table[id].method === 'DELETE') + Number(id === 'deleteAccount');
    ids.sort((a, b) => rank(a) - rank(b));
    let requests = 0;
    for (const id of ids) {
      const { method, body } = table[id];
      const ask = async (Authorization: string | undefined) => {
        const answer = await fetch(server.baseUrl + pathOf(id, project), {
          method,
          redirect: 'manual',
          headers: {
            ...(Authorization !== undefined && { Authorization }),
            Cookie: `session=${mark}`,
            'User-Agent': mark,
            Referer: `https://${mark}.example/`,
            'If-None-Match': '*',
            ...(body && { 'Content-Type': body.mediaType }),
          },
          ...(body && { body: bodyOf(body.mediaType) }),
        });
        await answer.arrayBuffer();
      };
      const all = Object.values(credentials);
      await Promise.all(all.map(ask));
      requests += all.length;
    }
    await server.stop();
    const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
    expect(answered).toHaveLength(requests);
    expect(new Set(answered.map(({ operation }) => operation))).toEqual(new Set(ids));
    // Some were let in and some refused, in addition to any other status.
    expect(answered.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 204, 400, 401, 403, 404]));
    const secrets = Object.values(credentials).flatMap((header) => header?.split(' ').slice(1) ?? []);
    const text = lines.join('');
    for (const secret of [mark, 'somebody@', project.developer.token, ...secrets]) expect(text).not.toContain(secret);
  });

  function pathOf(id: OperationId, { developer, slug }: Project): string {
    const segments: Record<string, string> = { accountId: developer.accountId, slug, env: 'development', version: '1' };
    const path = operations[id].path.replace(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? mark);
    return `${path}?code=${mark}&client_id=${mark}&email=somebody@example.com&state=${mark}`;
  }

  function bodyOf(mediaType: string): string {
    const fields = { code: mark, refresh_token: mark, password: mark, email: 'somebody@example.com', id_token: mark };
    if (mediaType !== 'application/json') {
      return String(new URLSearchParams({ ...fields, grant_type: 'refresh_token', client_id: mark, idp_id_token: mark }));
    }
    const patch = { ops: [{ op: 'add', path: `/${mark}`, value: mark }], state: { [mark]: mark }, comment: mark };
    return JSON.stringify({ ...fields, ...patch, name: mark, slug: mark, refreshToken: mark });
  }
});

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code: number };
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector of OTLP over HTTP in its JSON form. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp */
async function startCollector() {
  const spans: Span[] = [];
  const services: (string | undefined)[] = [];
  const seen = { paths: new Set<string | undefined>(), keys: new Set<unknown>() };
  const collect = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) body += piece;
    seen.paths.add(request.url);
    seen.keys.add(request.headers['x-collector-key']);
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      services.push(resource.attributes.find(({ key }: { key: string }) => key === 'service.name')?.value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  };
  const server = createServer(answeringWith(collect));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { spans, services, seen, url, stop: () => server.close().closeAllConnections() };
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

describe('a service in its own process', () => {
  let place: Place;
  let workplace: CommandSandbox;
  beforeAll(async () => {
    place = await openPlace();
    workplace = await createCommandSandbox();
  });
  afterAll(async () => {
    await workplace.remove();
    await place.remove();
  });
  const baseUrl = () => `http://127.0.0.1:${workplace.environment.SVC_PORT}`;

  test('sends a span for each request, within its trace', async () => {
    const collector = await startCollector();
    const service = await workplace.serve({
      ...place.settings,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=k1',
      OTEL_SERVICE_NAME: 'state',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    const { accountId, slug, apiKey } = await firstCredentials(workplace.dataDir, baseUrl(), place.settings);
    const Authorization = `ApiKey ${apiKey}`;
    const url = `${baseUrl()}/v1/${accountId}/projects/${slug}/public-state/staging`;
    await fetch(url, {
      method: 'PUT',
      headers: { Authorization, traceparent, 'If-None-Match': '*', 'Content-Type': 'application/json' },
      body: '{"state":{}}',
    });
    await fetch(`${baseUrl()}/nowhere?email=somebody@example.com`, { headers: { traceparent: `${traceparent}-more` } });
    const keyInQuery = `svcp_${'q'.repeat(36)}`;
    await fetch(`${url}/changes?key=${keyInQuery}`, { headers: { traceparent } });
    const unsampled = `${traceparent.slice(0, -2)}00`;
    await fetch(url, { headers: { Authorization, traceparent: unsampled } });
    const ended = await service.stop();
    collector.stop();

    const put = collector.spans.find(({ name }) => name.startsWith('PUT ')) as Span;
    expect(put).toMatchObject({
      name: 'PUT /v1/{accountId}/projects/{slug}/public-state/{env}',
      traceId: traceparent.slice(3, 35),
      parentSpanId: traceparent.slice(36, 52),
      kind: 2,
    });
    expect(attributesOf(put)).toMatchObject({
      'http.request.method': 'PUT',
      'http.route': '/v1/{accountId}/projects/{slug}/public-state/{env}',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'holdfast.account': expect.stringMatching(/^acc_/),
    });
    const write = collector.spans.find(({ name }) => name === 'store writePublicState') as Span;
    expect(write).toMatchObject({ traceId: put.traceId, parentSpanId: put.spanId, kind: 3 });
    expect(attributesOf(write)).toMatchObject({
      'db.system.name': inject('engine'),
      'db.operation.name': 'writePublicState',
    });

    const lost = collector.spans.find(({ name }) => name === 'GET') as Span;
    expect(lost.parentSpanId).toBeUndefined();
    expect(lost.traceId).not.toBe(put.traceId);
    // Requests that the caller does not sample have no span.
    expect(collector.spans.map(({ name }) => name).filter((name) => name.startsWith('GET /v1/'))).toEqual([
      'GET /v1/{accountId}/projects/{slug}/public-state/{env}/changes',
    ]);
    expect(new Set(collector.services)).toEqual(new Set(['state']));
    expect(collector.seen).toEqual({ paths: new Set(['/v1/traces']), keys: new Set(['k1']) });
    expect(JSON.stringify(collector.spans)).not.toMatch(/somebody|svc[kp]_/);
    expect(ended.stdout).not.toContain(keyInQuery);
    // The service's own log names the trace too.
    expect(ended.stdout).toContain(`"traceId":"${put.traceId}"`);
  });

  test('writes JSON to a pipe', async () => {
    const piped = await workplace.serve(place.settings);
    await fetch(`${baseUrl()}/nowhere`);
    const { stdout } = await piped.stop();
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.filter(({ msg }) => msg === 'answered')).toMatchObject([{ method: 'GET', status: 404 }]);
  });

  test.skipIf(process.platform !== 'linux')('writes sentences to a terminal', async () => {
    const serve = `'${process.execPath}' '${command}' serve`;
    const env = { ...workplace.environment, ...place.settings, TERM: 'xterm', SHELL: '/bin/sh' };
    const child = spawn('script', ['-qefc', serve, '/dev/null'], { cwd: workplace.folder, env });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    const isThere = async () => (await fetch(`${baseUrl()}/readyz`).catch(() => undefined))?.ok ?? false;
    while (!(await isThere())) await new Promise((done) => setTimeout(done, 50));
    await fetch(`${baseUrl()}/nowhere`);
    while (!output.includes('not_found')) await new Promise((done) => setTimeout(done, 20));
    child.stdin.write('\x03'); // Ctrl-C, as a terminal sends it
    await once(child, 'close');
    expect(output).toMatch(/INFO.*GET \(no route\) 404 not_found [\d.]+ ms/);
    expect(output).not.toContain('"level"');
  });
});
