import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programCommit, programVersion } from '../../common/program/version.ts';
import { type Announcement, banner, nextSteps, readyRecord } from './banner.ts';

const repository = resolve(import.meta.dirname, '../../../../..');

const announcement: Announcement = {
  baseUrl: 'http://[::1]:8787',
  config: {
    host: '::1',
    authFrontUrl: 'https://login.example',
    dataDir: '/srv/holdfast/data',
    databaseUrl: undefined,
    console: 'on',
  },
  isTerminal: true,
  isColored: false,
  demo: undefined,
  isEmpty: false,
  environment: { INIT_CWD: '/srv/holdfast' },
  cwd: '/srv/holdfast',
};
const bannerWith = (changes: Partial<Announcement>, config: Partial<Announcement['config']> = {}) =>
  banner({ ...announcement, ...changes, config: { ...announcement.config, ...config } });

describe('banner', () => {
  it('names the addresses and the data folder, and no demo if none exists', () => {
    expect(banner(announcement)).toBe(
      [
        '',
        'Holdfast is ready.',
        '',
        '  Console        http://[::1]:8787/console/',
        '  Documentation  http://[::1]:8787/docs',
        '  Sign-in        http://[::1]:8787/docs/sign-in',
        '  API            http://[::1]:8787',
        '  Data           ./data',
        '',
        '',
      ].join('\n'),
    );
  });

  it('names the hosts and the name of a database, but never its password', () => {
    const of = (databaseUrl: string) => /Data +(.*)/.exec(bannerWith({}, { databaseUrl }))?.[1];
    expect(of('postgres://ada:s3cret@db-1:5432,db-2:5433/holdfast?sslmode=require')).toBe(
      'PostgreSQL, db-1:5432,db-2:5433/holdfast',
    );
    expect(of('postgresql://db')).toBe('PostgreSQL, db');
  });

  it('ends with the next steps if a demo exists', () => {
    const consoleLink = 'http://[::1]:8787/console/demo#code.verifier';
    const demo = { envFile: '/srv/holdfast/data/dev.env', gameKey: 'svcp_1', consoleLink };
    const lines = nextSteps(demo, '/srv/holdfast').map((line) => `  ${line}`);
    const again = 'Signs you in once. For another link: holdfast account link';
    expect(bannerWith({ demo })).toContain(`  Console        ${consoleLink}\n                 ${again}\n`);
    expect(bannerWith({ demo })).toContain(
      '  First game     http://[::1]:8787/docs/first-game\n                 Publishable key: svcp_1\n',
    );
    expect(bannerWith({ demo, isTerminal: false })).not.toContain('code.verifier');
    expect(bannerWith({ demo, isTerminal: false })).toContain('the link that this prints: holdfast account link\n');
    expect(bannerWith({ demo }, { console: 'off' })).not.toContain('Console');
    expect(bannerWith({ demo }).endsWith(`\n\n${lines.join('\n')}\n\n`)).toBe(true);
  });

  it('has colors only where the terminal shows them, and the same text', () => {
    const colored = bannerWith({ isColored: true });
    expect(colored).toContain('\u001b[36mhttp://[::1]:8787/docs\u001b[39m');
    expect(stripVTControlCharacters(colored)).toBe(banner(announcement));
  });

  it('has lines for PowerShell on Windows', () => {
    const demo = { envFile: "/srv/holdfast/it's/dev.env", gameKey: 'svcp_1', consoleLink: undefined };
    const [load, read, note, change] = nextSteps(demo, '/srv/holdfast', 'win32');
    expect(load).toMatch(/^Get-Content 'it''s\/dev\.env' \| ForEach-Object /);
    const [, pattern = ''] = /-match "(\^.*?\$)"/.exec(load ?? '') ?? [];
    expect("export HOLDFAST_URL='http://a b'".match(pattern)?.slice(1)).toEqual(['HOLDFAST_URL', 'http://a b']);
    expect('export HOLDFAST_API_KEY=svck_1'.match(pattern)?.slice(1)).toEqual(['HOLDFAST_API_KEY', 'svck_1']);
    expect(read).toContain('$env:HOLDFAST_STATE_URL -Headers @{ Authorization = "ApiKey $env:HOLDFAST_API_KEY" }');
    expect(note).toMatch(/^\$etag = .*\.Headers\['ETag'\]$/);
    expect(change).toContain(`'If-Match' = "$etag" } -ContentType application/json -Body '{"ops":[{"op":"add"`);
  });

  it.each([
    ['http://127.0.0.1:8787', 'node examples/sign-in/main.mjs'],
    ['http://127.0.0.1:9000', 'HOLDFAST_URL=http://127.0.0.1:9000 node examples/sign-in/main.mjs'],
  ])('at %s it offers the example sign-in there if the example is available', (baseUrl, line) => {
    const own = { authFrontUrl: undefined };
    expect(bannerWith({ baseUrl, cwd: repository }, own)).toContain(
      `${baseUrl}/docs/sign-in\n                 Try it: ${line}\n`,
    );
    expect(bannerWith({ baseUrl }, own)).not.toContain('Try it');
  });

  it.each(['http://0.0.0.0:9000', 'http://[::]:9000'])(
    'for %s it has working links and asks for the base URL',
    (baseUrl) => {
      const text = bannerWith({ baseUrl }, { authFrontUrl: undefined });
      expect(text).toContain('  Documentation  http://127.0.0.1:9000/docs\n');
      expect(text).toContain('  Sign-in        http://127.0.0.1:9000/docs/sign-in\n');
      expect(text).toMatch(/Set SVC_BASE_URL/);
      const environment = { INIT_CWD: '/srv/holdfast', SVC_BASE_URL: baseUrl };
      expect(bannerWith({ baseUrl, environment })).not.toMatch(/Set SVC_BASE_URL/);
    },
  );

  it.each([
    ['/srv/holdfast/data', {}, 'holdfast account create --name "My studio"'],
    ['/srv/holdfast/data', { npm_command: 'exec' }, 'npx holdfast account create --name "My studio"'],
    ['/srv/it is', {}, 'SVC_DATA_DIR=\'/srv/it is\' holdfast account create --name "My studio"'],
  ])('if %s has no account it says how to create one', (dataDir, npm, line) => {
    const environment = { ...announcement.environment, ...npm };
    expect(bannerWith({ isEmpty: true, environment }, { dataDir })).toContain(`\n\n  ${line}\n`);
    expect(bannerWith({ environment }, { dataDir })).not.toContain('account create');
  });
});

