/** Reads the settings. No other file reads the process environment. */

import { isIPv6 } from 'node:net';
import { parseEnv } from 'node:util';
import { readTextFile } from '../common/files/text-file.ts';
import { authRateDefault } from './auth-rate-default.ts';
import type { Setting } from './setting.ts';
import { type SettingName, settings } from './settings.ts';
import type { ValueType } from './values.ts';

export type { Setting } from './setting.ts';
export { settings } from './settings.ts';

type ValueOf<Name extends SettingName> = (typeof settings)[Name]['type'] extends ValueType<infer Value> ? Value : never;
type WithDefault = {
  [Name in SettingName]: (typeof settings)[Name] extends { default: string } ? Name : never;
}[SettingName];

/**
 * The settings with their defaults. A setting without a default is undefined while unset; the base URL may depend on the
 * port.
 */
export type Config = {
  readonly [Name in SettingName]: ValueOf<Name> | (Name extends WithDefault | 'authRateLimitPerMinute' ? never : undefined);
};

/** The address of the login page, without `/authorize`: the base URL, unless the login page has its own. */
export const authFrontUrlOf = ({ authFrontUrl }: Pick<Config, 'authFrontUrl'>, baseUrl: string): string =>
  authFrontUrl ?? baseUrl;

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigOutcome =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

const names = Object.keys(settings) as SettingName[];
const setting = (name: SettingName): Setting<unknown> => settings[name];

/** The variable of `environment` that sets a setting, and its text; an empty one counts as unset. */
function given(environment: Environment, name: SettingName): { readonly from: string; readonly text: string } | undefined {
  const { env, alternative }: Setting<unknown> = settings[name];
  for (const from of alternative === undefined ? [env] : [env, alternative]) {
    const text = environment[from]?.trim();
    if (text) return { from, text };
  }
  return undefined;
}

/**
 * Returns the process environment, over the contents of `envFile` if given. Throws the error of the file system if that file cannot be
 * read, and an `Error` that names it if it is not UTF-8.
 */
export function readEnvironment(envFile?: string): Environment {
  return { ...(envFile !== undefined && parseEnv(readTextFile(envFile).replace(markBeforeLine, ''))), ...process.env };
}

/** Files joined from several have byte order marks in the middle, where one would be part of a name. */
const markBeforeLine = /^\ufeff+/gm;

/** Returns the configuration that `environment` describes, or one line for each fault in it. */
export function readConfig(environment: Environment): ConfigOutcome {
  const faults = unknownNames(environment);
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    const { env, type, default: fallback } = setting(name);
    const { from, text } = given(environment, name) ?? { from: env, text: fallback };
    const parsed = text === undefined ? { value: undefined } : type.parse(text);
    if ('fault' in parsed) faults.push(`${from} ${parsed.fault}`);
    else values[name] = parsed.value;
  }
  faults.push(...missingCompanions(environment));
  if (faults.length > 0) return { kind: 'faults', faults };
  return { kind: 'config', config: withDependentDefaults(values as Config, environment) };
}

/** Fills in defaults that depend on other settings. */
function withDependentDefaults(config: Config, environment: Environment): Config {
  const isRateGiven = given(environment, 'rateLimitPerMinute') !== undefined;
  return {
    ...config,
    baseUrl: config.baseUrl ?? (config.port === 0 ? undefined : defaultBaseUrl(config.host, config.port)),
    authRateLimitPerMinute:
      config.authRateLimitPerMinute ?? authRateDefault(isRateGiven ? config.rateLimitPerMinute : undefined),
  };
}

/** The base URL of a service that listens on `host` and `port`. */
export function defaultBaseUrl(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Whether `environment` sets the base URL. */
export function isBaseUrlGiven(environment: Environment): boolean {
  return given(environment, 'baseUrl') !== undefined;
}

/** Whether `environment` sets the address of the service. */
export function isAddressGiven(environment: Environment): boolean {
  return (['baseUrl', 'host', 'port'] as const).some((name) => given(environment, name) !== undefined);
}

/**
 * Whether the variables of OpenTelemetry ask for traces. Its SDK reads the others.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function isTracingWanted(environment: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER = 'otlp' } = environment;
  const isOff = OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none';
  return !isOff && Boolean(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT);
}

function missingCompanions(environment: Environment): string[] {
  const isGiven = (name: SettingName) => given(environment, name) !== undefined;
  const faults: string[] = [];
  if (isGiven('idpIssuer') && !isGiven('idpAudience')) faults.push('SVC_IDP_AUDIENCE is missing; SVC_IDP_ISSUER needs it');
  if (isGiven('idpAudience') && !isGiven('idpIssuer')) faults.push('SVC_IDP_ISSUER is missing; SVC_IDP_AUDIENCE needs it');
  if (isGiven('developerProviders') && isGiven('idpIssuer'))
    faults.push('SVC_DEVELOPER_PROVIDERS and SVC_IDP_ISSUER are both set, but that issuer signs everybody in');
  if (isGiven('idpClientSecret') && !isGiven('idpIssuer'))
    faults.push('SVC_IDP_ISSUER is missing; SVC_IDP_CLIENT_SECRET needs it');
  if (isGiven('secretKeyOther') && given(environment, 'secretKeyOther')?.text === given(environment, 'secretKey')?.text)
    faults.push('SVC_SECRET_KEY_OTHER is the same key as SVC_SECRET_KEY; it is for a second one');
  if (isGiven('databaseUrl') && !isGiven('secretKey')) faults.push('SVC_SECRET_KEY is missing; SVC_DATABASE_URL needs it');
  return faults;
}

function unknownNames(environment: Environment): string[] {
  const known: string[] = names.map((name) => settings[name].env);
  const unknown = Object.keys(environment).filter((name) => name.startsWith('SVC_') && !known.includes(name));
  return unknown.map((name) => {
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return `${name} is not a setting of this service${hint}`;
  });
}

/** A name with more differences than this is not a misspelling. */
const editsMax = 4;

/** Returns the one of `known` that a misspelt `name` probably means, or undefined if none is near. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known.map((other) => ({ other, edits: editsBetween(name, other) })).sort((a, b) => a.edits - b.edits);
  return nearest && nearest.edits <= editsMax ? nearest.other : undefined;
}

/** How many characters must be added, dropped or changed to turn `a` into `b` (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const change = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
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
    const text = given(environment, name)?.text;
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
