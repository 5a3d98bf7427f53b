/** An embedded database of an older release, upgraded by the command, and reverted. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newestMigration } from '../storage/sql/schema/releases.ts';
import { upgradeSeconds } from '../storage/sql/schema/upgrade-preview.ts';
import { openBackup } from '../storage/sqlite/directory/backup.ts';
import { appliedMigrations, migrate, migrations } from '../storage/sqlite/schema/migrations.ts';
import { type CommandSandbox, createCommandSandbox } from './command.fixture.ts';

let place: CommandSandbox;
const database = () => join(place.dataDir, 'holdfast.sqlite');
const check = async () => {
  const ended = await place.run(['upgrade', '--check', '--json']);
  return { code: ended.code, ...JSON.parse(ended.stdout) };
};

beforeEach(async () => {
  place = await createCommandSandbox();
  await place.run(['account', 'create', '--name', 'Ada']);
});
afterEach(() => place.remove());

/** Creates a database as the first release does. */
function makeOld(): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${database()}${ending}`, { force: true });
  change((open) => migrate(open, migrations.slice(0, 1), 5));
  chmodSync(database(), 0o600);
}

function change(work: (open: DatabaseSync) => void): void {
  const open = new DatabaseSync(database());
  work(open);
  open.close();
}

describe('holdfast upgrade --check', () => {
  it('reports that a current database needs no change', async () => {
    expect(await check()).toMatchObject({ code: 0, pending: [], seconds: 0, copy: null, refusal: null, unfinished: [] });
    expect((await place.run(['upgrade', '--check'])).stdout).toMatch(/^A start +would change nothing$/m);
  });

  it('reports what a start would do to an older one, its duration and disk space; and changes nothing', async () => {
    makeOld();
    const pending = migrations.slice(1).map(({ number }) => number);
    expect(await check()).toMatchObject({ code: 0, madeBy: '0.1.0', migration: 1, pending, seconds: 1, refusal: null });
    const { stdout } = await place.run(['upgrade', '--check']);
    expect((await check()).copy.bytes).toBe(statSync(database()).size);
    expect(stdout).toMatch(/^This program +Holdfast \d+\.\d+\.\d+(?:, on the way to \d+\.\d+\.\d+)?$/m);
    expect(stdout).toMatch(/^A start +would copy the database, then apply migration/m);
    expect(stdout).toMatch(/^Needs +up to \d.* of disk; .* are free$/m);
    const open = openBackup(database());
    expect(appliedMigrations(open)).toHaveLength(1);
    open.close();
    expect((await check()).disk.bytes).toBeGreaterThan(statSync(database()).size);
    expect((await place.run(['upgrade', '--check'], { SVC_UPGRADE_COPY: 'off' })).stdout).toMatch(
      /^Needs +up to 1\.0 MiB of disk/m,
    );
  });

  it('estimates from the read speed of the database and a slower write speed', () => {
    const bytes = 3 * 1024 ** 3;
    const seconds = (readMebibytes: number) =>
      upgradeSeconds(migrations, 0, { bytes, readBytesPerSecond: readMebibytes * 1024 ** 2 });
    expect([seconds(50), seconds(100), seconds(3_000)]).toEqual([123, 62, 22]);
    expect(upgradeSeconds(migrations, 400_000)).toBe(2);
    expect(upgradeSeconds([], 400_000, { bytes, readBytesPerSecond: 1 })).toBe(0);
  });

  it('names the release that a newer one needs', async () => {
    change((open) => open.exec("INSERT INTO migrations VALUES (99, 'x', 1, '3.1.0', 99)"));
    expect(await check()).toMatchObject({ code: 1, madeBy: '3.1.0', refusal: expect.stringContaining('Holdfast 3.1.0') });
    const { stderr, code } = await place.run(['account', 'list']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^holdfast: cannot open the database: it needs Holdfast 3.1.0[^\n]*\n$/),
    ]);
  });
});

describe('an upgrade of the embedded database', () => {
  it('leaves a copy that restores, which this release upgrades again because versions must increase', async () => {
    makeOld();
    const server = await place.serve();
    expect(server.output()).toContain('the database was upgraded');
    await server.stop();
    const copy = readdirSync(place.dataDir).find((name) => name.includes('.before-')) as string;
    const restored = await place.run(['restore', join(place.dataDir, copy), '--force', '--json']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(await check()).toMatchObject({ migration: newestMigration, pending: [], refusal: null });
  });

  it('begins only with a matching secret key, as the check says, and free ports', async () => {
    makeOld();
    const applied = () => {
      const open = openBackup(database());
      const numbers = appliedMigrations(open).map(({ number }) => number);
      open.close();
      return numbers;
    };
    const taken = createServer();
    taken.listen(Number(place.environment.SVC_PORT), '127.0.0.1');
    await once(taken, 'listening');
    expect(await place.run(['serve'])).toMatchObject({ code: 1, stderr: expect.stringContaining('EADDRINUSE') });
    expect(applied()).toEqual([1]);
    await new Promise((done) => taken.close(done));
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
    const sealed = Buffer.concat([Uint8Array.of(1), Buffer.alloc(60)]); // with another key
    change((open) =>
      open
        .prepare(`INSERT INTO signing_keys (purpose, key_id, public_jwk, sealed_private_jwk, created_at)
          VALUES ('access_token', 'k', ?, ?, 5)`)
        .run(jwk, sealed),
    );
    expect(await check()).toMatchObject({
      code: 1,
      refusal: expect.stringContaining('the secret key does not fit the database'),
    });
    for (const command of [['serve'], ['account', 'list']]) {
      const stderr = expect.stringContaining('the secret key does not fit the database');
      expect(await place.run(command)).toMatchObject({ code: 1, stderr });
    }
    expect(applied()).toEqual([1]);
    expect(readdirSync(place.dataDir).filter((name) => name.includes('.before-'))).toEqual([]);
    expect(await place.run(['keys', 'rotate', '--revoke'])).toMatchObject({ code: 0 });
    await (await place.serve()).stop();
  });

  it('has nothing to finish', async () => {
    expect(await place.run(['upgrade', '--finish'])).toMatchObject({ code: 0, stdout: 'There is nothing to finish.\n' });
    expect(await place.run(['upgrade'])).toMatchObject({ code: 2, stderr: 'holdfast: say one of --check and --finish\n' });
  });
});

describe('holdfast doctor', () => {
  const findings = async () =>
    JSON.parse((await place.run(['doctor', '--json'])).stdout).findings as { finding: string; advice: string }[];

  it('accepts an older database and the remains of upgrades', async () => {
    makeOld();
    expect(await findings()).toEqual([
      expect.objectContaining({ level: 'note', finding: 'the database is of an older release' }),
    ]);
    await (await place.serve()).stop();
    expect(await findings()).toEqual([
      expect.objectContaining({
        level: 'note',
        finding: expect.stringContaining('is the database as it was before an upgrade'),
      }),
    ]);
  });

  it.each([
    [
      'another migration',
      "UPDATE migrations SET sha256 = 'x' WHERE number = 1",
      'its migration 1 is not the one of this program',
    ],
    ['a newer one', "INSERT INTO migrations VALUES (99, 'x', 1, '3.1.0', 99)", 'it needs Holdfast 3.1.0 or newer'],
  ])('advises no restore of a database with %s', async (_what, sql, message) => {
    change((open) => open.exec(sql));
    const found = await findings();
    expect(found).toEqual([expect.objectContaining({ level: 'error', finding: expect.stringContaining(message) })]);
    expect(found[0]?.advice).toMatch(/nothing to restore/);
  });

  it('accepts a newer database that this release may use', async () => {
    change((open) =>
      open.exec(
        `INSERT INTO migrations VALUES (99, 'x', 1, '3.1.0', ${newestMigration}); ALTER TABLE projects ADD COLUMN planted_by_a_test TEXT`,
      ),
    );
    expect(await findings()).toEqual([]);
  });
});