describe('the log record of the start', () => {
  it('contains the same without a secret', () => {
    const databaseUrl = 'postgres://ada:s3cret@db-1/holdfast';
    expect(readyRecord({ ...announcement, config: { ...announcement.config, databaseUrl } })).toEqual({
      version: programVersion(),
      commit: programCommit(),
      baseUrl: 'http://[::1]:8787',
      documentation: 'http://[::1]:8787/docs',
      console: 'http://[::1]:8787/console/',
      data: 'PostgreSQL, db-1/holdfast',
      demo: undefined,
      hasAccount: true,
    });
    const demo = {
      envFile: '/d/dev.env',
      gameKey: 'svcp_1',
      consoleLink: 'http://[::1]:8787/console/demo#code.verifier',
    };
    expect(JSON.stringify(readyRecord({ ...announcement, demo }))).not.toContain('code.verifier');
  });

  it('lists the steps left to do', () => {
    const baseUrl = 'http://0.0.0.0:9000';
    expect(readyRecord({ ...announcement, baseUrl, isEmpty: true })).toMatchObject({
      hasAccount: false,
      advice: expect.stringMatching(/Set SVC_BASE_URL .* holdfast account create --name "My studio"$/),
    });
  });
});

describe('the next steps', () => {
  it('quote a path that a shell would split', () => {
    const [source] = nextSteps({ envFile: "/srv/it's here/dev.env" }, '/home');
    expect(source).toBe(`. '/srv/it'\\''s here/dev.env'`);
  });
});
