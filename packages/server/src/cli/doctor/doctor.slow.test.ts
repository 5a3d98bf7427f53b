import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { byOperator } from '../../storage/store-suite/records.fixture.ts';
import { database, dataDir, doctor, key, place, prepareDoctor, secretKey, sql } from './doctor.fixture.ts';

prepareDoctor();

describe('holdfast doctor with everything in order', () => {
  it('notes providers that a project allows but its account has not configured', async () => {
    const store = await openSqliteStore({ dataDir });
    const allowed = (allowedIdps: string[], enabled = true) =>
      store.writePlayerAuth(byOperator, key, JSON.stringify({ enabled, redirectUris: [], allowedIdps }));
    await allowed(['password', 'google.com', 'oidc.studio', 'apple.com']);
    await store.close();
    const { code, lines } = await doctor();
    expect(lines).toEqual([
      'note database: end users of acc_1/game cannot sign in by oidc.studio, apple.com, which is allowed and not configured',
    ]);
    expect(code).toBe(0);
    const outside = { SVC_IDP_ISSUER: 'https://id.example', SVC_IDP_AUDIENCE: 'a' };
    expect((await doctor(outside)).lines).toEqual([]);
  });

  it('names users with two forms of one address', async () => {
    for (const [user, email] of [
      ['usr_a', 'ada@xn--bcher-kva.example'],
      ['usr_u', 'ada@b\u00fccher.example'],
      ['usr_h', 'eda@\uff71.jp'],
      ['usr_k', 'eda@\u30a2.jp'],
      ['usr_x', '\u00f6da@\u30a2.jp'],
    ])
      sql(`INSERT INTO users (directory_id, user_id, created_at, email, email_key, password_hash)
        VALUES ('acc_1', '${user}', 1, '"${email}"', '"${email}"', '$')`);
    const { code, lines } = await doctor();
    const said = 'have the same email address, in two forms of its domain';
    expect(lines).toEqual([
      `note database: the users of acc_1 usr_a and usr_u ${said}`,
      `note database: the users of acc_1 usr_h and usr_k ${said}`,
    ]);
    expect(code).toBe(0);
  });

  it('does not read the whole database with --quick', async () => {
    sql('DELETE FROM public_state_versions WHERE version = 30');
    expect(await doctor({}, '--quick')).toMatchObject({ code: 0, report: { database: { counts: null, tables: null } } });
    expect(await doctor()).toMatchObject({ code: 1 });
  });
});

