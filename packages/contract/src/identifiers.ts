/** Names and closed sets that paths, records and claims share. @see docs/contract.md §1.3 */
import { playerIdCharactersMax } from './limits.ts';

export const environments = ['development', 'staging', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The kinds of state that can have a schema, as in paths. */
export const schemaKinds = ['public-state', 'user-state'] as const;
export type SchemaKind = (typeof schemaKinds)[number];
/** A schema's effect on writes: none, counting violations, or refusing them. */
export const schemaModes = ['off', 'report', 'enforce'] as const;
export type SchemaMode = (typeof schemaModes)[number];
/** Whether public state with unusable flags is refused. */
export const flagsChecks = ['off', 'enforce'] as const;
export type FlagsCheck = (typeof flagsChecks)[number];

export const accountIdPattern = /^acc_[0-9A-Za-z]+$/;
export const slugPattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
export const apiKeyIdPattern = /^key_[0-9A-Za-z]+$/;
export const serviceAccountIdPattern = /^sa_[0-9A-Za-z]+$/;
export const serviceAccountSecretIdPattern = /^sec_[0-9A-Za-z]+$/;
export const userIdPattern = /^usr_[0-9A-Za-z]+$/;
export const memberIdPattern = /^mem_[0-9A-Za-z]+$/;
export const webhookIdPattern = /^wh_[0-9A-Za-z]+$/;
export const webhookDeliveryIdPattern = /^msg_[0-9A-Za-z]+$/;
export const invitationIdPattern = /^inv_[0-9A-Za-z]+$/;
export const proposalIdPattern = /^prop_[0-9A-Za-z]+$/;

/** Proposals begin open. */
export const proposalStates = ['open', 'applied', 'withdrawn', 'failed'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** Why a proposal was not applied or reverted at its time. */
export const proposalFailures = [
  'merge_conflict',
  'validation_error',
  'patch_state_too_large',
  'approval_required',
  'forbidden',
  'too_late',
  'lost_races',
] as const;
export type ProposalFailureCode = (typeof proposalFailures)[number];

/** How callers are counted: API keys and service accounts individually, people together. */
export const requestCallerKinds = ['api_key', 'service_account', 'developer', 'end_user', 'other'] as const;
export type RequestCallerKind = (typeof requestCallerKinds)[number];

export const apiKeyAccess = ['read', 'write'] as const;
/** A publishable key is shipped inside applications; a secret one stays on servers. */
export const apiKeyKinds = ['secret', 'publishable'] as const;
export type ApiKeyKind = (typeof apiKeyKinds)[number];
export type ApiKeyAccess = (typeof apiKeyAccess)[number];

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the rule names
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Whether a trimmed string can be a player id. One with half a surrogate pair cannot, since no path can contain it.
 *
 * @see docs/contract.md §6.1
 */
export function isPlayerId(text: string): boolean {
  const isSized = text.length >= 1 && text.length <= playerIdCharactersMax;
  return isSized && text.isWellFormed() && !controlCharacter.test(text);
}
