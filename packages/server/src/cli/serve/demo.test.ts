import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../common/secrets/api-key-text.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { listApiKeys } from '../../management/api-keys.ts';
import { readSignInSettings } from '../../management/sign-in-settings.ts';
import { createSealer } from '../../secrets/sealer.ts';
import { loadOrCreateSecretKeys } from '../../secrets/secret-key.ts';
import { publishableKeyPurpose } from '../../storage/contract/api-keys.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import type { Store } from '../../storage/store.ts';
import { anAccount, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { demoAccount, ensureDemo } from './demo.ts';

const baseUrl = 'http://127.0.0.1:8787';
const steps = ['createAccount', 'createProject', 'createApiKey', 'changePlayerAuth', 'writePublicState'] as const;
type Step = (typeof steps)[number];

let dataDir: string;
let config: Config;
let store: Store;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  config = configOf({});
  store = await openSqliteStore({ dataDir });
});
afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

function configOf(environment: Record<string, string>): Config {
  const outcome = readConfig({ SVC_DATA_DIR: dataDir, ...environment });
  if (outcome.kind === 'faults') throw new Error(outcome.faults.join());
  return outcome.config;
}

/** The store as a process finds it that is killed right before or after a step. */
function endingAt(step: Step, moment: 'before' | 'after'): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== step) return member.bind(target);
      return async (...args: unknown[]) => {
        if (moment === 'after') await Reflect.apply(member, target, args);
        throw new Error('killed');
      };
    },
  });
}

const envFile = () => join(dataDir, 'dev.env');
const accountIds = async () => (await store.listAccounts({ after: null, itemsMax: 10 })).items.map((one) => one.accountId);

describe('an unfinished demo', () => {
  it.each(steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    'from a process that ended at %s (%s it) is created again',
    async (step, moment) => {
      await expect(ensureDemo(endingAt(step, moment), config, baseUrl)).rejects.toThrow('killed');
      expect(existsSync(envFile())).toBe(false); // a reader finds the complete file or none
      expect(await ensureDemo(store, config, baseUrl)).toMatchObject({ envFile: envFile() });
      const { HOLDFAST_ACCOUNT_ID: accountId, HOLDFAST_API_KEY: apiKey = '' } = parseEnv(readFileSync(envFile(), 'utf8'));
      expect(existsSync(`${envFile()}.unfinished`)).toBe(false);
      expect(await accountIds()).toEqual([accountId]);
      expect(await store.findApiKey(hashApiKey(apiKey))).toMatchObject({ accountId, slug: 'hello' });
      expect(await ensureDemo(store, config, baseUrl)).toMatchObject({ envFile: envFile() });
      expect(await accountIds()).toEqual([accountId]);
    },
  );

  it('is recorded in the file itself, where earlier releases recorded it', async () => {
    await expect(ensureDemo(endingAt('createProject', 'after'), config, baseUrl)).rejects.toThrow('killed');
    const [unfinished] = await accountIds();
    renameSync(`${envFile()}.unfinished`, envFile());
    await ensureDemo(store, config, baseUrl);
    expect(await accountIds()).toEqual([expect.not.stringMatching(unfinished as string)]);
  });

  it('from a process killed after its file was written is finished', async () => {
    await ensureDemo(store, config, baseUrl);
    const [accountId] = await accountIds();
    writeFileSync(`${envFile()}.unfinished`, `HOLDFAST_UNFINISHED_ACCOUNT_ID=${accountId}\n`);
    expect(await ensureDemo(store, config, baseUrl)).toMatchObject({ envFile: envFile() });
    expect(await accountIds()).toEqual([accountId]);
    expect(existsSync(`${envFile()}.unfinished`)).toBe(false);
  });

  it('is deleted and not replaced if another account exists by then', async () => {
    await expect(ensureDemo(endingAt('writePublicState', 'before'), config, baseUrl)).rejects.toThrow('killed');
    await store.createAccount(anAccount({ accountId: 'acc_1', name: 'Acme', idpTenantId: 't', createdAt: 1 }));
    expect(await ensureDemo(store, config, baseUrl)).toBeUndefined();
    expect(await accountIds()).toEqual(['acc_1']);
  });

  it('is deleted and not replaced if others can reach the service by then', async () => {
    await expect(ensureDemo(endingAt('createProject', 'after'), config, baseUrl)).rejects.toThrow('killed');
    expect(await ensureDemo(store, configOf({ SVC_HOST: '0.0.0.0' }), baseUrl)).toBeUndefined();
    expect(await accountIds()).toEqual([]);
  });
});

