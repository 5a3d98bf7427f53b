/**
 * The segments of a path that name what an operation is about. Each function takes the raw segment, decodes percent
 * escapes once, and throws `validation_error` naming the segment when its rule is broken. A segment that follows its rule and is
 * too long for anything that exists is well formed: it names what is not there. So does an empty one in the place of an id or a
 * version.
 *
 * @see docs/contract.md §1.3
 */
import {
  accountIdPattern,
  apiKeyIdPattern,
  type Environment,
  environments,
  invitationIdPattern,
  memberIdPattern,
  type ShapeKind,
  serviceAccountIdPattern,
  serviceAccountSecretIdPattern,
  shapeKinds,
  slugPattern,
  userIdPattern,
} from '@holdfast/contract';
import { quoted, Refusal } from '../common/refusal.ts';

const versionPattern = /^(?:0|[1-9][0-9]*)$/;
/** The names of providers, `oidc.` with a name of any length. */
const providerIdPattern = /^(?:google\.com|apple\.com|github\.com|microsoft\.com|oidc\.[A-Za-z0-9._-]+)$/;

/** Returns the account id of a path, or throws `validation_error`. */
export function parseAccountId(segment: string): string {
  const accountId = decoded('accountId', segment);
  if (!accountIdPattern.test(accountId)) throw malformed('accountId', segment, `does not match ${accountIdPattern.source}`);
  return accountId;
}

/** Returns the project slug of a path, or throws `validation_error`. */
export function parseSlug(segment: string): string {
  const slug = decoded('slug', segment);
  if (!slugPattern.test(slug)) throw malformed('slug', segment, `does not match ${slugPattern.source}`);
  return slug;
}

/** Returns the environment of a path, or throws `validation_error`. Another casing is another value. */
export function parseEnvironment(segment: string): Environment {
  const name = decoded('env', segment);
  const environment = environments.find((candidate) => candidate === name);
  if (environment === undefined) throw malformed('env', segment, `is none of ${environments.join(', ')}`);
  return environment;
}

/** Returns the kind of state that a path names, or throws `validation_error`. */
export function parseShapeKind(segment: string): ShapeKind {
  const name = decoded('kind', segment);
  const kind = shapeKinds.find((candidate) => candidate === name);
  if (kind === undefined) throw malformed('kind', segment, `is none of ${shapeKinds.join(', ')}`);
  return kind;
}

/**
 * Returns the version number of a path, or throws `validation_error` for anything but a decimal number without leading zeros. No
 * version is 0. A number beyond the exact integers comes back as the largest of them, which no version reaches.
 */
export function parseVersion(segment: string): number {
  const digits = named('version', segment);
  if (!versionPattern.test(digits)) throw malformed('version', segment, 'is not a decimal number without leading zeros');
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

/** Returns the API-key id of a path, or throws `validation_error`. */
export function parseKeyId(segment: string): string {
  return matching('keyId', segment, apiKeyIdPattern);
}

/** Returns the id of a service account of a path, or throws `validation_error`. */
export function parseServiceAccountId(segment: string): string {
  return matching('serviceAccountId', segment, serviceAccountIdPattern);
}

/** Returns the id of a secret of a service account of a path, or throws `validation_error`. */
export function parseSecretId(segment: string): string {
  return matching('secretId', segment, serviceAccountSecretIdPattern);
}

function matching(name: string, segment: string, pattern: RegExp): string {
  const id = named(name, segment);
  if (!pattern.test(id)) throw malformed(name, segment, `does not match ${pattern.source}`);
  return id;
}

/** Returns the id of an identity provider of a path, or throws `validation_error`. */
export function parseProviderId(segment: string): string {
  const providerId = named('providerId', segment);
  if (providerIdPattern.test(providerId)) return providerId;
  throw malformed('providerId', segment, 'is none of google.com, microsoft.com, apple.com, github.com and oidc.{name}');
}

/** Returns the key of a flag, which can be any text, or throws `validation_error`. */
export function parseFlagKey(segment: string): string {
  return decoded('key', segment);
}

/** Returns the user id of a path, or throws `validation_error`. */
export function parseUserId(segment: string): string {
  const userId = named('userId', segment);
  if (!userIdPattern.test(userId)) throw malformed('userId', segment, `does not match ${userIdPattern.source}`);
  return userId;
}

/** Returns the id of a member of a path, or throws `validation_error`. */
export function parseMemberId(segment: string): string {
  const memberId = named('memberId', segment);
  if (!memberIdPattern.test(memberId)) throw malformed('memberId', segment, `does not match ${memberIdPattern.source}`);
  return memberId;
}

/** Returns the id of an invitation of a path, or throws `validation_error`. */
export function parseInvitationId(segment: string): string {
  const invitationId = named('invitationId', segment);
  if (invitationIdPattern.test(invitationId)) return invitationId;
  throw malformed('invitationId', segment, `does not match ${invitationIdPattern.source}`);
}

/** What an id or a version says; throws `not_found` when nothing stands in its place. */
function named(name: string, segment: string): string {
  if (segment === '') throw new Refusal('not_found', `path segment ${name} is empty, so the path names nothing`);
  return decoded(name, segment);
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
