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
  scheduledBy: ada,
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:41:07.120Z',
  applyAt: '2026-03-20T17:00:00.000Z',
  revertAt: '2026-03-23T06:00:00.000Z',
  approvals: [{ author: grace, at: '2026-03-14T10:02:30.004Z', comment: 'good for the weekend' }],
  requiredApprovals: 1,
  appliedVersion: null,
  appliedAt: null,
  appliedBy: null,
  revertedVersion: null,
  revertedAt: null,
  failure: null,
};

export const proposalExamples = {
  ProposalBody: { ...listed, ops, merged: { version: 4, ops, conflicts: [], violations: [] } },
  ProposalListBody: { items: [listed], cursor: null, hasMore: false },
  CreateProposalBody: {
    baseVersion: 3,
    ops,
    comment: 'cheaper swords',
    applyAt: '2026-03-20T18:00:00+01:00',
    revertAt: '2026-03-23T07:00:00+01:00',
  },
  UpdateProposalBody: { comment: 'cheaper swords for the weekend' },
  ApproveProposalBody: { revision: 2, version: 4, comment: 'good for the weekend' },
  ApplyProposalBody: { revision: 2, comment: 'approved by Grace' },
};
