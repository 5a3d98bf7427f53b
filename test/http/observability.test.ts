import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readEvents } from '../support/events.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Line = Readonly<Record<string, unknown>>;

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** A server that logs to `lines`. */
async function startLogged(settings: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    advance: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
  const logOutput = { write: (line: string) => void lines.push(line), close: async () => {} };
  const server = await startServer({ settings, logOutput, now: clock.now });
  const parsed = (): Line[] => lines.map((line) => JSON.parse(line) as Line);
  const lineOf = (requestId: string) => parsed().find((line) => line.requestId === requestId);
  return { server, lines, parsed, lineOf, clock };
}

describe('the log', () => {
  /** Placed wherever a request can carry a secret; nothing else in this file contains it. */
  const mark = 'hunter2';

  test('has a line with the request, the principal and the response', async () => {
    const { server, lineOf } = await startLogged({ SVC_LOG_LEVEL: 'info' });
    const project = await server.newProject();
    const { accountId, bearer } = project.developer;
    const path = `${project.path}/public-state/production`;
    const send = (
      requestId: string,
      method: string,
      url: string,
      headers: Readonly<Record<string, string>>,
      body?: unknown,
    ) => server.call(method, url, { headers: { 'X-Request-Id': requestId, ...headers }, body });
    await send('r-1', 'PUT', path, { ...bearer, 'If-None-Match': '*', traceparent }, { state: {} });
    await send('r-2', 'PUT', path, { ...bearer, 'If-Match': '"7"' }, { state: {} });
    await send('r-3', 'GET', '/nowhere', {});
    await send('r-4', 'GET', '/healthz', {});
    await server.stop();
    const about = {
      level: 'info',
      method: 'PUT',
      route: '/v1/{accountId}/projects/{slug}/public-state/{env}',
      operation: 'replacePublicState',
      account: accountId,
      project: project.slug,
      durationMilliseconds: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'answered',
    };
    expect(lineOf('r-1')).toEqual({ ...about, requestId: 'r-1', status: 200, traceId: traceparent.slice(3, 35) });
    expect(lineOf('r-2')).toEqual({ ...about, requestId: 'r-2', status: 412, code: 'version_conflict' });
    expect(lineOf('r-3')).toMatchObject({ method: 'GET', status: 404, code: 'not_found' });
    expect(lineOf('r-4')).toBeUndefined();
  });

  test('never shows the key in the query of changes', async () => {
    const { server, lines, parsed } = await startLogged({ SVC_LOG_LEVEL: 'debug' });
    const project = await server.newProject();
    const { id, apiKey } = await server.newApiKey(project, { kind: 'publishable' });
    const changes = `${project.path}/public-state/production/changes?key=`;
    const reader = await readEvents(server.baseUrl, changes + apiKey, {});
    await reader.next();
    await server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: project.developer.bearer });
    await reader.ended();
    expect((await server.call('GET', changes + apiKey)).status).toBe(401);
    expect((await server.call('GET', `${changes}${mark}`)).status).toBe(401);
    await server.stop();
    expect(parsed().filter(({ operation }) => operation === 'readPublicStateChanges')).toHaveLength(3);
    for (const secret of [apiKey, mark]) expect(lines.join('')).not.toContain(secret);
  });

  test('counts refusals by limits instead of listing them', async () => {
    const { server, parsed } = await startLogged({ SVC_LOG_LEVEL: 'info', SVC_RATE_LIMIT_PER_MINUTE: '5' });
    const project = await server.newProject();
    for (let i = 0; i < 60; i++) await server.call('GET', project.path, { headers: project.developer.bearer });
    await server.stop();
    const refused = parsed().filter(({ code }) => code === 'rate_limited');
    expect(refused.filter(({ msg }) => msg === 'answered')).toHaveLength(10);
    expect(refused.at(-1)).toMatchObject({ lines: 60 - 4 - 10 });
  });
});

