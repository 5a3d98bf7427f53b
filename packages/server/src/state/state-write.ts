/** Writes of states, as clients and proposals send them. */
import { epochOfToken } from '../access/rules/token-age.ts';
import type { Refusal } from '../common/requests/refusal.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ApplicationRefused, ProposalWrite } from '../storage/contract/proposals.ts';
import type { Author } from '../storage/contract/public-states.ts';
import { authorOf } from './documents/document-owner.ts';
import type { Precondition } from './documents/precondition.ts';
import { type SentRepeat, type SentWrite, sentRepeat } from './idempotency.ts';

/** A write as the client sent it. `By` is the author type of this kind of state. */
export interface StateWrite<By = Author> {
  readonly precondition: Precondition;
  readonly body: Uint8Array;
  /** Whether the writer is a player, to whom a schema's rules of change apply. Default: no. */
  readonly byPlayer?: boolean | undefined;
  /** The epoch of a player's token; undefined for other writers. Once that epoch's tokens have ended, the store refuses the write. */
  readonly epoch?: number | undefined;
  /** Stored with the version; null for a player. */
  readonly author: By | null;
  /** Whether the environment is protected, so that a comment is required. Default: no. */
  readonly isProtected?: boolean | undefined;
  /** Set if the client may repeat the write. */
  readonly repeat: SentRepeat | undefined;
  /** Set if the write is recorded in the audit trail. */
  readonly by?: ChangedBy | undefined;
  /** The proposal that the write applies or reverts. */
  readonly application?: AppliedProposal | undefined;
}

/** A proposal's write, and how it is refused if the store does not apply it. */
interface AppliedProposal {
  readonly write: ProposalWrite;
  readonly refusalOf: (refused: ApplicationRefused) => Refusal;
}

/** Returns a request's write. With `Idempotency-Key` it may be repeated. */
export function stateWriteOf(
  method: SentWrite['method'],
  request: Omit<SentWrite, 'method' | 'body'> & {
    readonly bodyBytes: Uint8Array;
    readonly idempotencyKey: string | undefined;
    readonly isProtected?: boolean;
    readonly by?: () => ChangedBy;
  },
): StateWrite {
  const { principal, precondition, bodyBytes: body, idempotencyKey, isProtected = false } = request;
  const repeat =
    idempotencyKey === undefined ? undefined : sentRepeat(idempotencyKey, { principal, method, precondition, body });
  const by = isProtected ? request.by?.() : undefined;
  const byPlayer = principal.kind === 'end_user';
  const epoch = byPlayer ? epochOfToken(principal) : undefined;
  return { precondition, body, byPlayer, epoch, author: authorOf(principal), isProtected, repeat, by };
}
