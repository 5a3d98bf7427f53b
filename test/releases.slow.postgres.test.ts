/** Databases written by every release (scripts/releases/make-fixture.ts), opened by the current program. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../packages/server/src/cli/command.fixture.ts';
import { readStore } from '../packages/server/src/cli/migrate-store/reads.fixture.ts';
import { createStage, type Stage } from '../packages/server/src/cli/migrate-store/stage.fixture.ts';
import { newDatabase, removeDatabase } from '../packages/server/src/storage/postgres/fixtures/leases.fixture.ts';
import { type Answers, textOf } from '../scripts/releases/fixture.ts';

const folder = join(import.meta.dirname, 'releases');
const releases = readdirSync(folder);
const engines = ['embedded', 'postgres'] as const;
const cases = releases.flatMap((release) => engines.map((engine) => [release, engine] as const));

const unpack = (release: string, name: string): Buffer => gunzipSync(readFileSync(join(folder, release, `${name}.gz`)));

/** Responses of a release. Its store calls the player id `endUserId`. */
const answersOf = (release: string, engine: string): Answers =>
  JSON.parse(unpack(release, `${engine}.json`).toString().replaceAll('"endUserId":', '"playerId":'));

let stage: Stage;
let other: string;
beforeEach(async () => {
  stage = await createStage();
  other = await newDatabase();
});
afterEach(async () => {
  await stage.remove();
  await removeDatabase(other);
});

/** Restores the database of a release. Returns its location, and an empty one on the other engine. */
async function place(
  release: string,
  engine: (typeof engines)[number],
): Promise<{ at: string; to: string; answers: Answers }> {
  const answers = answersOf(release, engine);
  mkdirSync(stage.source, { mode: 0o700 });
  copyFileSync(join(folder, release, 'secret.key'), join(stage.source, 'secret.key'));
  chmodSync(join(stage.source, 'secret.key'), 0o600);
  if (engine === 'embedded') {
    writeFileSync(join(stage.source, 'holdfast.sqlite'), unpack(release, 'embedded.sqlite'), { mode: 0o600 });
    return { at: stage.source, to: other, answers };
  }
  const sql = postgres(stage.url, { max: 1, onnotice: () => {} });
  await sql.unsafe(unpack(release, 'postgres.sql').toString());
  await sql.end();
  return { at: stage.url, to: stage.back, answers };
}

const settingsOf = (release: string, at: string): Record<string, string> => ({
  SVC_SECRET_KEY: readFileSync(join(folder, release, 'secret.key'), 'utf8').trim(),
  ...(at.startsWith('postgres:') ? { SVC_DATABASE_URL: at } : { SVC_DATA_DIR: at }),
});

/**
 * Statuses of requests that restrict access: project keys, credentials that act for a developer, members without a second factor, and
 * write access to flags or documents.
 */
async function narrow(account: string, slug: string, credential: Record<string, string>): Promise<number[]> {
  const headers = { ...credential, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ protectedEnvironments: ['production'] });
  const robot = JSON.stringify({ name: 'robot', role: 'editor' });
  const checks = JSON.stringify({ flagsCheck: 'enforce' });
  const schema = `${account}/projects/${slug}/schemas/development/user-state`;
  return [
    (await fetch(`${account}/projects/${slug}`, { method: 'PATCH', headers, body })).status,
    (await fetch(`${account}/service-accounts`, { method: 'POST', headers, body: robot })).status,
    (await requireSecondFactor(account, credential)).status,
    (await fetch(`${account}/projects/${slug}`, { method: 'PATCH', headers, body: checks })).status,
    await enforceSchema(schema, headers),
  ];
}

/** Status of a schema write, the first or a later one. */
async function enforceSchema(url: string, headers: Record<string, string>): Promise<number> {
  const tag = (await fetch(url, { headers })).headers.get('etag');
  const precondition: Record<string, string> = tag === null ? { 'If-None-Match': '*' } : { 'If-Match': tag };
  const body = JSON.stringify({ mode: 'enforce', schema: true });
  return (await fetch(url, { method: 'PUT', headers: { ...headers, ...precondition }, body })).status;
}

/** Requires a second factor of all members. A repeat gets the same response. */
async function requireSecondFactor(account: string, credential: Record<string, string>, isRequired = true) {
  const headers = { ...credential, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ requireSecondFactor: isRequired });
  const answer = await fetch(account, { method: 'PATCH', headers, body });
  return { status: answer.status, body: (await answer.json()) as { error?: string; message?: string } };
}

