/** A service that is written to before and after a moment, and the data that it must have once that moment is restored. */

import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { writesAfter } from '../../tooling/api.ts';
import { type Credentials, firstCredentials, publicStatePath } from '../../tooling/credentials.ts';
import { holdfastCommand, runCommand, serverEnvironment, startServerProcess } from '../../tooling/server-process.ts';

export interface Service {
  readonly dataDir: string;
  readonly port: number;
  /** `SVC_…` variables, for example of the database. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How often each of the two halves writes. */
const writes = 150;
/** Of unrelated texts: each half writes more than the log holds before it is copied into the database. */
const newText = () => randomBytes(30_000).toString('base64');

async function call(credentials: Credentials, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `ApiKey ${credentials.apiKey}`, 'Content-Type': 'application/json', ...init.headers };
  const response = await fetch(`${credentials.baseUrl}${publicStatePath(credentials, 'production')}${path}`, {
    ...init,
    headers,
  });
  assert.ok(
    response.status < 300,
    `${init.method ?? 'GET'} ${path} answered ${response.status}: ${await response.clone().text()}`,
  );
  return response;
}

/** The version that a response names; 0 if there is no state yet. */
const versionOf = ({ headers }: Response) => Number(headers.get('etag')?.slice(1, -1) ?? 0);

/** Writes the next versions; returns the newest. */
async function write(credentials: Credentials, version: number, half: string): Promise<number> {
  for (let n = 1; n <= writes; n++) {
    const body = JSON.stringify({ state: { half, n, text: newText() } });
    version = versionOf(await call(credentials, '', { method: 'PUT', headers: writesAfter(version), body }));
  }
  return version;
}

export interface Before {
  readonly credentials: Credentials;
  /** The newest version at the moment. */
  readonly version: number;
  readonly text: string;
}

/**
 * Runs a service until it is killed. `moment` is called between the two halves of the writes, at least a second from both. `end` is called
 * while the service still runs, after the last write.
 */
export async function writeAround(
  service: Service,
  moment: () => Promise<void>,
  end: () => Promise<void>,
): Promise<Before> {
  const server = await startServerProcess(service);
  try {
    const credentials = await firstCredentials(service.dataDir, server.baseUrl, service.env);
    const version = await write(credentials, versionOf(await call(credentials, '')), 'before');
    const text = await (await call(credentials, '')).text();
    // A backup names its moments to the second.
    await delay(2_000);
    await moment();
    await delay(2_000);
    await write(credentials, version, 'after');
    await end();
    return { credentials, version, text };
  } finally {
    await server.kill();
  }
}

/** Marks a store as set back, like the last step of the page. */
export async function recovered({ dataDir, env }: Service): Promise<void> {
  await runCommand(['recovered'], dataDir, env);
}

/** Starts the service on the restored data. Rejects unless it has exactly the data of the moment, and accepts writes. */
export async function requireMoment(service: Service, { credentials, version, text }: Before): Promise<void> {
  const server = await startServerProcess(service);
  try {
    const found = await call(credentials, '');
    assert.deepEqual([found.headers.get('etag'), await found.text()], [`"${version}"`, text]);
    const page = await call(credentials, '/versions');
    const versions: readonly { readonly version: number }[] = JSON.parse(await page.text());
    assert.equal(Math.max(...versions.map((each) => each.version)), version);
    assert.equal((await call(credentials, `/versions/${version - writes + 1}`)).status, 200);
    // Far above all used versions.
    assert.ok((await write(credentials, version, 'again')) > version + 1_000_000);
  } finally {
    await server.stop();
  }
  const env = serverEnvironment({ SVC_DATA_DIR: service.dataDir, SVC_PORT: String(service.port), ...service.env });
  const { status, stdout } = spawnSync(process.execPath, [holdfastCommand, 'doctor', '--json'], { env, encoding: 'utf8' });
  const { findings }: { readonly findings: readonly { readonly level: string }[] } = JSON.parse(stdout);
  const errors = findings.filter(({ level }) => level === 'error');
  assert.deepEqual(errors, [], `doctor ended with ${status}`);
}
