/**
 * The parameters of a path, each with the rule of its segment. A segment is the raw text between two slashes. Its percent escapes are
 * decoded once, and `validation_error` names a segment that breaks its rule. A segment that follows its rule but is too long for anything
 * that exists is well-formed, but unknown. So is an empty id or version.
 *
 * @see docs/contract.md §1.3
 */
import {
  accountIdPattern,
  apiKeyIdPattern,
  environments,
  invitationIdPattern,
  memberIdPattern,
  schemaKinds,
  serviceAccountIdPattern,
  serviceAccountSecretIdPattern,
  slugPattern,
  userIdPattern,
} from '@holdfast/contract';
import { quoted, Refusal } from '../common/refusal.ts';

/** The names of providers; `oidc.` may have a name of any length behind it. */
const providerIdPattern = /^(?:google\.com|apple\.com|github\.com|microsoft\.com|oidc\.[A-Za-z0-9._-]+)$/;
const versionPattern = /^(?:0|[1-9][0-9]*)$/;

const asSent = (segment: string): string => segment;

/** For each name in a path: the name that handlers use, and how its segment is read. */
const rules = {
  accountId: { name: 'accountId', read: (segment: string) => matching('accountId', segment, accountIdPattern) },
  slug: { name: 'slug', read: (segment: string) => matching('slug', segment, slugPattern) },
  /** Case matters. */
  env: { name: 'environment', read: (segment: string) => oneOf('env', segment, environments) },
  kind: { name: 'kind', read: (segment: string) => oneOf('kind', segment, schemaKinds) },
  version: { name: 'version', read: readVersion },
  keyId: { name: 'keyId', read: (segment: string) => idOf('keyId', segment, apiKeyIdPattern) },
  providerId: {
    name: 'providerId',
    read: (segment: string) =>
      idOf(
        'providerId',
        segment,
        providerIdPattern,
        'is not one of google.com, microsoft.com, apple.com, github.com and oidc.{name}',
      ),
  },
  serviceAccountId: {
    name: 'serviceAccountId',
    read: (segment: string) => idOf('serviceAccountId', segment, serviceAccountIdPattern),
  },
  secretId: { name: 'secretId', read: (segment: string) => idOf('secretId', segment, serviceAccountSecretIdPattern) },
  userId: { name: 'userId', read: (segment: string) => idOf('userId', segment, userIdPattern) },
  memberId: { name: 'memberId', read: (segment: string) => idOf('memberId', segment, memberIdPattern) },
  invitationId: { name: 'invitationId', read: (segment: string) => idOf('invitationId', segment, invitationIdPattern) },
  /** Any text. */
  key: { name: 'key', read: (segment: string) => decoded('key', segment) },
  /** An invalid id means an unknown player, not a malformed request. */
  endUserId: { name: 'playerIdSegment', read: asSent },
  /** For login pages: the response to an unknown provider is a page. */
  provider: { name: 'providerSegment', read: asSent },
  /** For the console: a path without a file gets its page. */
  consolePath: { name: 'consolePath', read: asSent },
  /** For the documentation: a name in the list of its files, or nothing. */
  docsPath: { name: 'docsPath', read: asSent },
} as const;

type Rules = typeof rules;
export type SegmentName = keyof Rules;

/** The names of the parameters in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters in the path of an operation. */
export type PathParametersOf<Path extends string> = {
  readonly [Name in NamesIn<Path> & SegmentName as Rules[Name]['name']]: ReturnType<Rules[Name]['read']>;
};

/** The parameters in the path of any operation. */
export type PathParameters = {
  readonly [Name in SegmentName as Rules[Name]['name']]?: ReturnType<Rules[Name]['read']>;
};

/** Reads the raw segments in the order of the path; throws `validation_error` that names the first malformed one. */
export function readPathParameters(names: readonly SegmentName[], segments: readonly string[]): PathParameters {
  const parameters: Record<string, string | number> = {};
  for (const [index, segment] of segments.entries()) {
    const rule = rules[names[index] as SegmentName];
    parameters[rule.name] = rule.read(segment);
  }
  return parameters as PathParameters; // by the rules, which have both
}

/** The name of a path parameter, if there is a rule for it. */
export function segmentName(name: string): SegmentName {
  if (Object.hasOwn(rules, name)) return name as SegmentName;
  throw new Error(`the path parameter ${name} has no rule`);
}

/**
 * A decimal number without leading zeros. No version is 0; a number over the exact integers becomes the largest of them, which no version
 * reaches.
 */
function readVersion(segment: string): number {
  const digits = idOf('version', segment, versionPattern, 'is not a decimal number without leading zeros');
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function oneOf<Value extends string>(name: string, segment: string, values: readonly Value[]): Value {
  const text = decoded(name, segment);
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw malformed(name, segment, `is not one of ${values.join(', ')}`);
  return value;
}

function matching(name: string, segment: string, pattern: RegExp, rule = `does not match ${pattern.source}`): string {
  const text = decoded(name, segment);
  if (!pattern.test(text)) throw malformed(name, segment, rule);
  return text;
}

/** An id or a version; throws `not_found` if the segment is empty. */
function idOf(name: string, segment: string, pattern: RegExp, rule?: string): string {
  if (segment === '') throw new Refusal('not_found', `path segment ${name} is empty, so the path names nothing`);
  return matching(name, segment, pattern, rule);
}

/** A segment without escapes, nearly every one, is taken as it is. */
function decoded(name: string, segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed(name, segment, 'has an invalid percent escape');
  }
}

function malformed(name: string, segment: string, rule: string): Refusal {
  return new Refusal('validation_error', `path segment ${name}: ${quoted(segment)} ${rule}`);
}