/** Status of an invitation with limited access, which an older program would treat as an owner's. */
async function inviteViewer(account: string, credential: Record<string, string>): Promise<number> {
  const headers = { ...credential, 'Content-Type': 'application/json' };
  return (await fetch(`${account}/invitations`, { method: 'POST', headers, body: '{"role":"viewer"}' })).status;
}

/** Every developer of a release without members is the owner of the account. */
const owner = (subject: unknown) => [{ memberId: null, subject, role: 'owner', environments: null }];
const ownersOf = { 'members acc_dev': owner('usr_ada'), 'members acc_other': owner(expect.any(String)) };

const read = async (at: string): Promise<unknown> => JSON.parse(textOf(await stage.use(at, readStore)));

describe.each(cases)('a database of %s, %s', (release, engine) => {
  it('is read as that release read it, without faults before and after the upgrade', async () => {
    const { at, answers } = await place(release, engine);
    const errors = async () => {
      const { stdout } = await stage.sandbox.run(['doctor', '--json'], settingsOf(release, at));
      return JSON.parse(stdout).findings.filter(
        ({ level, area }: Record<string, string>) => level === 'error' || (area === 'database' && level !== 'note'),
      );
    };
    expect(await errors()).toEqual([]);
    expect(Object.keys(answers.store).length).toBeGreaterThan(200);
    expect(await read(at)).toMatchObject({ ...answers.store, ...ownersOf });
    expect(await errors()).toEqual([]);
    expect(await stage.faults(at)).toEqual([]);
  });

  it('is copied to the other engine without changes', async () => {
    const { at, to, answers } = await place(release, engine);
    const copied: Ended = await stage.copy(at, to);
    expect({ code: copied.code, stderr: copied.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await read(to)).toMatchObject(answers.store);
    expect(await read(at)).toMatchObject(answers.store);
    expect(await stage.faults(to)).toEqual([]);
  });

  it('can be served: sealed values open, API keys work, and a repeated write is not applied again', async () => {
    const { at, answers } = await place(release, engine);
    const settings = settingsOf(release, at);
    const server = await stage.sandbox.serve(settings);
    const base = `http://127.0.0.1:${stage.sandbox.environment.SVC_PORT}`;
    const send = async (path: string, key: string, body?: unknown, more: Record<string, string> = {}) => {
      const headers = { Authorization: `ApiKey ${key}`, 'Content-Type': 'application/json', ...more };
      const sent = body === undefined ? {} : { method: 'PATCH', body: JSON.stringify(body) };
      const answer = await fetch(`${base}${path}`, { headers, ...sent });
      return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() };
    };
    for (const { path, key, repeat, ...answer } of answers.http) {
      const again = { 'If-Match': '"69"', 'Idempotency-Key': 'write-number-69' };
      expect(await send(path, key, repeat, repeat === undefined ? {} : again), path).toEqual(answer);
    }
    const { path, key } = answers.http.at(-1) as Answers['http'][number];
    const ops = [{ op: 'replace', path: '/n', value: 'new' }];
    expect(await send(path, key, { ops }, { 'If-Match': '"70"' })).toMatchObject({ status: 200, etag: '"71"' });
    const accountId = path.split('/')[2] as string;
    const created = await stage.sandbox.run(['account', 'token', accountId], settings);
    expect(created.code).toBe(0);
    const headers = { Authorization: `Bearer ${created.stdout.trim()}` };
    expect((await fetch(`${base}/v1/${accountId}/projects`, { headers })).status).toBe(200);
    const slug = path.split('/')[4] as string;
    const before = engine === 'embedded' ? [200, 201, 200, 200, 200] : [409, 409, 409, 409, 409];
    expect(await narrow(`${base}/v1/${accountId}`, slug, headers)).toEqual(before);
    expect(await inviteViewer(`${base}/v1/${accountId}`, headers)).toBe(engine === 'embedded' ? 201 : 409);
    if (engine === 'postgres') {
      const refused = await requireSecondFactor(`${base}/v1/${accountId}`, headers);
      expect(refused.body).toMatchObject({ error: 'upgrade_unfinished', message: expect.stringContaining('--finish') });
    }
    // Changes that widen access do not need a finished upgrade.
    expect((await requireSecondFactor(`${base}/v1/${accountId}`, headers, false)).status).toBe(200);
    expect((await stage.sandbox.run(['upgrade', '--finish'], settings)).code).toBe(0);
    expect(await narrow(`${base}/v1/${accountId}`, slug, headers)).toEqual([200, 201, 200, 200, 200]);
    expect(await inviteViewer(`${base}/v1/${accountId}`, headers)).toBe(201);
    await server.stop();
  });
});
