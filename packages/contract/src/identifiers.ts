/** Names and closed sets that paths, records and claims share. @see docs/contract.md §1.3 */
import { playerIdCharactersMax } from './limits.ts';

export const environments = ['development', 'staging', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The kinds of state that can have a schema, as paths name them. */
export const schemaKinds = ['public-state', 'user-state'] as const;
export type SchemaKind = (typeof schemaKinds)[number];
/** What a schema does to writes: nothing, count what does not fit, or refuse it. */
export const schemaModes = ['off', 'report', 'enforce'] as const;
export type SchemaMode = (typeof schemaModes)[number];
/** Whether writes of public state are refused whose flags cannot be used. */
export const flagsChecks = ['off', 'enforce'] as const;
export type FlagsCheck = (typeof flagsChecks)[number];

export const accountIdPattern = /^acc_[0-9A-Za-z]+$/;
export const slugPattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
export const apiKeyIdPattern = /^key_[0-9A-Za-z]+$/;
export const serviceAccountIdPattern = /^sa_[0-9A-Za-z]+$/;
export const serviceAccountSecretIdPattern = /^sec_[0-9A-Za-z]+$/;
export const userIdPattern = /^usr_[0-9A-Za-z]+$/;
export const memberIdPattern = /^mem_[0-9A-Za-z]+$/;
export const invitationIdPattern = /^inv_[0-9A-Za-z]+$/;

/** Sign-in methods that are providers of an account. */
export const identityProviderIdPattern =
  /^(?:google\.com|apple\.com|github\.com|microsoft\.com|oidc\.[A-Za-z0-9._-]{1,64})$/;

/** Who is counted by what they ask: API keys and service accounts one by one, people together. */
export const requestCallerKinds = ['api_key', 'service_account', 'developer', 'end_user', 'other'] as const;
export type RequestCallerKind = (typeof requestCallerKinds)[number];

export const apiKeyAccess = ['read', 'write'] as const;
/** A publishable key is made to be shipped inside an application; a secret one stays on servers. */
export const apiKeyKinds = ['secret', 'publishable'] as const;
export type ApiKeyKind = (typeof apiKeyKinds)[number];
export type ApiKeyAccess = (typeof apiKeyAccess)[number];

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the rule names
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Whether a text, already trimmed, can be a player id. Half a surrogate pair cannot: no path could ever name it.
 *
 * @see docs/contract.md §6.1
 */
export function isPlayerId(text: string): boolean {
  const isSized = text.length >= 1 && text.length <= playerIdCharactersMax;
  return isSized && text.isWellFormed() && !controlCharacter.test(text);
}
