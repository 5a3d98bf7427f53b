/** Runs the documented nginx and Caddy in front of a real service, and compares what they forward with what the service sends. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { exchange, writesAfter } from '../../tooling/api.ts';
import { publicStatePath, readCredentials } from '../../tooling/credentials.ts';
import type { Answer } from '../../tooling/proxies/proxy-client.ts';
import { type Ask, askOverHttp1, askOverHttp2 } from '../../tooling/proxies/proxy-client.ts';
import {
  caddy,
  nginx,
  type Ports,
  prepareNginx,
  type ReverseProxy,
  startProxy,
} from '../../tooling/proxies/reverse-proxy.ts';
import { startServerProcess, withDataDir } from '../../tooling/server-process.ts';
import { type Behind, cases, http1Cases, keepsToTls, redirected, unavailable } from './proxy-cases.ts';

const proxies: Readonly<Record<string, ReverseProxy>> = {
  nginx,
  'nginx that compresses (must fail)': {
    ...nginx,
    prepare: (folder, ports) => ({
      command: prepareNginx(folder, ports, (text) => text.replace('gzip off;', '')),
    }),
  },
  caddy,
};

export interface Verdict {
  readonly proxy: string;
  readonly passed: number;
  readonly faults: readonly string[];
}

/** Runs every case through every proxy. A proxy listed as failing must fail. */
export async function proxyVerdicts(): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [name, proxy] of Object.entries(proxies)) {
    const verdict = await withDataDir((folder) => runProxy(name, proxy, folder));
    if (!name.includes('must fail')) verdicts.push(verdict);
    else {
      const isSound = verdict.faults.some((fault) => fault.includes('ETag is W/'));
      const faults = isSound ? [] : ['compression did not weaken an entity tag, so these cases would not notice it'];
      verdicts.push({ proxy: name, passed: isSound ? 1 : 0, faults });
    }
  }
  return verdicts;
}

const addressLimit = 40;

async function runProxy(name: string, proxy: ReverseProxy, folder: string): Promise<Verdict> {
  const service = await freePort();
  const ports: Ports = { services: [service], http: await freePort(), https: await freePort() };
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const env = {
    SVC_TRUST_PROXY: '127.0.0.1',
    SVC_AUTH_RATE_LIMIT_PER_MINUTE: String(addressLimit),
    SVC_BODY_TIMEOUT_SECONDS: '3',
  };
  const server = await startServerProcess({ dataDir, port: service, env });
  const stopProxy = await startProxy(proxy, folder, ports);
  try {
    const credentials = await readCredentials(dataDir, server.baseUrl);
    const behind = { direct: askDirectly(service), credentials, port: ports.https, addressLimit };
    const [ask1, ask2] = [askOverHttp1(ports.https), askOverHttp2(ports.https)];
    await writeManyVersions({ ...behind, ask: behind.direct });
    const results = [
      ...(await runCases('HTTP/1.1', cases, { ...behind, ask: ask1 })),
      ...(await runCases('HTTP/2', cases, { ...behind, ask: ask2 })),
      ...(await runCases('HTTP/1.1', http1Cases, { ...behind, ask: ask1 })),
    ];
    results.push(['plain HTTP leads to TLS', await redirected(askDirectly(ports.http))]);
    // Caddy serves `localhost` here without warning, where other programs have no TLS: it reports that for other hosts only.
    const isHostPublic = proxy.program === 'nginx';
    if (isHostPublic) results.push(['browsers keep to TLS', await keepsToTls(ask1)]);
    await server.stop();
    results.push(['the service is gone: 503 in the form of the API', await unavailable(ask1)]);
    if (isHostPublic) results.push(['browsers keep to TLS, the service gone', await keepsToTls(ask1)]);
    const faults = results.flatMap(([what, fault]) => (fault === undefined ? [] : [`${name}: ${what}: ${fault}`]));
    return { proxy: name, passed: results.length - faults.length, faults };
  } finally {
    await stopProxy();
    if (server.isRunning()) await server.kill();
  }
}

type Result = readonly [what: string, fault: string | undefined];

async function runCases(over: string, all: typeof cases, behind: Behind): Promise<Result[]> {
  const results: Result[] = [];
  for (const [what, run] of Object.entries(all)) {
    const fault = await run(behind).catch((error: Error) => `failed: ${error.message}`);
    results.push([`${what} (${over})`, fault]);
  }
  return results;
}

/** Writes 20 versions of 250 kB, so that a list of versions exceeds any proxy buffer. */
async function writeManyVersions({ ask, credentials }: Behind): Promise<void> {
  for (let version = 1; version <= 20; version++) {
    const answer = await ask({
      method: 'PUT',
      path: publicStatePath(credentials, 'development'),
      headers: {
        Authorization: `ApiKey ${credentials.apiKey}`,
        'Content-Type': 'application/json',
        ...writesAfter(version),
      },
      body: JSON.stringify({ state: { version, filler: 'x'.repeat(250_000) } }),
    });
    if (answer.status !== 200) throw new Error(`version ${version + 1} was not written: ${answer.text}`);
  }
}

const askDirectly =
  (port: number): Ask =>
  async ({ method = 'GET', path, headers = {}, body }) => {
    const sent = exchange({ host: '127.0.0.1', port, method, path, headers, agent: false }, body);
    const { status, headers: received, text } = await sent;
    return { status, headers: received as Answer['headers'], text };
  };
