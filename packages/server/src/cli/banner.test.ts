import { describe, expect, it } from 'vitest';
import { banner, nextSteps } from './banner.ts';

const info = {
  baseUrl: 'http://[::1]:8787',
  authFrontUrl: 'https://login.example',
  dataDir: '/srv/holdfast/data',
  databaseUrl: undefined,
  directory: '/srv/holdfast',
  demo: undefined,
};

describe('banner', () => {
  it('names the addresses and the data folder, and no demo where there is none', () => {
    expect(banner(info)).toBe(
      [
        '',
        'Holdfast is ready.',
        '',
        '  API            http://[::1]:8787',
        '  Documentation  http://[::1]:8787/docs',
        '  Sign-in        https://login.example/authorize (try it: node examples/sign-in/main.mjs)',
        '  Data           ./data',
        '',
        '',
      ].join('\n'),
    );
  });

  it('names the hosts and the name of a database, and never its password', () => {
    const of = (databaseUrl: string) => /Data +(.*)/.exec(banner({ ...info, databaseUrl }))?.[1];
    expect(of('postgres://ada:s3cret@db-1:5432,db-2:5433/holdfast?sslmode=require')).toBe(
      'PostgreSQL, db-1:5432,db-2:5433/holdfast',
    );
    expect(of('postgresql://db')).toBe('PostgreSQL, db');
  });

  it('ends with the next steps where there is a demo', () => {
    const demo = { envFile: '/srv/holdfast/data/dev.env', version: 3 };
    const lines = nextSteps(demo, info.directory).map((line) => `  ${line}`);
    expect(banner({ ...info, demo })).toMatch(/There is a demo project/);
    expect(banner({ ...info, demo }).endsWith(`\n\n${lines.join('\n')}\n\n`)).toBe(true);
  });
});

describe('next steps', () => {
  it('quote a path that a shell would take apart', () => {
    const [source] = nextSteps({ envFile: "/srv/it's here/dev.env", version: 1 }, '/home');
    expect(source).toBe(`. '/srv/it'\\''s here/dev.env'`);
  });

  it('carry the current version as precondition', () => {
    expect(nextSteps({ envFile: '/a/dev.env', version: 17 }, '/a')[2]).toContain(`-H 'If-Match: "17"'`);
  });
});
