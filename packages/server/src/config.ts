/**
 * Every setting of the service, declared once: the parser, `holdfast config` and `docs/configuration.md` all read this
 * table. This file alone reads the process environment.
 */
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { parseEnv } from 'node:util';
import { nearestName } from './config-names.ts';
import {
  dottedPath,
  folder,
  host,
  issuerUrl,
  networks,
  oneOf,
  origins,
  plainText,
  postgresUrl,
  redirectUris,
  secretKey,
  type ValueType,
  webUrl,
  wholeNumber,
} from './config-values.ts';

export interface Setting<Value> {
  /** The environment variable. */
  readonly env: `SVC_${string}`;
  readonly type: ValueType<Value>;
  /** As it would be written in the environment. Without one, the value is undefined until something is set. */
  readonly default?: string;
  /** What stands for the value while there is no default, for people. */
  readonly unset?: string;
  readonly unit?: string;
  readonly help: string;
  /** Never shown. */
  readonly secret?: true;
}

const daySeconds = 24 * 60 * 60;

export const settings = {
  host: { env: 'SVC_HOST', type: host, default: '127.0.0.1', help: 'Address that the service listens on.' },
  port: {
    env: 'SVC_PORT',
    type: wholeNumber('port', 0, 65_535),
    default: '8787',
    help: 'Port that the service listens on; 0 takes a free one.',
  },
  baseUrl: {
    env: 'SVC_BASE_URL',
    type: webUrl,
    unset: 'http://{host}:{port}',
    help: 'Address under which clients reach the service: issuer of its tokens, prefix of its absolute URLs.',
  },
  authFrontUrl: {
    env: 'SVC_AUTH_FRONT_URL',
    type: webUrl,
    unset: 'the base URL',
    help: 'Address of the login page, which is found at `/authorize` there.',
  },
  dataDir: {
    env: 'SVC_DATA_DIR',
    type: folder,
    default: './data',
    help: 'Folder of the embedded database and of generated secrets.',
  },
  databaseUrl: {
    env: 'SVC_DATABASE_URL',
    type: postgresUrl,
    unset: 'embedded SQLite in the data folder',
    secret: true,
    help: 'PostgreSQL database (`postgres://…`) that takes the place of the embedded one. Not available in this version.',
  },
  idpIssuer: {
    env: 'SVC_IDP_ISSUER',
    type: issuerUrl,
    unset: 'the built-in identity provider',
    help: 'OpenID Connect issuer whose ID tokens are accepted. Needs `SVC_IDP_AUDIENCE`.',
  },
  idpAudience: { env: 'SVC_IDP_AUDIENCE', type: plainText, help: 'Audience that the ID tokens of that issuer must carry.' },
  idpTenantClaim: {
    env: 'SVC_IDP_TENANT_CLAIM',
    type: dottedPath,
    default: 'firebase.tenant',
    help: 'Where an ID token names its tenant.',
  },
  idpProviderClaim: {
    env: 'SVC_IDP_PROVIDER_CLAIM',
    type: dottedPath,
    default: 'firebase.sign_in_provider',
    help: 'Where an ID token names the way of signing in.',
  },
  developerRedirectUris: {
    env: 'SVC_DEVELOPER_REDIRECT_URIS',
    type: redirectUris,
    default: [8976, 8977, 8978].map((port) => `http://127.0.0.1:${port}/callback`).join(','),
    help: 'Where a developer sign-in may return to, beside the console. The default is for command lines.',
  },
  developerSignup: {
    env: 'SVC_DEVELOPER_SIGNUP',
    type: oneOf('open', 'closed'),
    default: 'open',
    help: 'Whether the first sign-in of an unknown developer makes an account.',
  },
  accessTokenSeconds: {
    env: 'SVC_ACCESS_TOKEN_SECONDS',
    type: wholeNumber('seconds', 1, 30 * daySeconds),
    default: '900',
    unit: 'seconds',
    help: 'Lifetime of an access token.',
  },
  refreshReplayGraceSeconds: {
    env: 'SVC_REFRESH_REPLAY_GRACE_SECONDS',
    type: wholeNumber('seconds', 0, 3_600),
    default: '0',
    unit: 'seconds',
    help: 'For how long a refresh token used again is refused without revoking its family.',
  },
  rateLimitPerMinute: {
    env: 'SVC_RATE_LIMIT_PER_MINUTE',
    type: wholeNumber('count', 0, 1e9),
    default: '600',
    unit: 'requests per minute',
    help: 'Requests of one credential; 0 switches the limit off.',
  },
  authRateLimitPerMinute: {
    env: 'SVC_AUTH_RATE_LIMIT_PER_MINUTE',
    type: wholeNumber('count', 0, 1e9),
    unset: '120, or `SVC_RATE_LIMIT_PER_MINUTE` where that is set and larger',
    unit: 'requests per minute',
    help: 'Requests of one client address to the anonymous sign-in routes; 0 switches the limit off.',
  },
  quotaApiRequestsPerMonth: {
    env: 'SVC_QUOTA_API_REQUESTS_PER_MONTH',
    type: wholeNumber('count', 0, 1e12),
    default: '0',
    unit: 'requests per month',
    help: 'Requests of one account in a calendar month (UTC); 0 is unlimited. Not available in this version: leave it at 0.',
  },
  requestSizeLimitBytes: {
    env: 'SVC_REQUEST_SIZE_LIMIT_BYTES',
    type: wholeNumber('bytes', 1, 64 * 1024 * 1024),
    default: String(2 * 1024 * 1024),
    unit: 'bytes',
    help: 'Largest JSON body. Below 1,600,000 a valid state can be refused when its characters are escaped.',
  },
  bodyTimeoutSeconds: {
    env: 'SVC_BODY_TIMEOUT_SECONDS',
    type: wholeNumber('seconds', 1, 3_600),
    default: '30',
    unit: 'seconds',
    help: 'Longest time that a request body may take to arrive.',
  },
  trustProxy: {
    env: 'SVC_TRUST_PROXY',
    type: networks,
    unset: 'none: `X-Forwarded-*` is ignored',
    help: 'Addresses of proxies whose `X-Forwarded-*` headers are believed.',
  },
  corsOrigins: {
    env: 'SVC_CORS_ORIGINS',
    type: origins,
    default: '*',
    help: 'Origins whose pages may call the API from a browser; `*` is any.',
  },
  secretKey: {
    env: 'SVC_SECRET_KEY',
    type: secretKey,
    unset: 'generated into the data folder',
    secret: true,
    help: 'Key that encrypts signing keys and provider secrets at rest. Demanded with PostgreSQL.',
  },
  logLevel: {
    env: 'SVC_LOG_LEVEL',
    type: oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
    help: 'Least level that is logged.',
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
type ValueOf<Name extends SettingName> = (typeof settings)[Name]['type'] extends ValueType<infer Value> ? Value : never;
type WithDefault = {
  [Name in SettingName]: (typeof settings)[Name] extends { default: string } ? Name : never;
}[SettingName];

/** The settings after defaults. What has no default is undefined while unset; the base URL may wait for the port. */
export type Config = {
  readonly [Name in SettingName]: ValueOf<Name> | (Name extends WithDefault | 'authRateLimitPerMinute' ? never : undefined);
};

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigOutcome =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

const names = Object.keys(settings) as SettingName[];
const setting = (name: SettingName): Setting<unknown> => settings[name];

/** The text that `environment` gives a setting; an empty one counts as unset. */
function given(environment: Environment, name: SettingName): string | undefined {
  return environment[settings[name].env]?.trim() || undefined;
}

/**
 * Returns the process environment, over what `envFile` holds where one is named. Throws the error of the file system when
 * that file cannot be read.
 */
export function readEnvironment(envFile?: string): Environment {
  return { ...(envFile !== undefined && parseEnv(readFileSync(envFile, 'utf8'))), ...process.env };
}

/** Returns the configuration that `environment` describes, or one line for each fault in it. */
export function readConfig(environment: Environment): ConfigOutcome {
  const faults = unknownNames(environment);
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    const { env, type, default: fallback } = setting(name);
    const text = given(environment, name) ?? fallback;
    const parsed = text === undefined ? { value: undefined } : type.parse(text);
    if ('fault' in parsed) faults.push(`${env} ${parsed.fault}`);
    else values[name] = parsed.value;
  }
  faults.push(...missingCompanions(environment));
  if (faults.length > 0) return { kind: 'faults', faults };
  return { kind: 'config', config: withDependentDefaults(values as Config, environment) };
}

/** Fills in what follows from other settings. */
function withDependentDefaults(config: Config, environment: Environment): Config {
  const isRateGiven = given(environment, 'rateLimitPerMinute') !== undefined;
  // 0 is no limit, which is larger than any.
  const larger = config.rateLimitPerMinute === 0 ? 0 : Math.max(120, config.rateLimitPerMinute);
  const authRateDefault = isRateGiven ? larger : 120;
  return {
    ...config,
    baseUrl: config.baseUrl ?? (config.port === 0 ? undefined : defaultBaseUrl(config.host, config.port)),
    authRateLimitPerMinute: config.authRateLimitPerMinute ?? authRateDefault,
  };
}

/** The base URL of a service that listens on `host` and `port`. */
export function defaultBaseUrl(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Whether `environment` says where the service is reached, rather than leave that to the defaults. */
export function isAddressGiven(environment: Environment): boolean {
  return (['baseUrl', 'host', 'port'] as const).some((name) => given(environment, name) !== undefined);
}

function missingCompanions(environment: Environment): string[] {
  const isGiven = (name: SettingName) => given(environment, name) !== undefined;
  const faults: string[] = [];
  if (isGiven('idpIssuer') && !isGiven('idpAudience')) faults.push('SVC_IDP_AUDIENCE is missing; SVC_IDP_ISSUER needs it');
  if (isGiven('idpAudience') && !isGiven('idpIssuer')) faults.push('SVC_IDP_ISSUER is missing; SVC_IDP_AUDIENCE needs it');
  if (isGiven('databaseUrl') && !isGiven('secretKey')) faults.push('SVC_SECRET_KEY is missing; SVC_DATABASE_URL needs it');
  return faults;
}

function unknownNames(environment: Environment): string[] {
  const known: string[] = names.map((name) => settings[name].env);
  const unknown = Object.keys(environment).filter((name) => name.startsWith('SVC_') && !known.includes(name));
  return unknown.map((name) => {
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return `${name} is no setting of this service${hint}`;
  });
}

export interface ConfigRow {
  readonly name: string;
  /** The effective value; null while unset; `(hidden)` for a secret. */
  readonly value: string | null;
  readonly source: 'default' | 'environment';
}

/** Returns the effective value and source of each setting; `environment` is what `config` was read from. */
export function describeConfig(config: Config, environment: Environment): ConfigRow[] {
  return names.map((name) => {
    const text = given(environment, name);
    const value = config[name];
    const isPlain = typeof value === 'string' || typeof value === 'number' || Array.isArray(value);
    const shown = isPlain ? String(value) : (text ?? setting(name).default);
    return {
      name: settings[name].env,
      value: setting(name).secret && value !== undefined ? '(hidden)' : shown || null,
      source: text === undefined ? 'default' : 'environment',
    };
  });
}
