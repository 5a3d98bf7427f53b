/**
 * `node scripts/releases/make-fixture.ts RELEASE [CHECKOUT]`: creates the databases of `test/releases/RELEASE` with that release, on both
 * engines, with every kind of record, and records its answers about them. CHECKOUT is a folder where it is already installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import postgres from 'postgres';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import type { NewIdentityProvider } from '../../packages/server/src/storage/contract/federation.ts';
import { startPostgres } from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { checkOut, type Release, releaseCommits } from '../../tooling/check-out.ts';
import { type HttpAnswer, textOf } from './fixture.ts';

const [release, given] = process.argv.slice(2) as [Release, string?];
if (!(release in releaseCommits)) throw new Error(`name a release: ${Object.keys(releaseCommits).join(', ')}`);
const work = mkdtempSync(join(tmpdir(), 'holdfast-release-'));
const tree = given === undefined ? join(work, 'tree') : resolve(given);
if (given === undefined) checkOut(release, tree);
const target = join(import.meta.dirname, '../../test/releases', release);
const secretKey = Buffer.alloc(32, 7).toString('base64');

/** A module of the release. */
const ofRelease = (path: string) => import(join(tree, 'packages/server/src', path));

type Environment = Readonly<Record<string, string>>;

/** Runs a command of the release, and returns its output. */
async function run(environment: Environment, ...args: string[]): Promise<string> {
  const child = start(environment, ...args);
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`holdfast ${args.join(' ')} ended with ${code}`);
  return text;
}

