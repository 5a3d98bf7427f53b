/** Refusals of state writes. */
import { stateCharactersMax } from '@holdfast/contract';
import { suspendedAccount } from '../access/account-status.ts';
import { Refusal } from '../common/refusal.ts';
import type { ApplicationRefused, ProposalRefused } from '../storage/contract/proposals.ts';
import { type FlagFinding, flagViolations } from './flag-check.ts';
import type { PublicViolation } from './validation-request.ts';

/** The refusal of a state of this many characters. */
export function tooLarge(code: 'validation_error' | 'patch_state_too_large', characters: number): Refusal {
  return new Refusal(code, tooLargeText(characters));
}

/** The message about a state of this many characters. */
export const tooLargeText = (characters: number): string =>
  `the state would take ${characters} characters; at most ${stateCharactersMax} are stored`;

/** The refusal of a write by a player who was merged into another player. @see docs/contract.md §7.16 */
export function playerEnded(): Refusal {
  return new Refusal(
    'not_found',
    'this player has become another one, whose save is the one that counts: nothing is written here',
  );
}

/** The refusal of a step of a proposal. */
export function refusedProposal(refused: ProposalRefused): Refusal {
  switch (refused.kind) {
    case 'unknown':
      return new Refusal('not_found', 'the environment has no such proposal');
    case 'ended':
      return new Refusal('proposal_ended', `the proposal ${refused.state === 'failed' ? 'has' : 'was'} ${refused.state}`);
    case 'forbidden':
      return new Refusal('forbidden', 'this takes the author of the proposal, or write access to the environment');
    case 'stale':
      return new Refusal('version_conflict', `the proposal has revision ${refused.revision} now: read it again`, {
        details: { currentVersion: refused.revision },
      });
  }
}

/** The refusal of an application, which wrote nothing. */
export function notApplied({ why }: ApplicationRefused): Refusal {
  switch (why.kind) {
    case 'unapproved':
      return new Refusal(
        'approval_required',
        `the proposal needs ${why.required} ${why.required === 1 ? 'approval' : 'approvals'} and has ${why.given}`,
      );
    case 'not_now':
      return new Refusal('proposal_ended', 'the proposal was to be reverted by now: set another revertAt, or none');
    case 'suspended':
      return suspendedAccount();
    case 'uncommented':
      return uncommented();
    default:
      return refusedProposal(why);
  }
}

/** The refusal of a change in a protected environment that says nothing. */
export const uncommented = (): Refusal =>
  new Refusal('validation_error', 'body: "comment" must say what the change is for: the environment is protected');

/** The refusal of a write whose result violates the schema. */
export const schemaViolation = (violations: readonly PublicViolation[]): Refusal =>
  refusal('the state does not fit the schema', violations);

/** The refusal of a write whose result has unusable flags. */
export const unusableFlags = (findings: readonly FlagFinding[]): Refusal =>
  refusal('the state has flags that cannot be used', flagViolations(findings));

function refusal(fault: string, violations: readonly PublicViolation[]): Refusal {
  const [first, ...others] = violations;
  const where = first === undefined || first.path === '' ? 'the document' : first.path;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return new Refusal('validation_error', `${fault}: ${where} ${first?.message ?? ''}${more}`, {
    details: { violations: violations.map(publicViolation) },
  });
}

/** A violation as clients see it. */
export const publicViolation = ({ path, keyword, message }: PublicViolation): PublicViolation => ({
  path,
  keyword,
  message,
});
