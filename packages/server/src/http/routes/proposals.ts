/** Proposals on the wire. @see docs/contract.md §5.7 */

import { type ProposalItemBody, proposalStates } from '@holdfast/contract';
import type { DeveloperPrincipal } from '../../access/principal.ts';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull } from '../../common/requests/time.ts';
import { quoted } from '../../common/text/quoted.ts';
import { authorBody, type DisplayNames, type NameOf } from '../../management/display-names.ts';
import type { Applier } from '../../proposals/apply.ts';
import type { Proposals, ShownProposal } from '../../proposals/proposals.ts';
import type { ListedProposal } from '../../storage/contract/proposals.ts';
import type { Handlers } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { type AsText, emptyReply, jsonReply, type Reply, textReply } from '../replies/reply.ts';
import { pageBody, parsePageRequest, single } from '../wire/page.ts';
import { publicStateReply } from './public-state.ts';

/** Returns the handlers of proposals. */
export function proposalHandlers(proposals: Proposals, applier: Applier, names: Pick<DisplayNames, 'ofAuthors'>): Handlers {
  const namesIn = (principal: DeveloperPrincipal, listed: readonly ListedProposal[]) =>
    names.ofAuthors(principal, principal.accountId, listed.flatMap(authorsOf));
  async function replyOf<Status extends 200 | 201>(status: Status, principal: DeveloperPrincipal, shown: ShownProposal) {
    return proposalReply(status, shown, await namesIn(principal, [shown.proposal]));
  }
  return {
    createProposal: async ({ params, principal, by, bodyBytes: body, idempotencyKey }) => {
      const { isNew, ...shown } = await proposals.create(params, { principal, by: by() }, { body, idempotencyKey });
      return isNew ? replyOf(201, principal, shown) : replyOf(200, principal, shown);
    },
    listProposals: async ({ params, query, principal }) => {
      const parameters = parseFormText(query);
      const state = stateIn(parameters);
      const scope = `proposals of ${params.accountId}/${params.slug}/${params.environment} ${state}`;
      const page = await proposals.list(params, state, parsePageRequest(parameters, scope));
      const nameOf = await namesIn(principal, page.items);
      return jsonReply(
        200,
        pageBody(page, scope, (item) => itemOf(item, nameOf)),
        neverKept,
      );
    },
    readProposal: async ({ params, principal }) => replyOf(200, principal, await proposals.read(params)),
    updateProposal: async ({ params, principal, by, bodyBytes: body, precondition }) =>
      replyOf(200, principal, await proposals.edit(params, { principal, by: by() }, { body, precondition })),
    deleteProposal: async ({ params, principal, by }) => {
      await proposals.withdraw(params, { principal, by: by() });
      return emptyReply(204, neverKept);
    },
    createProposalApproval: async ({ params, principal, by, body: { revision, version, comment = null } }) =>
      replyOf(200, principal, await proposals.approve(params, { principal, by: by() }, { revision, version, comment })),
    deleteProposalApproval: async ({ params, principal, by }) => {
      await proposals.retract(params, { principal, by: by() });
      return emptyReply(204, neverKept);
    },
    applyProposal: async ({ params, principal, by, isProtected, body: { revision, override = false, comment = null } }) =>
      publicStateReply(
        await applier.apply(params, { principal, by: by(), revision, isOverride: override, comment, isProtected }),
      ),
  };
}

function stateIn(query: URLSearchParams) {
  const text = single(query, 'state');
  const state = proposalStates.find((one) => one === text);
  if (text === undefined || state !== undefined) return state ?? null;
  throw new Refusal(
    'validation_error',
    `query parameter state: ${quoted(text)} is not one of ${proposalStates.join(', ')}`,
  );
}

const authorsOf = ({ author, editors, scheduledBy, approvals, appliedBy }: ListedProposal) => [
  author,
  ...editors,
  ...approvals.map((approval) => approval.author),
  scheduledBy,
  appliedBy,
];

const itemOf = (proposal: ListedProposal, nameOf: NameOf): ProposalItemBody => ({
  id: proposal.proposalId,
  revision: proposal.revision,
  state: proposal.state,
  baseVersion: proposal.baseVersion,
  comment: proposal.comment,
  author: authorBody(proposal.author, nameOf),
  editors: proposal.editors.flatMap((editor) => authorBody(editor, nameOf) ?? []),
  scheduledBy: authorBody(proposal.scheduledBy, nameOf),
  createdAt: formatTime(proposal.createdAt),
  updatedAt: formatTime(proposal.updatedAt),
  applyAt: formatTimeOrNull(proposal.applyAt),
  revertAt: formatTimeOrNull(proposal.revertAt),
  approvals: proposal.approvals.flatMap(({ author, at, comment }) => {
    const shown = authorBody(author, nameOf);
    return shown === null ? [] : [{ author: shown, at: formatTime(at), comment }];
  }),
  requiredApprovals: proposal.requiredApprovals,
  appliedVersion: proposal.appliedVersion,
  appliedAt: formatTimeOrNull(proposal.appliedAt),
  appliedBy: authorBody(proposal.appliedBy, nameOf),
  revertedVersion: proposal.revertedVersion,
  revertedAt: formatTimeOrNull(proposal.revertedAt),
  failure: proposal.failure && { ...proposal.failure, conflicts: [...proposal.failure.conflicts] },
});

/** Operations are sent as stored, so their numbers keep their digits. */
function proposalReply<Status extends 200 | 201>(
  status: Status,
  { proposal, merged }: ShownProposal,
  nameOf: NameOf,
): Reply<Status, AsText> {
  const { opsText, ...others } = merged ?? { opsText: '[]' };
  const mergedText = merged === null ? 'null' : withOps(others, opsText);
  const text = withOps(itemOf(proposal, nameOf), proposal.opsText ?? '[]', `,"merged":${mergedText}`);
  return textReply(status, 'application/json', text, [...neverKept, 'ETag', `"${proposal.revision}"`]);
}

/** The JSON text of a record with the member `ops` and what follows it. */
const withOps = (record: object, opsText: string, more = ''): string =>
  `${JSON.stringify(record).slice(0, -1)},"ops":${opsText}${more}}`;
