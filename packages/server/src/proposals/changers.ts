/** Who changes a proposal, and who may pass over its approvals. */
import type { DeveloperPrincipal } from '../access/principal.ts';
import { requireRecentSignIn } from '../access/recent-sign-in.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { isBlank } from '../common/text/shown-text.ts';
import { authorOf } from '../state/documents/document-owner.ts';
import type { Changer, Proposer } from '../storage/contract/proposals.ts';

/** Returns who changes a proposal, for the store. */
export function changerOf(principal: DeveloperPrincipal): Changer {
  const author = authorOf(principal);
  if (author === null) throw new TypeError('a developer is always an author');
  return { author, proposer: proposerOf(principal) };
}

function proposerOf({ actsAs, memberId, subject }: DeveloperPrincipal): Proposer {
  if (actsAs === 'member' && memberId !== null) return { kind: 'member', id: memberId };
  return { kind: actsAs === 'service_account' ? 'service_account' : 'operator', id: subject };
}

/** Returns the member behind a principal. Throws `forbidden` for a service account and for the operator. */
export function personOf({ actsAs, memberId }: DeveloperPrincipal): string {
  if (actsAs === 'member' && memberId !== null) return memberId;
  throw new Refusal('forbidden', 'only people can approve proposals: sign in as a member');
}

/** Throws unless the caller is an owner who has just signed in and gives a reason: `forbidden`, `sign_in_again` or `validation_error`. */
export function requireOverride(principal: DeveloperPrincipal, comment: string | null, now: number): void {
  if (principal.actsAs !== 'member' || principal.role !== 'owner')
    throw new Refusal('forbidden', 'only an owner can apply a proposal without the required approvals');
  requireRecentSignIn(principal.signedInAtMs ?? 0, now);
  if (isBlank(comment ?? ''))
    throw new Refusal('validation_error', 'body: "comment" must say why the proposal is applied without approvals');
}