it('lets guests in, and has a key for games that reads its one document', async () => {
  await ensureDemo(store, config, baseUrl);
  const {
    HOLDFAST_ACCOUNT_ID: accountId = '',
    HOLDFAST_API_KEY: apiKey = '',
    HOLDFAST_PUBLISHABLE_KEY: gameKey = '',
  } = parseEnv(readFileSync(envFile(), 'utf8'));
  expect(await readSignInSettings(store, { accountId, slug: 'hello' })).toMatchObject({
    enabled: true,
    redirectUris: ['http://localhost:5173/'],
    allowedIdps: ['password', 'anonymous'],
  });
  const known = { accountId, slug: 'hello', kind: 'publishable', access: 'read', environments: ['development'] };
  expect(await store.findApiKey(hashApiKey(gameKey))).toMatchObject(known);
  expect(await ensureDemo(store, config, baseUrl)).toMatchObject({ gameKey });
  const sealer = createSealer(loadOrCreateSecretKeys(config), publishableKeyPurpose);
  const { items } = await listApiKeys(store, { accountId, slug: 'hello' }, sealer);
  expect(items.map((key) => key.apiKey)).toContain(gameKey);

  // A demo of an earlier release has no such key.
  writeFileSync(envFile(), readFileSync(envFile(), 'utf8').replace(/^export HOLDFAST_PUBLISHABLE_KEY=.*\n/m, ''));
  const later = (await ensureDemo(store, config, baseUrl))?.gameKey ?? '';
  expect(later).not.toBe(gameKey);
  expect(await store.findApiKey(hashApiKey(later))).toMatchObject(known);
  expect(parseEnv(readFileSync(envFile(), 'utf8'))).toMatchObject({
    HOLDFAST_API_KEY: apiKey,
    HOLDFAST_PUBLISHABLE_KEY: later,
  });
});

it('a request for a new link recognises the demo by its file', async () => {
  expect(await demoAccount(store, config)).toBeUndefined();
  await ensureDemo(store, config, baseUrl);
  expect(await demoAccount(store, config)).toBe((await accountIds())[0]);
});

it('a finished demo is never deleted, even without its project', async () => {
  await ensureDemo(store, config, baseUrl);
  const [accountId = ''] = await accountIds();
  await store.deleteProject(byOperator, { accountId, slug: 'hello' });
  expect(await ensureDemo(store, config, baseUrl)).toBeUndefined();
  expect(await accountIds()).toEqual([accountId]);
});

it.each([
  ['the service is reachable from other machines', { SVC_HOST: '0.0.0.0' }, baseUrl],
  ['clients use a public address, as behind a proxy', {}, 'https://games.example'],
  ['the demo is switched off', { SVC_DEMO: 'off' }, baseUrl],
])('a demo is neither created nor renewed where %s', async (_where, settings, url) => {
  expect(await ensureDemo(store, configOf(settings), url)).toBeUndefined();
  expect([await accountIds(), existsSync(envFile())]).toEqual([[], false]);
  await ensureDemo(store, config, baseUrl);
  const before = readFileSync(envFile(), 'utf8');
  expect(await ensureDemo(store, configOf(settings), url)).toBeUndefined();
  expect(readFileSync(envFile(), 'utf8')).toBe(before);
});

it('a demo link signs nobody in without the console', async () => {
  const linkOf = async (settings: Record<string, string>, url: string) =>
    (await ensureDemo(store, configOf(settings), url))?.consoleLink;
  expect(await linkOf({}, baseUrl)).toContain(`${baseUrl}/console/demo#`);
  expect(await linkOf({ SVC_CONSOLE: 'off' }, baseUrl)).toBeUndefined();
  expect(readFileSync(envFile(), 'utf8')).not.toContain('HOLDFAST_CONSOLE_URL');
});

it('a file that no start has written, or a link, is left alone even if the store is empty', async () => {
  const own = 'MY_SETTING=1\n';
  writeFileSync(envFile(), own);
  expect(await ensureDemo(store, config, baseUrl)).toBeUndefined();
  expect(readFileSync(envFile(), 'utf8')).toBe(own);
  renameSync(envFile(), `${envFile()}.mine`);
  symlinkSync(`${envFile()}.mine`, envFile());
  expect(await ensureDemo(store, config, baseUrl)).toBeUndefined();
  expect(await accountIds()).toEqual([]);
});

it('a file without credentials is not a demo', async () => {
  await store.createAccount(anAccount({ accountId: 'acc_1', name: 'Acme', idpTenantId: 't', createdAt: 1 }));
  const text = '# Address and credentials of the demo project.\nHOLDFAST_ACCOUNT_ID=acc_1\n';
  writeFileSync(envFile(), text);
  expect(await ensureDemo(store, config, baseUrl)).toBeUndefined();
  expect(readFileSync(envFile(), 'utf8')).toBe(text);
  expect(await accountIds()).toEqual(['acc_1']);
});
