/** A proposal that a verb has locked, and the records of its steps in the audit trail. */
import type { AuditAction, AuditField, WebhookEvent } from '@holdfast/contract';
import type { AuditDetail, ChangedBy } from '../../contract/audit.ts';
import type { ListedProposal, ProposalKey, ProposalRefused, Proposer } from '../../contract/proposals.ts';
import type { Author } from '../../contract/public-states.ts';
import { integerAt, jsonAt, optionalJsonAt, optionalTextAt, type Row, textAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { toProposal } from '../../rows/proposal-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { projectTarget } from '../projects/projects.ts';
import { all, first, type Steps } from '../steps.ts';
import { eventAuthor, storeEvent } from '../webhooks/webhook-queue.ts';
import { placeAt, standingOf, type WrittenPlace } from './proposal-authority.ts';

/** The columns of a proposal, and of its project what decides about it. */
export const proposalColumns = 'proposals.*, projects.required_approvals, projects.protected_environments';

/** SQL: the proposals of the projects that exist. */
export const ofProjects = 'FROM proposals JOIN projects USING (account_id, slug)';

export interface LockedProposal {
  readonly proposal: ListedProposal;
  readonly place: WrittenPlace;
  readonly authorKey: string;
  readonly opsText: string | null;
  /** Hashes of the people who may not approve it. */
  readonly involved: readonly string[];
  readonly bytes: number;
  /** Whether something happens to it by itself. */
  readonly isComing: boolean;
  /** Who set its times; null if nobody did. */
  readonly scheduler: Proposer | null;
}

/** Names an author, whatever its display name. */
export const authorKeyOf = ({ kind, id }: Author): string => encodeText(`${kind} ${id}`);

/** Locks a proposal until the end of the transaction. The account is locked before. */
export function* lockProposal({
  accountId,
  slug,
  environment,
  proposalId,
}: ProposalKey): Steps<LockedProposal | undefined> {
  // No row: the environment has no such proposal.
  const row = yield* first(
    `SELECT ${proposalColumns} ${ofProjects}
     WHERE account_id = $1 AND proposal_id = $2 AND slug = $3 AND environment = $4 FOR UPDATE`,
    [accountId, proposalId, slug, environmentNumbers[environment]],
  );
  return row && toLocked(row);
}

const toLocked = (row: Row): LockedProposal => {
  const proposal = toProposal(row);
  return {
    proposal,
    place: placeAt(row, proposal.environment),
    authorKey: textAt(row, 'author_key'),
    opsText: optionalTextAt(row, 'ops'),
    involved: jsonAt<string[]>(row, 'involved'),
    bytes: integerAt(row, 'bytes'),
    isComing: row.next_at !== null,
    scheduler: optionalJsonAt<Proposer>(row, 'scheduler'),
  };
};

/** Returns why an open proposal cannot take a step; undefined if it can. `revision` undefined stands for any. */
export function refusedStep(locked: LockedProposal | undefined, revision?: number): ProposalRefused | undefined {
  if (locked === undefined) return { kind: 'unknown' };
  const { proposal } = locked;
  if (proposal.state !== 'open') return { kind: 'ended', state: proposal.state };
  return revision === undefined || revision === proposal.revision
    ? undefined
    : { kind: 'stale', revision: proposal.revision };
}

/** Whether somebody is the author of a proposal, or may write where it would. */
export function* mayChange(
  { proposal: { accountId }, authorKey, place }: LockedProposal,
  author: Author,
  proposer: Proposer,
  now: number,
): Steps<boolean> {
  return authorKey === authorKeyOf(author) || (yield* standingOf(accountId, proposer, place, now)).mayWrite;
}

/** The actions of proposals, which are also the types of their events. */
type ProposalAction = AuditAction & WebhookEvent & `proposal.${string}`;

/** Stores the event of a step for webhooks, in its transaction, and returns the step's entry in the audit trail. */
export function* proposalStep(
  { accountId, slug, environment, proposalId }: ProposalKey,
  by: ChangedBy,
  action: ProposalAction,
  { revision, detail }: { readonly revision: number; readonly detail: AuditDetail },
): Steps<AuditEntry> {
  const data = { proposalId, revision, author: eventAuthor(by), ...toValues(detail, ['version', 'comment', 'failure']) };
  yield* storeEvent({ accountId, slug }, { type: action, environment, at: by.at, data });
  return { action, target: `${projectTarget(slug)}/public-state/${environment}/proposals/${proposalId}`, detail };
}

/** The new values of some fields of a detail. */
const toValues = (detail: AuditDetail, names: readonly AuditField[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.flatMap((name) => (detail[name]?.to === undefined ? [] : [[name, detail[name].to]])));

/** Adds to the bytes that the proposals of a locked account take. */
export function* countProposalBytes(accountId: string, bytes: number): Steps<void> {
  // One row, always.
  yield* all('UPDATE accounts SET proposal_bytes = proposal_bytes + $2 WHERE account_id = $1', [accountId, bytes]);
}