function start(environment: Environment, ...args: string[]) {
  const program = join(tree, 'packages/server/bin/holdfast.mjs');
  const env = { PATH: process.env.PATH, SVC_SECRET_KEY: secretKey, ...environment };
  return spawn(process.execPath, [program, ...args], { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Writes a game's data over HTTP, and returns the release's responses to reads with an API key. Kills the service. */
async function fillOverHttp(environment: Environment): Promise<HttpAnswer[]> {
  const port = String(await freePort());
  const base = `http://127.0.0.1:${port}`;
  const settings = { ...environment, SVC_PORT: port, SVC_BASE_URL: base };
  const service = start(settings, 'serve');
  let banner = '';
  service.stdout.on('data', (data) => (banner += data));
  while (!banner.includes('/docs')) await delay(20);
  const { accountId, developerToken } = JSON.parse(await run(settings, 'account', 'create', '--name', 'Fixture', '--json'));
  const call = async (method: string, path: string, token: string, body?: unknown, more: Environment = {}) => {
    const headers = {
      Authorization: `${token.startsWith('svc') ? 'ApiKey' : 'Bearer'} ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...more,
    };
    const answer = await fetch(`${base}/v1/${accountId}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() };
  };
  for (const slug of ['game', 'gone']) await call('POST', '/projects', developerToken, { slug });
  const key = JSON.parse(
    (await call('POST', '/projects/game/api-keys', developerToken, { name: 'server', kind: 'secret', access: 'write' }))
      .text,
  ).apiKey as string;
  await call('PUT', '/projects/game/auth/end-user/config', developerToken, {
    enabled: true,
    redirectUris: ['https://game.example/callback'],
    allowedIdps: ['password'],
  });
  const state = '/projects/game/public-state/production';
  let etag = (await call('PUT', state, key, { state: { motd: 'x'.repeat(2_000), n: 0 } }, { 'If-None-Match': '*' }))
    .etag as string;
  for (let n = 1; n < 70; n++) {
    const ops = [{ op: 'replace', path: '/n', value: n }];
    etag = (await call('PATCH', state, key, { ops }, { 'If-Match': etag, 'Idempotency-Key': `write-number-${n}` }))
      .etag as string;
  }
  const answers: HttpAnswer[] = [];
  for (const path of [state, `${state}/versions/1`, `${state}/versions/63`, `${state}/history?limit=5`]) {
    answers.push({ path: `/v1/${accountId}${path}`, key, ...(await call('GET', path, key)) });
  }
  const repeat = { ops: [{ op: 'replace', path: '/n', value: 69 }] };
  answers.push({
    path: `/v1/${accountId}${state}`,
    key,
    repeat,
    ...(await call('PATCH', state, key, repeat, { 'If-Match': '"69"', 'Idempotency-Key': 'write-number-69' })),
  });
  await call('DELETE', '/projects/gone', developerToken);
  service.kill('SIGKILL');
  await once(service, 'close');
  return answers;
}

/** Fills a store of the release with the data of its own copy test, and returns its answers to every question. */
async function fillStore(store: Store): Promise<unknown> {
  const { fillStore: fill } = await ofRelease('cli/migrate-store/migrate-store.fixture.ts');
  const { readStore } = await ofRelease('cli/migrate-store/reads.fixture.ts');
  const { createSealer } = await ofRelease('secrets/sealer.ts');
  const { providerSecretRecord } = await ofRelease('storage/contract/federation.ts');
  const { seal } = createSealer(Buffer.from(secretKey, 'base64'), 'identity-provider');
  const sealed = (provider: NewIdentityProvider) =>
    provider.sealedSecret && seal(Buffer.from('a client secret'), providerSecretRecord(provider, provider.settings.issuer));
  await fill({
    ...store,
    // The signing keys are those that the service created. Secrets of providers are really sealed, like them.
    addSigningKey: async () => 'added',
    writeIdentityProvider: (provider: NewIdentityProvider, itemsMax: number) =>
      store.writeIdentityProvider(byOperator, { ...provider, sealedSecret: sealed(provider) }, itemsMax),
  });
  const answers = await readStore(store);
  await store.close();
  return answers;
}

function keep(name: string, content: string | Uint8Array): void {
  const packed = gzipSync(content, { level: 9 });
  if (packed.length > 200 * 1024) throw new Error(`${name} has ${packed.length} bytes`);
  writeFileSync(join(target, `${name}.gz`), packed);
}

async function makeEmbedded(): Promise<void> {
  const dataDir = join(work, 'data');
  const http = await fillOverHttp({ SVC_DATA_DIR: dataDir });
  const { openSqliteStore } = await ofRelease('storage/sqlite/store.ts');
  const store = await fillStore(await openSqliteStore({ dataDir }));
  const path = join(dataDir, 'holdfast.sqlite');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM');
  database.close();
  keep('embedded.sqlite', readFileSync(path));
  keep('embedded.json', textOf({ http, store }));
}

async function makePostgres(): Promise<void> {
  const cluster = await startPostgres();
  try {
    const url = await cluster.createDatabase();
    const http = await fillOverHttp({ SVC_DATABASE_URL: url });
    const { openPostgresStore } = await ofRelease('storage/postgres/store.ts');
    const store = await fillStore(await openPostgresStore({ url }));
    keep('postgres.sql', await dump(url));
    keep('postgres.json', textOf({ http, store }));
  } finally {
    await cluster.dispose();
  }
}

/** A database as SQL: its migrations, then row by row, each as PostgreSQL writes a whole row. */
async function dump(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const { migrations } = await ofRelease('storage/postgres/schema/migrations.ts');
  const [columns] = await sql`SELECT string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position) AS text
    FROM information_schema.columns WHERE table_name = 'migrations' AND table_schema = current_schema()`;
  const lines = [
    `CREATE TABLE migrations (${columns?.text}, PRIMARY KEY (number));`,
    ...migrations.map((each: { sql: string }) => each.sql),
  ];
  const tables =
    await sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`SELECT quote_literal(page::text) AS row FROM ${name} AS page ORDER BY 1`);
    lines.push(...rows.map(({ row }) => `INSERT INTO ${name} SELECT (${row}::${name}).*;`));
  }
  await sql.end();
  return `${lines.join('\n')}\n`;
}

try {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'secret.key'), `${secretKey}\n`);
  await makeEmbedded();
  await makePostgres();
} finally {
  rmSync(work, { recursive: true, force: true });
}
