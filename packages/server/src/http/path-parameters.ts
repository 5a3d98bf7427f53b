/** Path parameters by name: which rule each raw segment has to satisfy. */
import {
  parseAccountId,
  parseEnvironment,
  parseFlagKey,
  parseInvitationId,
  parseKeyId,
  parseMemberId,
  parseProviderId,
  parseSecretId,
  parseServiceAccountId,
  parseShapeKind,
  parseSlug,
  parseUserId,
  parseVersion,
} from './path-segments.ts';

const asSent = (segment: string): string => segment;

/** By the name in the path: under which name a handler gets the parameter, and how its segment is read. */
const rules = {
  accountId: { name: 'accountId', read: parseAccountId },
  slug: { name: 'slug', read: parseSlug },
  env: { name: 'environment', read: parseEnvironment },
  kind: { name: 'kind', read: parseShapeKind },
  version: { name: 'version', read: parseVersion },
  keyId: { name: 'keyId', read: parseKeyId },
  providerId: { name: 'providerId', read: parseProviderId },
  serviceAccountId: { name: 'serviceAccountId', read: parseServiceAccountId },
  secretId: { name: 'secretId', read: parseSecretId },
  userId: { name: 'userId', read: parseUserId },
  memberId: { name: 'memberId', read: parseMemberId },
  invitationId: { name: 'invitationId', read: parseInvitationId },
  key: { name: 'key', read: parseFlagKey },
  /** An invalid id is an end user that does not exist, not a malformed request. */
  endUserId: { name: 'endUserIdSegment', read: asSent },
  /** Of a login page: the response to an unknown provider is a page. */
  provider: { name: 'providerSegment', read: asSent },
  /** Of the console: what names no file is answered by its page. */
  consolePath: { name: 'consolePath', read: asSent },
  /** Of the documentation: a name on the list of its files, or nothing. */
  docsPath: { name: 'docsPath', read: asSent },
} as const;

type Rules = typeof rules;
export type SegmentName = keyof Rules;

/** The names of the parameters in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What the path of an operation says. */
export type PathParametersOf<Path extends string> = {
  readonly [Name in NamesIn<Path> & SegmentName as Rules[Name]['name']]: ReturnType<Rules[Name]['read']>;
};

/** What the path of any operation may say. */
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
