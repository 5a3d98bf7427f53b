import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurationPage, withSettingsTable } from '../../../../scripts/generate-docs.ts';
import { type Config, describeConfig, isTracingWanted, readConfig, settings } from './config.ts';

function configOf(environment: Record<string, string>): Config {
  const outcome = readConfig(environment);
  if (outcome.kind === 'faults') throw new Error(outcome.faults.join('\n'));
  return outcome.config;
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  const outcome = readConfig(environment);
  return outcome.kind === 'faults' ? outcome.faults : [];
}

const secret = Buffer.alloc(32, 7).toString('base64');

describe('configuration', () => {
  it('needs no settings', () => {
    expect(configOf({ HOME: '/root', npm_config_x: 'y' })).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      baseUrl: 'http://127.0.0.1:8787',
      databaseUrl: undefined,
      rateLimitPerMinute: 600,
      authRateLimitPerMinute: 120,
      requestSizeLimitBytes: 2_097_152,
      bodyTimeoutSeconds: 30,
      corsOrigins: ['*'],
      accessTokenSeconds: 900,
      developerSignup: 'open',
      logLevel: 'info',
    });
  });

  it('treats an empty variable as unset', () => {
    expect(configOf({ SVC_PORT: '', SVC_IDP_ISSUER: ' ' })).toMatchObject({ port: 8787, idpIssuer: undefined });
  });

  it('reads PORT if SVC_PORT is unset', () => {
    expect(configOf({ PORT: '3000' })).toMatchObject({ port: 3000, baseUrl: 'http://127.0.0.1:3000' });
    expect(configOf({ PORT: '3000', SVC_PORT: '' })).toMatchObject({ port: 3000 });
    expect(configOf({ PORT: '3000', SVC_PORT: '80' })).toMatchObject({ port: 80 });
    expect(faultsOf({ PORT: 'x' })).toEqual(['PORT is "x", which is not a whole number from 0 to 65535']);
  });

  it('puts an IPv6 address into brackets in the base URL', () => {
    expect(configOf({ SVC_HOST: '::1', SVC_PORT: '80' }).baseUrl).toBe('http://[::1]:80');
  });

  it('leaves the base URL open if the port is', () => {
    expect(configOf({ SVC_PORT: '0' }).baseUrl).toBeUndefined();
    expect(configOf({ SVC_PORT: '0', SVC_BASE_URL: 'https://a.example/' }).baseUrl).toBe('https://a.example');
  });

  it.each([
    [{ SVC_RATE_LIMIT_PER_MINUTE: '5000' }, 5000],
    [{ SVC_RATE_LIMIT_PER_MINUTE: '60' }, 120],
    [{ SVC_RATE_LIMIT_PER_MINUTE: '0' }, 0],
    [{ SVC_RATE_LIMIT_PER_MINUTE: '5000', SVC_AUTH_RATE_LIMIT_PER_MINUTE: '7' }, 7],
    [{ SVC_RATE_LIMIT_PER_MINUTE: '5000', SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' }, 0],
  ])('derives the limit of sign-in routes from %o', (environment, expected) => {
    expect(configOf(environment).authRateLimitPerMinute).toBe(expected);
  });

  it('trusts exactly the proxies in SVC_TRUST_PROXY', () => {
    const { trustProxy } = configOf({ SVC_TRUST_PROXY: '10.1.0.0/16, 192.0.2.7,fd00::/8' });
    expect(['10.1.255.1', '192.0.2.7', '10.2.0.1', '192.0.2.8'].map((address) => trustProxy?.check(address))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([trustProxy?.check('fd12::1', 'ipv6'), trustProxy?.check('fe80::1', 'ipv6')]).toEqual([true, false]);
  });

  it('decodes the secret key', () => {
    expect(configOf({ SVC_SECRET_KEY: secret }).secretKey).toEqual(Buffer.alloc(32, 7));
  });

  it('keeps an issuer unchanged, and drops the trailing slash of a base URL', () => {
    const idp = { SVC_IDP_ISSUER: 'https://idp.example/', SVC_IDP_AUDIENCE: 'a' };
    expect(configOf(idp).idpIssuer).toBe('https://idp.example/');
    expect(configOf({ SVC_BASE_URL: 'https://a.example/hold/' }).baseUrl).toBe('https://a.example/hold');
  });
});

describe('configuration faults', () => {
  it.each([
    ['SVC_HOST', 'http://a'],
    ['SVC_PORT', '65536'],
    ['SVC_PORT', '-1'],
    ['SVC_PORT', '80.5'],
    ['SVC_PORT', '0x50'],
    ['SVC_BASE_URL', 'ftp://a.example'],
    ['SVC_BASE_URL', 'a.example'],
    ['SVC_BASE_URL', 'https://a.example/?x'],
    ['SVC_AUTH_FRONT_URL', '/login'],
    ['SVC_TERMS_URL', 'javascript:alert(1)'],
    ['SVC_PRIVACY_URL', '/privacy'],
    ['SVC_IDP_TENANT_CLAIM', 'a..b'],
    ['SVC_DEVELOPER_REDIRECT_URIS', 'https://a.example/cb,http://b.example/cb'],
    ['SVC_DEVELOPER_SIGNUP', 'maybe'],
    ['SVC_ACCESS_TOKEN_SECONDS', '0'],
    ['SVC_RATE_LIMIT_PER_MINUTE', 'many'],
    ['SVC_BODY_TIMEOUT_SECONDS', '0'],
    ['SVC_TRUST_PROXY', '10.0.0.0/33'],
    ['SVC_TRUST_PROXY', '10.0.0.1/'],
    ['SVC_TRUST_PROXY', 'proxy.example'],
    ['SVC_CORS_ORIGINS', 'https://a.example/'],
    ['SVC_SECRET_KEY', 'c2hvcnQ='],
    ['SVC_LOG_LEVEL', 'trace'],
    ['SVC_SMTP_URL', 'https://mail.example'],
    ['SVC_SMTP_URL', 'mail.example:587'],
    ['SVC_SMTP_URL', 'smtp://'],
    ['SVC_MAIL_FROM', 'nobody'],
    ['SVC_MAIL_FROM', 'Ada <ada@example.com>, Eve <eve@example.com>'],
    ['SVC_MAIL_FROM', 'ada@example.com,eve@example.com'],
  ])('report %s=%s in one line that names the variable', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} [^\n]+$`));
  });

  it.each(['http://idp.example', 'idp.example', 'https://idp.example?x'])('include the issuer %s', (issuer) => {
    expect(faultsOf({ SVC_IDP_ISSUER: issuer, SVC_IDP_AUDIENCE: 'a' })).toHaveLength(1);
  });

  it.each([
    ['SVC_SMTP_URL', 'smtp://user:hunter2@mail.example:587'],
    ['SVC_SMTP_URL', 'smtps://mail.example'],
    ['SVC_MAIL_FROM', 'ada@example.com'],
    ['SVC_MAIL_FROM', 'Ada Lovelace, Ltd. <ada@example.com>'],
  ])('do not include %s set to %s', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([]);
  });

  it('never show the password of a mail server', () => {
    expect(faultsOf({ SVC_SMTP_URL: 'http://user:hunter2@smtp' }).join()).not.toContain('hunter2');
  });

  it('are all reported together', () => {
    expect(faultsOf({ SVC_PORT: 'x', SVC_LOG_LEVEL: 'y', SVC_NONSENSE_AT_ALL: '1' })).toEqual([
      'SVC_NONSENSE_AT_ALL is not a setting of this service',
      'SVC_PORT is "x", which is not a whole number from 0 to 65535',
      'SVC_LOG_LEVEL is "y", which is not one of debug, info, warn, error',
    ]);
  });

  it.each([
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), `${'x'.repeat(64)}…`],
  ])('show 64 characters of %s', (value, shown) => {
    expect(faultsOf({ SVC_PORT: value }).join()).toContain(`is "${shown}", which`);
  });

  it.each([
    ['SVC_PROT', 'SVC_PORT'],
    ['SVC_BASEURL', 'SVC_BASE_URL'],
    ['SVC_RATE_LIMIT_PER_MINUTES', 'SVC_RATE_LIMIT_PER_MINUTE'],
  ])('suggest for %s the setting %s', (wrong, right) => {
    expect(faultsOf({ [wrong]: '1' })).toEqual([`${wrong} is not a setting of this service; did you mean ${right}?`]);
  });

  it.each([
    [{ SVC_IDP_ISSUER: 'https://idp.example' }, 'SVC_IDP_AUDIENCE is missing; SVC_IDP_ISSUER needs it'],
    [{ SVC_IDP_AUDIENCE: 'a' }, 'SVC_IDP_ISSUER is missing; SVC_IDP_AUDIENCE needs it'],
    [{ SVC_DATABASE_URL: 'postgres://u:p@h/d' }, 'SVC_SECRET_KEY is missing; SVC_DATABASE_URL needs it'],
    [{ SVC_IDP_CLIENT_SECRET: 's' }, 'SVC_IDP_ISSUER is missing; SVC_IDP_CLIENT_SECRET needs it'],
    [
      { SVC_SECRET_KEY: secret, SVC_SECRET_KEY_OTHER: secret },
      'SVC_SECRET_KEY_OTHER is the same key as SVC_SECRET_KEY; it is for a second one',
    ],
  ])('report the settings that are missing from %o, or do not fit', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([fault]);
  });

  it('never show a secret', () => {
    const faults = faultsOf({
      SVC_DATABASE_URL: 'mysql://u:hunter2@h',
      SVC_SECRET_KEY: 'hunter2',
      SVC_BASE_URL: 'http://u:hunter2@h',
    });
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).not.toContain('hunter2');
  });
});

describe('the described configuration', () => {
  const environment = { SVC_PORT: '9000', SVC_SECRET_KEY: secret, SVC_TRUST_PROXY: '10.0.0.0/8' };
  const rows = describeConfig(configOf(environment), environment);
  const row = (name: string) => rows.find((candidate) => candidate.name === name);

  it('has a row for each setting', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.values(settings).map(({ env }) => env));
  });

  it('shows effective values and their source, and hides secrets', () => {
    expect(row('SVC_PORT')).toEqual({ name: 'SVC_PORT', value: '9000', source: 'environment' });
    expect(row('SVC_BASE_URL')).toEqual({ name: 'SVC_BASE_URL', value: 'http://127.0.0.1:9000', source: 'default' });
    expect(row('SVC_TRUST_PROXY')).toMatchObject({ value: '10.0.0.0/8' });
    expect(row('SVC_IDP_ISSUER')).toMatchObject({ value: null, source: 'default' });
    expect(row('SVC_SECRET_KEY')).toMatchObject({ value: '(hidden)', source: 'environment' });
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('docs/configuration.md', () => {
  it('is what `node scripts/generate-docs.ts` writes', () => {
    const page = readFileSync(configurationPage, 'utf8');
    expect(page).toBe(withSettingsTable(page));
  });
});

describe('traces', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  it.each([
    [true, collector],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }],
    [true, { ...collector, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }],
    [false, {}],
    [false, { ...collector, OTEL_SDK_DISABLED: 'TRUE' }],
    [false, { ...collector, OTEL_TRACES_EXPORTER: 'none' }],
  ])('are sent: %s, with %j', (isWanted, environment) => {
    expect(isTracingWanted(environment)).toBe(isWanted);
  });
});
