/**
 * Named bodies and responses of errors: one schema and one response for each closed set of codes of a status. Inline schemas would get
 * generated names in clients, and a copy for each operation.
 */
import { envelopeExamples, quotaExamples, tokenExamples } from './error-examples.ts';
import type { ErrorResponse } from './error-responses.ts';
import type { ErrorCode, QuotaCode } from './errors.ts';
import { plainSchema, schemaReference } from './json-schema.ts';
import type { Examples, JsonSchema } from './openapi-types.ts';
import { components } from './schemas.ts';

/** Sets of several codes. A set of one is named after its code. */
const namesOfSets: Readonly<Record<string, string>> = {
  player_blocked: 'NotMerged',
  sign_in_again: 'ForbiddenOrOld',
  patch_state_too_large: 'PatchError',
  QUOTA_API_REQUESTS: 'RequestQuota',
  QUOTA_PROJECTS: 'ProjectQuota',
  QUOTA_API_KEYS: 'ApiKeyQuota',
  QUOTA_STORAGE: 'StorageQuota',
  QUOTA_END_USERS: 'EndUserQuota',
  last_owner: 'MemberConflict',
  already_delivered: 'RetryConflict',
  limit_reached: 'LimitConflict',
  flag_error: 'Unusable',
  outside_issuer: 'SecondFactorRefused',
  invalid_scope: 'TokenError',
  invalid_client: 'TokenUnauthorized',
};

/** Sets that share a code above, and are named as a whole. */
const namesOfWholeSets: Readonly<Record<string, string>> = {
  'forbidden approval_required': 'ForbiddenOrUnapproved',
  'forbidden sign_in_again approval_required': 'NotApplicable',
  'base_gone limit_reached upgrade_unfinished': 'NotProposed',
  'base_gone proposal_ended limit_reached upgrade_unfinished': 'NotEdited',
  'proposal_ended limit_reached upgrade_unfinished': 'NotApproved',
  'proposal_ended upgrade_unfinished': 'ProposalConflict',
  'base_gone merge_conflict proposal_ended upgrade_unfinished': 'NotMergeable',
};

/** Names of codes in generated clients, which would otherwise generate names like `QUOTAAPIREQUESTS`. */
const quotaNames: Readonly<Record<QuotaCode, string>> = {
  QUOTA_API_REQUESTS: 'ApiRequests',
  QUOTA_PROJECTS: 'Projects',
  QUOTA_END_USERS: 'EndUsers',
  QUOTA_API_KEYS: 'ApiKeys',
  QUOTA_STORAGE: 'Storage',
};

/** The body of an error response with its codes, for the description. */
export interface ErrorBodyView {
  /** The name of the response. */
  readonly name: string;
  /** The name of its schema. */
  readonly schemaName: string;
  readonly schema: JsonSchema;
  readonly examples: Examples;
}

/** Returns the body of an error response; undefined if it has none, or none for programs. */
export function errorBody(status: number, error: ErrorResponse): ErrorBodyView | undefined {
  const { codes, quotaCodes, tokenCodes } = error;
  if (quotaCodes.length > 0) return quotaBody(quotaCodes);
  if (tokenCodes.length > 0) return tokenBody(tokenCodes, tokenExamples(tokenCodes, status));
  if (codes.length === 0) return undefined;
  if (error.flag) return flagBody(codes);
  return view(codes.includes('version_conflict') ? 'ConflictBody' : 'ErrorBody', 'error', codes, envelopeExamples(codes));
}

/** OpenFeature clients read additional members, so this is a separate record. */
function flagBody(codes: readonly ErrorCode[]): ErrorBodyView {
  const body = view('FlagErrorBody', 'error', codes, envelopeExamples(codes));
  return { ...body, name: `Flag${body.name}`, schemaName: `Flag${body.schemaName}` };
}

/** The form of RFC 6749. A code that also exists in the envelope gets a separate name here. */
function tokenBody(codes: ErrorResponse['tokenCodes'], examples: Examples): ErrorBodyView {
  const body = view('TokenErrorBody', 'error', codes, examples);
  if (body.name.startsWith('Token')) return body;
  return { ...body, name: `Token${body.name}`, schemaName: `Token${body.schemaName}` };
}

function quotaBody(codes: readonly QuotaCode[]): ErrorBodyView {
  const body = view('QuotaBody', 'code', codes, quotaExamples(codes));
  const names = { 'x-enum-varnames': codes.map((code) => quotaNames[code]) };
  const properties = { ...body.schema.properties, code: { ...body.schema.properties?.code, ...names } };
  return { ...body, schema: { ...body.schema, properties } };
}

/** A record whose `member` is one of the codes. */
function view(
  record: 'ErrorBody' | 'FlagErrorBody' | 'ConflictBody' | 'QuotaBody' | 'TokenErrorBody',
  member: 'error' | 'code',
  codes: readonly string[],
  examples: Examples,
): ErrorBodyView {
  const plain = plainSchema(components[record]);
  const { type, description } = plain.properties?.[member] ?? {};
  const code: JsonSchema = { ...(type && { type }), enum: codes, ...(description && { description }) };
  const name = nameOf(codes);
  const schemaName = record === 'ConflictBody' ? record : `${name}Body`;
  const { violations, conflicts, ...properties } = plain.properties ?? {};
  const violationList = violations !== undefined &&
    codes.includes('validation_error') && { violations: { ...violations, items: schemaReference('ViolationBody') } };
  const conflictList = conflicts !== undefined && codes.includes('merge_conflict') && { conflicts };
  return {
    name,
    schemaName,
    schema: { ...plain, properties: { ...properties, ...violationList, ...conflictList, [member]: code } },
    examples,
  };
}

/** Codes that name a set of several but also occur alone. */
const namesOfOne: Readonly<Record<string, string>> = {
  limit_reached: 'LimitReached',
  player_blocked: 'PlayerBlocked',
  sign_in_again: 'SignInAgain',
};

/** Returns the name of a set of codes. Throws if a set of several codes has no name above. */
function nameOf(codes: readonly string[]): string {
  const [code = '', ...others] = codes;
  const alone = others.length === 0 ? namesOfOne[code] : undefined;
  if (alone !== undefined) return alone;
  const whole = namesOfWholeSets[codes.join(' ')];
  if (whole !== undefined) return whole;
  const set = Object.entries(namesOfSets).findLast(([one]) => codes.includes(one));
  if (set !== undefined) return set[1];
  if (others.length > 0) throw new Error(`the codes ${codes.join(', ')} have no name together`);
  return code.split('_').map(capitalized).join('');
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
