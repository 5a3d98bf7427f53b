import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createSealer } from '../../secrets/sealer.ts';
import { newDatabase, removeDatabase } from '../../storage/postgres/fixtures/leases.fixture.ts';
import { aProject, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { command } from '../command.fixture.ts';
import { examplesOf } from '../program/command.ts';
import { createProgram } from '../program/program.ts';
import { fillStore, writeUser } from './migrate-store.fixture.ts';
import { readStore } from './reads.fixture.ts';
import { createStage, type Stage } from './stage.fixture.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await createStage();
});
afterEach(() => stage.remove());

const done = { code: 0, stderr: '' };
const failed = (line: RegExp | string) => ({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
const someAccount = { accountId: 'acc_1', name: 'A', idpTenantId: 't', createdAt: 1 };

describe('a copy', () => {
  it('to PostgreSQL and back answers exactly like the original', async () => {
    const { source, url, back } = stage;
    await stage.use(source, fillStore);
    const original = await stage.use(source, readStore);
    expect(await stage.copy(source, url)).toMatchObject(done);
    expect(await stage.faults(url)).toEqual([]);
    expect(await stage.use(url, readStore)).toEqual(original);
    expect(await stage.copy(url, `sqlite:${back}`)).toMatchObject(done);
    expect(await stage.faults(back)).toEqual([]);
    expect(await stage.use(back, readStore)).toEqual(original);
    expect(await stage.use(source, readStore)).toEqual(original);
  });

  it('from PostgreSQL to PostgreSQL, and from folder to folder, is identical', async () => {
    const { source, url, back } = stage;
    await stage.use(url, fillStore);
    const original = await stage.use(url, readStore);
    const second = await newDatabase();
    try {
      expect(await stage.copy(url, `${second}?pgbouncer=true`)).toMatchObject(done);
      expect(await stage.use(second, readStore)).toEqual(original);
      expect(await stage.copy(second, source)).toMatchObject(done);
      expect(await stage.copy(source, back)).toMatchObject(done);
      expect(await stage.use(back, readStore)).toEqual(original);
      expect(await stage.faults(back)).toEqual([]);
    } finally {
      await removeDatabase(second);
    }
  });

  it.each(['url', 'back'] as const)('continues versions and counts where the original ended, at %s', async (to) => {
    await stage.use(stage.source, fillStore);
    await stage.copy(stage.source, stage.url);
    if (to === 'back') await stage.copy(stage.url, stage.back);
    await stage.use(stage[to], async (store) => {
      const game = { accountId: 'acc_alpha', slug: 'game', environment: 'production' } as const;
      const shop = { accountId: 'acc_alpha', slug: 'shop', environment: 'production' } as const;
      const versionOf = async (key: typeof game | typeof shop, playerId: string) => {
        const read = await store.readUserState({ ...key, playerId });
        return read.kind === 'present' ? read.record.version : 0;
      };
      const written = async (key: typeof game | typeof shop, playerId: string) => {
        await writeUser(store, { ...key, playerId }, 1);
        return versionOf(key, playerId);
      };
      const known = await versionOf(game, 'ada');
      expect(await written(game, 'ada')).toBe(known + 1); // though a deleted player had more
      expect(await written(game, 'deleted')).toBeGreaterThan(12);
      expect(await written(shop, 'early')).toBeGreaterThan(9);
      const listed = await store.listUserStates(game, { after: null, itemsMax: 1 });
      expect(listed).toMatchObject({ page: { items: [{ playerId: 'deleted' }] } }); // newest first
      expect((await store.listApiKeys(game, 1_000)).map(({ keyId }) => keyId)).toEqual(['key_0_3', 'key_0_2', 'key_0_1']);

      const endUsers = async () => (await store.readUsage('acc_alpha', 0))?.used.endUsers as number;
      const counted = await endUsers();
      await writeUser(store, { ...game, environment: 'development', playerId: 'bob' }, 1);
      expect(await endUsers()).toBe(counted); // as the same player, who had state in another environment
      await store.deleteUserStates(byOperator, game, 'bob');
      expect(await endUsers()).toBe(counted - 1);
      expect(await store.sweepExpiredSignIns(70_000)).toBe(3); // two codes and the revoked family

      const next = { stateText: '{}', stateBytes: 2, comment: null, writtenAt: 9_000, author: null };
      await store.deleteProject(byOperator, shop);
      await store.createProject(byOperator, aProject({ ...shop, name: 'Third', createdAt: 9_000 }));
      expect(await store.writePublicState(shop, { kind: 'absent' }, next)).toEqual({ kind: 'written', version: 10 });
      const brief = { accountId: 'acc_gamma', slug: 'brief', environment: 'staging' } as const;
      await store.createProject(byOperator, aProject({ ...brief, name: 'Brief', createdAt: 9_000 }));
      expect(await store.writePublicState(brief, { kind: 'absent' }, next)).toEqual({ kind: 'written', version: 4 });
      const used = { apiRequests: 0, projects: 1, endUsers: 0, storageBytes: 2 };
      expect(await store.readUsage('acc_gamma', 0)).toMatchObject({ used });
    });
    expect(await stage.faults(stage[to])).toEqual([]);
  });
});

describe('a copy is refused', () => {
  it('while a service runs on the folder', async () => {
    const service = await stage.sandbox.serve();
    expect(await stage.copy(stage.source, stage.url)).toMatchObject(failed(/a service is running there; stop it first/));
    await service.stop();
    expect(await stage.copy(stage.source, stage.url)).toMatchObject(done);
  });

  it('while a node runs on the database', async () => {
    const settings = { SVC_DATABASE_URL: stage.url, SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
    const node = await stage.sandbox.serve(settings);
    const running = failed(/nodes are connected to it \(\d+ connections\); stop them first/);
    expect(await stage.copy(stage.url, stage.back)).toMatchObject(running);
    await node.stop();
    expect(await stage.copy(stage.url, stage.back)).toMatchObject(done);
  });

  it('into an existing store', async () => {
    const { source, url, back } = stage;
    for (const to of [source, url]) await stage.use(to, (store) => store.createAccount(someAccount));
    expect(await stage.copy(source, url)).toMatchObject(failed(/it holds accounts; name an empty database/));
    expect(await stage.copy(source, url, '--restart')).toMatchObject(failed(/it holds accounts; name an empty database/));
    await stage.use(back, async () => undefined);
    expect(await stage.copy(source, back)).toMatchObject(failed(/it has a database; name a folder without one/));
    expect(await stage.copy(source, source)).toMatchObject(failed(/--from and --to are both/));
  });

  it.each([
    ['a folder without a database', () => join(stage.sandbox.folder, 'nothing'), /there is no database in/],
    ['a database without a store', () => inject('postgresUrl'), /there is no store in postgres:/],
    ['a missing database', () => `${stage.url}_not`, /3D000 database .* does not exist/],
    ['an unreachable server', () => 'postgres://nobody@127.0.0.1:1/none', /cannot use the database.*ECONNREFUSED/],
  ])('from %s', async (_what, from, fault) => {
    expect(await stage.copy(from(), stage.back)).toMatchObject(failed(fault));
    expect(existsSync(join(stage.back, 'holdfast.sqlite.incoming'))).toBe(false);
  });

  it.each(['mysql://a/b', 'sqlite:', 'postgres://'])('from %s, as a usage error', async (from) => {
    expect(await stage.copy(from, stage.back)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('the secret key', () => {
  const key = Buffer.alloc(32, 7);
  const otherKey = Buffer.alloc(32, 8);
  beforeEach(() =>
    stage.use(stage.source, async (store) => {
      const sealedPrivateJwk = createSealer(key, 'signing-key').seal(Buffer.from('{}'), 'k1');
      const record = { purpose: 'access_token', keyId: 'k1', publicJwk: '{}', sealedPrivateJwk, createdAt: 1 } as const;
      await store.addSigningKey(record, null);
    }),
  );
  const writeKey = (folder: string, bytes: Buffer): string => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'secret.key');
    writeFileSync(path, `${bytes.toString('base64')}\n`, { mode: 0o600 });
    return path;
  };

  it('of the data folder is named in the last lines, without showing it or a password', async () => {
    const path = writeKey(stage.source, key);
    const { code, stdout } = await stage.copy(stage.source, stage.url);
    expect(code).toBe(0);
    const { password } = new URL(stage.url);
    const shown = stage.url.replace(`:${password}@`, '@');
    expect(stdout).toContain(`  export SVC_DATABASE_URL=${shown}   # with the password that --to was given\n`);
    expect(stdout).toContain(`  export SVC_SECRET_KEY="$(cat ${path})"\n`);
    expect(stdout).not.toContain(password);
    expect(stdout).not.toContain(key.toString('base64'));
    expect((await stage.copy(stage.url, stage.back)).stdout).toContain('  export SVC_SECRET_KEY=…   # the one that');
  });

  it('in SVC_SECRET_KEY that opens nothing of the source is refused before the copy begins', async () => {
    const args = ['migrate-store', '--from', stage.source, '--to', stage.url];
    const run = (bytes: Buffer) => stage.sandbox.run(args, { SVC_SECRET_KEY: bytes.toString('base64') });
    const tables = () => stage.runSql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    const before = await tables();
    expect(await run(otherKey)).toMatchObject(failed(/SVC_SECRET_KEY is not the secret key of/));
    expect(await tables()).toEqual(before);
    expect(await run(key)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('  SVC_SECRET_KEY as it is set now\n'),
    });
  });

  it('of the target folder must match too', async () => {
    await stage.copy(stage.source, stage.url);
    writeKey(stage.back, otherKey);
    expect(await stage.copy(stage.url, stage.back)).toMatchObject(
      failed(/back\/secret\.key is not the secret key of postgres:/),
    );
    writeKey(stage.back, key);
    const { code, stdout } = await stage.copy(stage.url, stage.back);
    expect(code).toBe(0);
    expect(stdout).toContain(`  unset SVC_DATABASE_URL; export SVC_DATA_DIR=${stage.back}\nDo not start anything on`);
  });
});

describe('the examples', () => {
  it('run as printed, with another database', async () => {
    await stage.use(stage.source, fillStore);
    const { folder, environment } = stage.sandbox;
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'holdfast'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
    chmodSync(join(bin, 'holdfast'), 0o755);
    const found = createProgram().commands.find((each) => each.name() === 'migrate-store');
    for (const example of found ? examplesOf(found) : []) {
      const line = example.replace('postgres://holdfast@db.example.com/holdfast', stage.url);
      expect(line).not.toBe(example);
      const env = { ...environment, PATH: `${bin}:${environment.PATH}` };
      const { stderr } = await promisify(execFile)('bash', ['--norc', '-c', line], { cwd: folder, env });
      expect(stderr).toBe('');
    }
    expect(await stage.faults(stage.back)).toEqual([]);
  });
});
