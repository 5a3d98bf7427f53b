import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { ClaimedProposal } from '../storage/contract/proposal-times.ts';
import type { Proposal } from '../storage/contract/proposals.ts';
import { createScheduler } from './scheduler.ts';

test('a step that loses to other writes is taken again under the same claim, and once', async () => {
  const by = { kind: 'member', id: 'm' } as const;
  const times = { applyAt: 1_000, revertAt: null, scheduledBy: by };
  const proposal = { accountId: 'a', state: 'open', revision: 1, ...times } as unknown as Proposal;
  const claimed = { proposal, scheduler: by, at: 1_000 };
  const claims: ClaimedProposal[] = [claimed];
  const told = new EventTarget();
  const looked = once(told, 'second look');
  let looks = 0;
  let tries = 0;
  const scheduler = createScheduler({
    store: {
      listDueProposals: async () => {
        if (++looks === 2) told.dispatchEvent(new Event('second look'));
        return { accounts: claims.length > 0 ? ['a'] : [], nextIn: undefined };
      },
      claimDueProposal: async () => claims.pop(),
      findProposal: async () => proposal,
      failProposal: () => expect.unreachable(),
      postponeProposal: () => expect.unreachable(),
    },
    applier: {
      tryToApply: async () => (++tries < 3 ? undefined : ({ version: 2 } as never)),
      tryToRevert: () => expect.unreachable(),
    },
    onFault: (fault) => expect.unreachable(String(fault)),
  });
  scheduler.start();
  await looked;
  await scheduler.close();
  expect(tries).toBe(3);
});
