/** An installation whose secret key changes: sealed data stays valid on every node. @see docs/install.md "Changing the secret key" */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFormClient } from '../../tooling/forms.ts';
import { holdfastCommand, serverEnvironment } from '../../tooling/server-process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type AccountWorld, openAccountWorld, stepMilliseconds, titleOf } from './account-world.ts';

let at: AccountWorld;
let running: Pick<TestServer, 'stop'>;
beforeAll(async () => {
  at = await openAccountWorld();
  running = { stop: at.world.server.running.stop };
});
afterAll(async () => {
  await running.stop();
  await at.world.stop();
});

const keys = { old: '', next: randomBytes(32).toString('base64') };

const settingsOf = (secretKey: string, other?: string) => ({
  ...at.world.server.place.settings,
  SVC_SECRET_KEY: secretKey,
  ...(other !== undefined && { SVC_SECRET_KEY_OTHER: other }),
});

/** Replaces the server with one that has these keys. */
async function restart(secretKey: string, other?: string): Promise<void> {
  await running.stop();
  running = { stop: async () => undefined };
  const { place, baseUrl } = at.world.server;
  const settings = {
    ...settingsOf(secretKey, other),
    SVC_PORT: new URL(baseUrl).port,
    SVC_BASE_URL: baseUrl,
    SVC_DEVELOPER_REDIRECT_URIS: at.world.appUri,
    SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
  };
  running = await startServer({ place, settings, now: at.now });
}

interface Resealed {
  readonly code: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Runs the operator's command while the server is running. */
async function reseal(secretKey: string, other: string | undefined, ...more: string[]): Promise<Resealed> {
  const env = serverEnvironment({ SVC_DATA_DIR: at.world.server.place.dataDir, ...settingsOf(secretKey, other) });
  const args = [holdfastCommand, 'secret-key', 'reseal', '--json', ...more];
  const ran = promisify(execFile)(process.execPath, args, { env });
  const { stdout, code } = await ran.then(({ stdout: text }) => ({ stdout: text, code: 0 })).catch((error) => error);
  return { code, counts: JSON.parse(stdout) };
}

it('sessions, second factors, recovery codes and provider secrets survive a change of the key', {
  timeout: 180_000,
}, async () => {
  const { world } = at;
  keys.old = world.server.place.secretKeyText();
  const person = await at.newPerson();
  const { secret, recovery } = await at.setUpApp(person);
  const client = await world.newClient();
  await world.putProvider(client, 'google.com', { clientId: 'c', clientSecret: 'the secret of a provider' });
  const { accountId, bearer: headers } = client.developer;
  const keysPath = `/v1/${accountId}/projects/game/api-keys`;
  const created = await world.server.call('POST', keysPath, { headers, body: { name: 'a', kind: 'publishable' } });
  at.pass(2 * stepMilliseconds);
  const signIn = async (code: string, form = createFormClient(world.baseUrl)) => {
    const finished = await form.send(await at.enter(form, person.address), '/authorize/second-step', { code });
    expect(titleOf(finished)).toContain('Signed in');
    return at.redeem(await at.comeBack(form, finished));
  };
  const tokens = await signIn(at.codeOf(secret));
  const repeatable = { 'Idempotency-Key': 'k'.repeat(16) };
  const first = await at.refresh(tokens, repeatable);
  expect(first.status).toBe(200);
  const open = createFormClient(world.baseUrl);
  const asked = await at.enter(open, person.address);
  at.pass(2 * stepMilliseconds);

  // Every node must know the new key before any node seals with it.
  await restart(keys.old, keys.next);
  expect(await reseal(keys.old, keys.next)).toMatchObject({ code: 0, counts: { resealed: 0, sealedByOther: 0 } });

  await restart(keys.next, keys.old);
  const again = await at.refresh(tokens, repeatable);
  expect([again.status, again.body.refresh_token]).toEqual([200, first.body.refresh_token]);
  // An earlier page remains valid, including the sealed data in its form.
  const finished = await open.send(asked, '/authorize/second-step', { code: at.codeOf(secret) });
  expect(titleOf(finished)).toContain('Signed in');
  expect((await reseal(keys.next, keys.old, '--check')).code).toBe(1);
  await expect(restart(keys.next)).rejects.toThrow('sealed with another secret key');

  await restart(keys.next, keys.old);
  const done = await reseal(keys.next, keys.old);
  // Two signing keys, the secrets of the app and the provider, and the publishable key; the key of recovery codes is kept.
  expect(done).toEqual({ code: 0, counts: { resealed: 5, sealed: 6, sealedByOther: 0, unopened: 0 } });
  expect(await reseal(keys.next, undefined, '--check')).toEqual({ code: 0, counts: { ...done.counts, resealed: 0 } });

  await restart(keys.next);
  at.pass(2 * stepMilliseconds);
  expect((await at.refresh(first.body)).status).toBe(200);
  await signIn(at.codeOf(secret));
  await signIn(recovery[0] ?? '');
  const { apiKey } = created.json as { apiKey: string };
  const listed = await world.server.call('GET', keysPath, { headers });
  expect(listed.json).toMatchObject({ items: [{ apiKey }] });
  expect(await world.server.place.storedText()).not.toContain(apiKey);
  expect(await world.server.place.storedText()).not.toContain('the secret of a provider');
  expect((await reseal(keys.old, undefined, '--check')).counts).toMatchObject({ sealed: 0, unopened: 6 });
});