describe('metrics', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ settings: { SVC_METRICS_PORT: '0', SVC_RATE_LIMIT_PER_MINUTE: '20' } });
  });
  afterAll(() => server.stop());

  const page = async () => (await fetch(server.running.metricsUrl as string)).text();
  const exchange = (form: Readonly<Record<string, string>>) =>
    server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  /** The value of each line on the metrics page, by name and labels. */
  const values = async () =>
    new Map(
      (await page())
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => {
          const blank = line.lastIndexOf(' ');
          return [line.slice(0, blank), Number(line.slice(blank + 1))] as const;
        }),
    );

  test('count requests by route and status, codes, and operations of the store', async () => {
    const project = await server.newProject();
    const { bearer } = project.developer;
    const path = `${project.path}/public-state/staging`;
    const before = await values();
    const put = (condition: Readonly<Record<string, string>>) =>
      server.call('PUT', path, { headers: { ...bearer, ...condition }, body: { state: {} } });
    await put({ 'If-None-Match': '*' });
    await put({ 'If-Match': '"1"' });
    await put({ 'If-Match': '"1"' });
    for (let i = 0; i < 3; i++) await server.call('GET', path, { headers: bearer });
    await server.call('GET', path);
    await fetch(`${server.baseUrl}/nowhere`, { method: 'DELETE' });
    while ((await server.call('GET', project.path, { headers: bearer })).status !== 429);
    const after = await values();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const route = 'route="/v1/{accountId}/projects/{slug}/public-state/{env}"';
    const requests = (labels: string) => grown(`holdfast_http_requests_total{${labels}}`);
    expect(requests(`method="PUT",${route},status="200"`)).toBe(2);
    expect(requests(`method="PUT",${route},status="412"`)).toBe(1);
    expect(requests(`method="GET",${route},status="200"`)).toBe(3);
    expect(requests(`method="GET",${route},status="401"`)).toBe(1);
    expect(requests('method="DELETE",route="(none)",status="404"')).toBe(1);
    expect(requests('method="GET",route="/v1/{accountId}/projects/{slug}",status="429"')).toBe(1);
    const seconds = 'holdfast_http_request_duration_seconds';
    expect(grown(`${seconds}_count{method="GET",${route}}`)).toBe(4);
    expect(grown(`${seconds}_bucket{method="GET",${route},le="+Inf"}`)).toBe(4);
    expect(grown(`${seconds}_sum{method="GET",${route}}`)).toBeGreaterThan(0);
    const refusals = (code: string) => grown(`holdfast_http_refusals_total{code="${code}"}`);
    expect([refusals('version_conflict'), refusals('unauthorized'), refusals('rate_limited')]).toEqual([1, 1, 1]);
    expect(grown('holdfast_credentials_total{found="looked_up"}')).toBe(0);
    expect(grown('holdfast_credentials_total{found="remembered"}')).toBe(20);
    // Three conditional writes, a scrape's requests to the store, and the API request counts that are stored each second.
    // A store shared by several nodes also grants each of the 20 requests that the limit allows.
    const granted = inject('engine') === 'sqlite' ? 0 : 20;
    expect(grown('holdfast_store_commit_writes_sum')).toBeGreaterThanOrEqual(4);
    expect(grown('holdfast_store_commit_writes_sum')).toBeLessThan(10 + granted);
    const commits = grown('holdfast_store_commit_writes_count');
    expect(grown('holdfast_store_commit_duration_seconds_count')).toBe(commits);
    expect(grown('holdfast_store_commit_duration_seconds_sum')).toBeGreaterThan(0);
    expect(after.get('holdfast_store_up')).toBe(1);
    // The counts of requests, which are stored each second, may be on their way.
    await expect.poll(async () => (await values()).get('holdfast_store_writes_waiting')).toBe(0);
    expect(after.get('holdfast_store_write_failures_total')).toBe(0);
  });

  test('have buckets that only grow', async () => {
    const buckets = new Map<string, number[]>();
    for (const [name, value] of await values()) {
      const series = /^(.*_bucket)\{(.*)le="([^"]+)"\}$/.exec(name);
      if (series) buckets.set(`${series[1]}{${series[2]}`, [...(buckets.get(`${series[1]}{${series[2]}`) ?? []), value]);
    }
    expect(buckets.size).toBeGreaterThan(3);
    for (const counts of buckets.values()) expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  test('include every metric and label of the dashboard', async () => {
    const dashboard = JSON.parse(readFileSync(new URL('../../deploy/grafana/holdfast.json', import.meta.url), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
      templating: { list: { definition?: string }[] };
    };
    const queries = [
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...dashboard.templating.list.flatMap(({ definition = '' }) => definition),
    ];
    await server.call('GET', '/v1/acc_x'); // labels appear once a request is counted under them
    await exchange({ grant_type: 'refresh_token' });
    let exposed = await page();
    // Garbage has no metrics before the first collection.
    while (!exposed.includes('nodejs_gc_duration_seconds_sum')) {
      Array.from({ length: 500_000 }, () => ({}));
      exposed = await page();
    }
    const asked = queries.flatMap((query) => query.match(/\b(?:holdfast|nodejs|process)_\w+/g) ?? []);
    expect(asked.length).toBeGreaterThan(30);
    const has = (pattern: RegExp) => pattern.test(exposed);
    expect(asked.filter((name) => !has(new RegExp(`^${name}(?:\\{| )`, 'm')))).toEqual([]);
    const labels = queries.flatMap((query) => query.match(/(?<=by \()[\w, ]+(?=\))|\b\w+(?=[=!]~|=")/g) ?? []);
    const ofScrapes = new Set(['job', 'instance']);
    const own = labels.flatMap((list) => list.split(', ')).filter((label) => !ofScrapes.has(label));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((label) => !has(new RegExp(`[{,]${label}="`)))).toEqual([]);
  });

  test('include every metric of the alerts', async () => {
    const rules = readFileSync(new URL('../../deploy/prometheus/holdfast.rules.yaml', import.meta.url), 'utf8');
    const asked = new Set(rules.match(/\bholdfast_\w+/g));
    asked.delete('holdfast_backup_timestamp_seconds'); // the backup job writes it
    expect(asked.size).toBeGreaterThan(5);
    const exposed = await page();
    expect([...asked].filter((name) => !new RegExp(`^${name}(?:\\{| )`, 'm').test(exposed))).toEqual([]);
  });

  test('count sign-ins by step and outcome', async () => {
    const before = await values();
    await exchange({ grant_type: 'refresh_token', client_id: 'svc-developer', refresh_token: 'wrong' });
    await exchange({ grant_type: 'client_credentials', client_id: 'sa_x', client_secret: 'wrong' });
    await exchange({ grant_type: 'my own', client_id: 'svc-developer' });
    const after = await values();
    const grown = (step: string, outcome: string) => {
      const name = `holdfast_sign_ins_total{step="${step}",outcome="${outcome}"}`;
      return (after.get(name) ?? 0) - (before.get(name) ?? 0);
    };
    expect(grown('refresh', 'invalid_grant')).toBe(1);
    expect(grown('service_account', 'invalid_client')).toBe(1);
    expect(grown('unknown', 'unsupported_grant_type')).toBe(1);
  });

  test('report the size of the store', async () => {
    const found = await values();
    expect(found.get('holdfast_database_bytes{part="database"}')).toBeGreaterThan(100_000);
    for (const name of ['holdfast_accounts', 'holdfast_projects', 'holdfast_documents{kind="public_state"}']) {
      expect([name, found.get(name)]).toEqual([name, expect.any(Number)]);
    }
  });

  test('are alone on their port, and read-only', async () => {
    const { origin } = new URL(server.running.metricsUrl as string);
    const status = async (path: string, method: string) => (await fetch(origin + path, { method })).status;
    expect([await status('/', 'GET'), await status('/metrics', 'POST'), await status('/metrics', 'HEAD')]).toEqual([
      404, 405, 200,
    ]);
  });

  test('are off without a port', async () => {
    const other = await startServer();
    expect(other.running.metricsUrl).toBeUndefined();
    await other.stop();
  });
});
