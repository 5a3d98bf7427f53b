/** Examples of proposals. */
const ada = { kind: 'developer' as const, id: 'usr_6Rq1TzWc8KdNf3HjVx5Ysa', name: 'Ada' };
const grace = { kind: 'developer' as const, id: 'usr_4Xk2BvNqLm7Pz9RtYw3Gcd', name: 'Grace' };
const ops = [{ op: 'replace' as const, path: '/shop/sword/price', value: 5 }];

const listed = {
  id: 'prop_5Kq8WzXc2VbNmT7RjLs4Hd',
  revision: 2,
  state: 'open' as const,
  baseVersion: 3,
  comment: 'cheaper swords',
  author: ada,
  editors: [],
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:41:07.120Z',
  approvals: [{ author: grace, at: '2026-03-14T10:02:30.004Z', comment: 'good for the weekend' }],
  requiredApprovals: 1,
  appliedVersion: null,
  appliedAt: null,
  appliedBy: null,
};

export const proposalExamples = {
  ProposalBody: { ...listed, ops, merged: { version: 4, ops, conflicts: [], violations: [] } },
  ProposalListBody: { items: [listed], cursor: null, hasMore: false },
  CreateProposalBody: { baseVersion: 3, ops, comment: 'cheaper swords' },
  UpdateProposalBody: { comment: 'cheaper swords for the weekend' },
  ApproveProposalBody: { revision: 2, version: 4, comment: 'good for the weekend' },
  ApplyProposalBody: { revision: 2, comment: 'approved by Grace' },
};