describe('holdfast doctor on a damaged database', () => {
  it.each([
    [
      'DELETE FROM public_state_versions WHERE version = 30',
      /history: version 29 of acc_1\/game\/production is followed by 31/,
      /history: versions 31 to 32 of acc_1\/game\/production cannot be read/,
    ],
    [
      'UPDATE public_state_heads SET newest_id = 7',
      /history: the current version of acc_1\/game\/production is said to be 40 in row 7/,
    ],
  ])('finds the damage of %s', async (damage, ...expected) => {
    sql(damage);
    const { code, lines } = await doctor();
    expect([code, lines]).toEqual([1, expected.map((line) => expect.stringMatching(line))]);
    const { stdout } = await place.run(['doctor'], { SVC_DATA_DIR: dataDir });
    expect(stdout).toMatch(/^error, database: history: .*\n {2}→ stop the service/m);
    expect(stdout).toMatch(/\n\nThere (is one thing|are 2 things) to do\.\n$/);
  });

  it('warns of wrong counts, which --quick misses and which stop no backup', async () => {
    sql('UPDATE account_usage SET storage_bytes = storage_bytes + 1');
    const { code, lines, report } = await doctor();
    expect([code, lines]).toEqual([
      3,
      [expect.stringMatching(/^warning database: usage: acc_1 is counted with \d+1 bytes, but has \d+0$/)],
    ]);
    expect(report.findings[0]?.advice).toMatch(/"holdfast account limits"/);
    expect(await doctor({}, '--quick')).toMatchObject({ code: 0 });
    const file = join(dataDir, 'counts.backup');
    expect(await place.run(['backup', file], { SVC_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    expect(await place.run(['restore', file, '--force'], { SVC_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  });

  it('reports that a file is not a database', async () => {
    writeFileSync(database(), 'x'.repeat(10_000));
    expect(await doctor()).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^error database: .*holdfast\.sqlite cannot be read: file is not a database$/)],
      report: { database: null },
    });
  });

  it('changes nothing', async () => {
    const before = readFileSync(database());
    await doctor();
    expect(readFileSync(database()).equals(before)).toBe(true);
  });
});

describe('holdfast doctor on the data folder', () => {
  it.each<[string, () => void, RegExp]>([
    ['no secret key', () => rmSync(secretKey()), /^error database: the secret key is missing/],
    ['half a secret key', () => writeFileSync(secretKey(), 'AAAA\n'), /^error database: .*is not 32 bytes/],
    [
      'a folder accessible to other users',
      () => chmodSync(dataDir, 0o755),
      /^warning data_folder: .* is open to others \(mode 0755\)$/,
    ],
    [
      'a database accessible to other users',
      () => chmodSync(database(), 0o640),
      /^warning data_folder: .*holdfast\.sqlite is open to others \(mode 0640\)$/,
    ],
    [
      'a database behind a symbolic link',
      () => {
        const elsewhere = join(place.folder, 'elsewhere');
        renameSync(database(), elsewhere);
        symlinkSync(elsewhere, database());
      },
      /^error data_folder: .*holdfast\.sqlite is a symbolic link; the service does not start with it$/,
    ],
  ])('reports %s', async (_name, damage, expected) => {
    damage();
    const code = expected.source.startsWith('^error') ? 1 : 3;
    expect(await doctor()).toMatchObject({ code, lines: [expect.stringMatching(expected)] });
  });

  it.each([
    ["UPDATE identity_providers SET settings = json_set(settings, '$.issuer', 'https://other.example')", 'another issuer'],
    ["UPDATE identity_providers SET sealed_secret = x'01'", 'half a secret'],
  ])("reports that, after %s, the provider's secret does not open: %s", async (damage) => {
    sql(damage);
    const line = 'error database: the secret key opens 0 of 1 secrets of identity providers, not acc_1/google.com';
    const { code, lines, report } = await doctor();
    expect([code, lines]).toEqual([1, [line]]);
    expect(report.findings[0]?.advice).toMatch(/PUT \/v1\/\{accountId\}\/identity-providers/);
  });

  it('reports a secret key that others can read, without calling it wrong', async () => {
    chmodSync(secretKey(), 0o644);
    expect(await doctor()).toMatchObject({
      code: 1,
      lines: [
        expect.stringMatching(
          /^error data_folder: .*secret\.key is open to others \(mode 0644\); the service does not start/,
        ),
        expect.stringMatching(/^error database: the secret key .* is open to others/),
      ],
    });
  });

  it('notes the remains of a restore, without a status', async () => {
    writeFileSync(`${database()}.restoring`, '', { mode: 0o600 });
    writeFileSync(`${database()}.replaced-20260101T000000000Z`, '', { mode: 0o600 });
    expect(await doctor()).toMatchObject({
      code: 0,
      lines: [
        expect.stringMatching(/^note data_folder: .*replaced-2026\S+ is a database that a restore replaced$/),
        expect.stringMatching(/^note data_folder: .*restoring was left by an interrupted command$/),
      ],
    });
  });

  it('reports a missing database and ends with 2', async () => {
    const empty = join(place.folder, 'none');
    mkdirSync(empty);
    const { code, lines, report } = await doctor({ SVC_DATA_DIR: empty });
    expect([code, report.status]).toEqual([2, 'incomplete']);
    expect(lines).toEqual([`error data_folder: there is no database in ${empty}`]);
  });

  it('reports a missing PostgreSQL without its password', async () => {
    const environment = {
      SVC_DATA_DIR: dataDir,
      SVC_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d',
      SVC_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    };
    // The time in which a database must answer is that of a process that does nothing else.
    const { code, stdout } = await place.start(['doctor'], environment).ended;
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^error, database: the database cannot be reached: ECONN/m)]);
    expect(stdout).not.toContain('hunter2');
  });
});

/** Settings of an installation that others can reach. */
const safe = { SVC_DEVELOPER_SIGNUP: 'closed', SVC_SMTP_URL: 'smtp://mail.example' };
const behindProxy = { ...safe, SVC_BASE_URL: 'https://state.example', SVC_TRUST_PROXY: '127.0.0.1' };
const allQuotas = Object.fromEntries(
  ['API_REQUESTS_PER_MONTH', 'PROJECTS', 'END_USERS', 'STORAGE_BYTES'].map((name) => [`SVC_QUOTA_${name}`, '1000']),
);

