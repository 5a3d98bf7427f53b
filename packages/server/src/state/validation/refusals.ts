/** Refusals of documents that must not be stored. */
import { type FlagFindingBody, stateCharactersMax } from '@holdfast/contract';
import { fill, schemaRefusalMessages } from '@holdfast/contract/messages';
import { Refusal } from '../../common/requests/refusal.ts';
import type { PublicViolation } from '../evaluation/validation-request.ts';
import { flagViolations } from './flag-check.ts';

/** The refusal of a state of this many characters. */
export function tooLarge(code: 'validation_error' | 'patch_state_too_large', characters: number): Refusal {
  return new Refusal(code, tooLargeText(characters));
}

/** The message about a state of this many characters. */
export const tooLargeText = (characters: number): string =>
  `the state would take ${characters} characters; at most ${stateCharactersMax} are stored`;

/** The refusal of a write whose result violates the schema. */
export const schemaViolation = (violations: readonly PublicViolation[]): Refusal =>
  refusal(schemaRefusalMessages.state, violations);

/** The refusal of a write whose result has unusable flags. */
export const unusableFlags = (findings: readonly FlagFindingBody[]): Refusal =>
  refusal(schemaRefusalMessages.flags, flagViolations(findings));

function refusal(
  pattern: typeof schemaRefusalMessages.state | typeof schemaRefusalMessages.flags,
  violations: readonly PublicViolation[],
): Refusal {
  const [first, ...others] = violations;
  const where = first === undefined || first.path === '' ? 'the document' : first.path;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  const message = fill(pattern, { first: `${where} ${first?.message ?? ''}${more}` });
  return new Refusal('validation_error', message, { details: { violations: violations.map(publicViolation) } });
}

/** A violation as clients see it. */
export const publicViolation = ({ path, keyword, message }: PublicViolation): PublicViolation => ({
  path,
  keyword,
  message,
});
