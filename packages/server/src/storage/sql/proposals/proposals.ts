/** Proposals: creation, reads, and the sweep of those that ended. */

import type { ProposalState } from '@holdfast/contract';
import type { Page, PageRequest } from '../../contract/pages.ts';
import type {
  CreateProposalOutcome,
  ListedProposal,
  NewProposal,
  Proposal,
  ProposalKey,
  ProposalLimits,
  RepeatedProposal,
} from '../../contract/proposals.ts';
import type { PublicStateKey } from '../../contract/public-states.ts';
import { ofItsAccount, ofRecord } from '../../contract/read-owner.ts';
import { bytesAt, integerAt, optionalTextAt, textAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { beforeFirst, pageOf } from '../../rows/pages.ts';
import { toProposal } from '../../rows/proposal-rows.ts';
import { encodeOptional } from '../../rows/stored-texts.ts';
import { created } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { lockProject } from '../projects/projects.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { storageQuota } from '../usage/storage-quota.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';
import { authorKeyOf, countProposalBytes, ofProjects, proposalColumns, proposalStep } from './locked-proposal.ts';
import { applicationVerbs } from './proposal-applications.ts';
import { approvalVerbs } from './proposal-approvals.ts';
import { placeAt, standingOf, withCountingApprovals } from './proposal-authority.ts';
import { bytesOf, editVerbs, hasTimes, refusedTimes, schedulerOf, shownChange } from './proposal-edits.ts';
import { dueAt, proposalTimeVerbs, takeTurn } from './proposal-times.ts';

const keyValues = ({ accountId, slug, environment }: PublicStateKey) =>
  [accountId, slug, environmentNumbers[environment]] as const;

function* create(
  setting: AuditedSetting,
  key: PublicStateKey,
  next: NewProposal,
  limits: ProposalLimits,
): Steps<WithAuditEntry<CreateProposalOutcome>> {
  if (!(yield* lockProject(key))) return unchanged({ kind: 'no_project' });
  const known = next.repeat && (yield* findRepeated(setting, key.accountId, next.repeat));
  if (known !== undefined) return unchanged(known);
  // The project is locked.
  const project = yield* one('SELECT protected_environments FROM projects WHERE account_id = $1 AND slug = $2', [
    key.accountId,
    key.slug,
  ]);
  const place = placeAt(project, key.environment);
  const standing = yield* standingOf(key.accountId, next.proposer, place, setting.by.at);
  const untimely = hasTimes(next) ? refusedTimes(next, standing, place) : undefined;
  if (untimely !== undefined) return unchanged(untimely);
  const isOfReader = standing.mayWrite ? 0 : 1;
  const open = yield* one(
    `SELECT count(*) AS open, coalesce(sum(is_of_reader), 0) AS of_readers,
       coalesce(sum(CASE WHEN author_key = $4 THEN 1 ELSE 0 END), 0) AS of_author
     FROM proposals WHERE account_id = $1 AND slug = $2 AND environment = $3 AND state = 'open'`,
    [...keyValues(key), authorKeyOf(next.author)],
  );
  const isFull = (of: keyof ProposalLimits, column: string) => Number(open[column]) >= limits[of];
  if (isFull('open', 'open')) return unchanged({ kind: 'too_many', of: 'open' });
  if (isFull('ofAuthor', 'of_author')) return unchanged({ kind: 'too_many', of: 'ofAuthor' });
  if (isOfReader && isFull('ofReaders', 'of_readers')) return unchanged({ kind: 'too_many', of: 'ofReaders' });
  const comment = encodeOptional(next.comment);
  const bytes = bytesOf(next.opsText, comment);
  const refused = yield* storageQuota(setting, key.accountId, bytes);
  if (refused !== undefined) return unchanged(refused);
  const author = JSON.stringify(next.author);
  // One row, always. An id that is taken is a fault of the caller and fails.
  yield* all(
    `INSERT INTO proposals (account_id, slug, environment, proposal_id, revision, state, base_version, ops, comment, author,
       author_key, is_of_reader, editors, changed_by, involved, approvals, repeat_key, request, created_at, updated_at, bytes,
       apply_at, revert_at, next_at, scheduled_by, scheduler)
     VALUES ($1, $2, $3, $4, 1, 'open', $5, $6, $7, $8, $9, $10, '[]', $8, $11, '[]', $12, $13, $14, $14, $15, $16, $17, $18, $19, $20)`,
    [
      ...keyValues(key),
      next.proposalId,
      next.baseVersion,
      next.opsText,
      comment,
      author,
      authorKeyOf(next.author),
      isOfReader,
      JSON.stringify(standing.people),
      next.repeat?.key ?? null,
      next.repeat?.request ?? null,
      setting.by.at,
      bytes,
      next.applyAt,
      next.revertAt,
      dueAt(next),
      ...schedulerOf(next, next),
    ],
  );
  if (hasTimes(next)) yield* takeTurn(key.accountId, dueAt(next));
  yield* countProposalBytes(key.accountId, bytes);
  const step = { revision: 1, detail: created(shownChange(next)) };
  const entry = yield* proposalStep({ ...key, proposalId: next.proposalId }, setting.by, 'proposal.create', step);
  return withAuditEntry({ kind: 'created' }, entry);
}

function* findRepeated(
  _: Setting,
  accountId: string,
  { key, request }: RepeatedProposal,
): Steps<Extract<CreateProposalOutcome, { kind: 'known' }> | undefined> {
  // No row: the key is new.
  const row = yield* first('SELECT proposal_id, request FROM proposals WHERE account_id = $1 AND repeat_key = $2', [
    accountId,
    key,
  ]);
  if (row === undefined) return undefined;
  const isSame = Buffer.from(bytesAt(row, 'request')).equals(request);
  return { kind: 'known', proposalId: textAt(row, 'proposal_id'), isSame };
}

function* find(_: Setting, key: ProposalKey): Steps<Proposal | undefined> {
  // No row: the environment has no such proposal.
  const row = yield* first(
    `SELECT ${proposalColumns} ${ofProjects} WHERE account_id = $1 AND slug = $2 AND environment = $3 AND proposal_id = $4`,
    [...keyValues(key), key.proposalId],
  );
  if (row === undefined) return undefined;
  const found = { ...toProposal(row), opsText: optionalTextAt(row, 'ops') };
  const [proposal] = yield* withCountingApprovals(key.accountId, [found], placeAt(row, key.environment));
  return proposal;
}

function* list(
  _: Setting,
  key: PublicStateKey,
  state: ProposalState | null,
  { after, itemsMax }: PageRequest,
): Steps<Page<ListedProposal>> {
  const { createdAt, tie } = after ?? beforeFirst;
  const columns = Object.keys(listedColumns).join(', ');
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT ${columns}, projects.required_approvals, projects.protected_environments ${ofProjects}
     WHERE account_id = $1 AND slug = $2 AND environment = $3 AND (proposals.created_at, proposal_id) < ($4, $5)
       AND (CAST($6 AS text) IS NULL OR state = $6)
     ORDER BY proposals.created_at DESC, proposal_id DESC LIMIT $7`,
    [...keyValues(key), createdAt, tie, state, itemsMax + 1],
  );
  const [row] = rows;
  if (row === undefined) return { items: [], next: null };
  const found = pageOf(rows.map(toProposal), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.proposalId }));
  const items = yield* withCountingApprovals(key.accountId, found.items, placeAt(row, key.environment));
  return { items: [...items], next: found.next };
}

/** All that `toProposal` reads: pages leave the operations out. */
const listedColumns = {
  account_id: true,
  slug: true,
  environment: true,
  proposal_id: true,
  revision: true,
  state: true,
  base_version: true,
  comment: true,
  author: true,
  editors: true,
  changed_by: true,
  'proposals.created_at': true,
  updated_at: true,
  ended_at: true,
  approvals: true,
  apply_at: true,
  revert_at: true,
  scheduled_by: true,
  applied_version: true,
  applied_at: true,
  applied_from: true,
  applied_by: true,
  reverted_version: true,
  reverted_at: true,
  failure: true,
};

/** The most proposals that one sweep deletes, all of one account. */
const sweepRowsMax = 20;

function* sweep(_: Setting, endedBefore: number): Steps<number> {
  // No row: nothing is that old.
  const oldest = yield* first('SELECT account_id FROM proposals WHERE ended_at < $1 ORDER BY ended_at LIMIT 1', [
    endedBefore,
  ]);
  if (oldest === undefined) return 0;
  const accountId = textAt(oldest, 'account_id');
  // No row: the account was deleted, and its clearing deletes the proposals.
  yield* first('SELECT 1 AS found FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
  // A row for each that was deleted.
  const rows = yield* all(
    `DELETE FROM proposals WHERE account_id = $1 AND proposal_id IN (
       SELECT proposal_id FROM proposals WHERE account_id = $1 AND ended_at < $2 LIMIT ${sweepRowsMax})
     RETURNING bytes`,
    [accountId, endedBefore],
  );
  yield* countProposalBytes(accountId, -rows.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0));
  return rows.length;
}

export const proposalVerbs = {
  /**
   * Stores an open proposal, unless too many are open, the account's storage is used up, or one was created with the same key. Its bytes
   * count as storage.
   */
  createProposal: audited(create, ofItsAccount, {
    isWithoutEffect: ({ kind }) => kind !== 'created',
    charactersOf: (_key, { opsText }) => opsText.length,
  }),
  /** The proposal that was created with a key; undefined if there is none. */
  findRepeatedProposal: smallRead(findRepeated),
  /** The proposal; undefined if the environment has none with this id. */
  findProposal: largeRead(find, ofRecord),
  /** A page of the environment's proposals, newest first; `state` null selects all. */
  listProposals: largeRead(list, ofRecord),
  /** Deletes some of the proposals that ended before a time. Returns the number deleted; 0 if none is left. */
  sweepProposals: write(sweep),
  ...editVerbs,
  ...approvalVerbs,
  ...applicationVerbs,
  ...proposalTimeVerbs,
};