describe('holdfast doctor on the settings', () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ SVC_PROT: '1' }, /^error configuration: SVC_PROT is not a setting of this service; did you mean SVC_PORT\?$/],
    [{ SVC_IDP_AUDIENCE: 'a' }, /^error configuration: SVC_IDP_ISSUER is missing/],
    [
      { ...behindProxy, SVC_BASE_URL: 'http://state.example' },
      /^warning configuration: the base URL http:\/\/state\.example is not encrypted/,
    ],
    [{ ...safe, SVC_BASE_URL: 'https://state.example' }, /^warning configuration: .*SVC_TRUST_PROXY is not set/],
    [
      { ...behindProxy, SVC_DEVELOPER_SIGNUP: 'open' },
      /^warning configuration: whoever can reach https:\/\/state\.example can create an account/,
    ],
    [
      { ...behindProxy, SVC_SMTP_URL: '' },
      /^warning configuration: SVC_SMTP_URL is not set: sign-up and password mails are not sent/,
    ],
    [{ SVC_TRUST_PROXY: '0.0.0.0/0' }, /^warning configuration: SVC_TRUST_PROXY covers the whole internet/],
    [
      { ...safe, SVC_HOST: '0.0.0.0' },
      /^warning configuration: the base URL is http:\/\/0\.0\.0\.0:\d+, which no client can call/,
    ],
    [{ SVC_HOST: '0.0.0.0', SVC_BASE_URL: 'http://127.0.0.1' }, /^warning configuration: .* only works on this machine/],
  ])('reports %j', async (environment, expected) => {
    const code = expected.source.startsWith('^error') ? 1 : 3;
    expect(await doctor(environment, '--quick')).toMatchObject({ code, lines: [expect.stringMatching(expected)] });
  });

  it.each<Record<string, string>>([
    behindProxy,
    { ...behindProxy, SVC_SMTP_URL: '', SVC_IDP_ISSUER: 'https://id.example', SVC_IDP_AUDIENCE: 'a' },
    { ...behindProxy, SVC_DEVELOPER_SIGNUP: 'open', ...allQuotas },
    { SVC_BASE_URL: 'http://localhost:8787', SVC_TRUST_PROXY: '10.0.0.0/8' },
  ])('accepts %j', async (environment) => {
    expect(await doctor(environment, '--quick')).toMatchObject({ code: 0, lines: [] });
  });

  it('takes a loopback address with another base URL for one behind a proxy, but not one that listens on all addresses', async () => {
    const lines = async (host: string) =>
      (await doctor({ ...safe, SVC_BASE_URL: 'http://state.example', SVC_HOST: host }, '--quick')).lines.length;
    expect([await lines('127.0.0.1'), await lines('0.0.0.0')]).toEqual([2, 1]);
  });

  it('reports a demo that others can reach, with its account', async () => {
    writeFileSync(join(dataDir, 'dev.env'), 'export HOLDFAST_ACCOUNT_ID=acc_demo\n', { mode: 0o600 });
    expect(await doctor({}, '--quick')).toMatchObject({ code: 0, lines: [] });
    const { code, lines, report } = await doctor(behindProxy, '--quick');
    expect([code, report.status, lines]).toEqual([
      3,
      'warnings',
      [expect.stringMatching(/^warning configuration: the demo account acc_demo can be used at https:\/\/state\.example/)],
    ]);
    expect(report.findings[0]?.advice).toMatch(/holdfast account delete acc_demo.*SVC_DEMO=off/);
    const open = await doctor({ SVC_HOST: '0.0.0.0', SVC_BASE_URL: 'http://127.0.0.1:8787' }, '--quick');
    expect(open.lines).toContainEqual(
      expect.stringMatching(/the demo account acc_demo can be used at port \d+ of 0\.0\.0\.0/),
    );
  });

  it('reports that the base URL does not reach the service', async () => {
    const server = await place.serve({ SVC_DATA_DIR: dataDir });
    const { code, lines, report } = await doctor({ SVC_PORT: '1' }, '--quick');
    expect([code, report.service]).toEqual([3, 'unknown']);
    expect(lines).toEqual([
      expect.stringMatching(/^warning service: a service runs, but http:\S+\/readyz cannot be reached/),
    ]);
    await server.stop();
  });
});
