/**
 * Path parameters, each with the rule of its segment. A segment is the raw text between two slashes. Percent escapes are decoded once, and
 * `validation_error` names a segment that breaks its rule. A segment that follows its rule but is too long to exist, or an empty id or
 * version, is unknown rather than malformed.
 *
 * @see docs/contract.md §1.3
 */

import {
  accountIdPattern,
  apiKeyIdPattern,
  environments,
  invitationIdPattern,
  memberIdPattern,
  proposalIdPattern,
  schemaKinds,
  serviceAccountIdPattern,
  serviceAccountSecretIdPattern,
  slugPattern,
  userIdPattern,
  webhookDeliveryIdPattern,
  webhookIdPattern,
} from '@holdfast/contract';
import { Refusal } from '../common/requests/refusal.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';

/** Provider names; a name of any length may follow `oidc.`. */
const providerIdPattern = /^(?:google\.com|apple\.com|github\.com|microsoft\.com|oidc\.[A-Za-z0-9._-]+)$/;
const versionPattern = /^(?:0|[1-9][0-9]*)$/;

const asSent = (segment: string): string => segment;

/** For each parameter in a path: the name that handlers use, and the function that reads its segment. */
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
  webhookId: { name: 'webhookId', read: (segment: string) => idOf('webhookId', segment, webhookIdPattern) },
  deliveryId: {
    name: 'deliveryId',
    read: (segment: string) => idOf('deliveryId', segment, webhookDeliveryIdPattern),
  },
  userId: { name: 'userId', read: (segment: string) => idOf('userId', segment, userIdPattern) },
  memberId: { name: 'memberId', read: (segment: string) => idOf('memberId', segment, memberIdPattern) },
  invitationId: { name: 'invitationId', read: (segment: string) => idOf('invitationId', segment, invitationIdPattern) },
  proposalId: { name: 'proposalId', read: (segment: string) => idOf('proposalId', segment, proposalIdPattern) },
  /** Any text. */
  key: { name: 'key', read: (segment: string) => decoded('key', segment) },
  /** An invalid id means an unknown player, not a malformed request. */
  endUserId: { name: 'playerIdSegment', read: asSent },
  /** For login pages: an unknown provider is answered with a page. */
  provider: { name: 'providerSegment', read: asSent },
  /** For the console: a path that does not name a file is answered with the console's page. */
  consolePath: { name: 'consolePath', read: asSent },
  /** For the client's file: another hash than its own names nothing. */
  clientHash: { name: 'clientHash', read: asSent },
  /** For the documentation: only names in its list of files exist. */
  docsPath: { name: 'docsPath', read: asSent },
} as const;

type Rules = typeof rules;
export type SegmentName = keyof Rules;

/** The names of a path's parameters. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The parameters of an operation's path. */
export type PathParametersOf<Path extends string> = {
  readonly [Name in NamesIn<Path> & SegmentName as Rules[Name]['name']]: ReturnType<Rules[Name]['read']>;
};

/** The path parameters of all operations. */
export type PathParameters = {
  readonly [Name in SegmentName as Rules[Name]['name']]?: ReturnType<Rules[Name]['read']>;
};

/** Whether the path parameters name a project. */
export const namesProject = (params: PathParameters): params is PathParameters & ProjectKey =>
  params.accountId !== undefined && params.slug !== undefined;

/** Reads the raw segments in path order. Throws `validation_error` naming the first malformed one. */
export function readPathParameters(names: readonly SegmentName[], segments: readonly string[]): PathParameters {
  const parameters: Record<string, string | number> = {};
  for (const [index, segment] of segments.entries()) {
    const rule = rules[names[index] as SegmentName];
    parameters[rule.name] = rule.read(segment);
  }
  return parameters as PathParameters; // `rules` determines both names and values
}

/** Returns the name of a path parameter, which must have a rule. */
export function segmentName(name: string): SegmentName {
  if (Object.hasOwn(rules, name)) return name as SegmentName;
  throw new Error(`the path parameter ${name} has no rule`);
}

/**
 * Reads a decimal number without leading zeros. Versions are never 0. A number above the exact integers becomes the largest of them, which
 * no version reaches.
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
  if (segment === '') throw new Refusal('not_found', `path segment ${name} is empty`);
  return matching(name, segment, pattern, rule);
}

/** Nearly all segments have no escapes and are returned unchanged. */
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
