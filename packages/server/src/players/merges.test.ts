import { expect, it } from 'vitest';
import type { PlayerPrincipal } from '../access/principal.ts';
import { createMerges, type Merge, type MergesOptions } from './merges.ts';

const now = 1_800_000_000_000;
const player: PlayerPrincipal = {
  kind: 'end_user',
  credentialId: 'ada',
  expiresAtMs: now + 900_000,
  accountId: 'acc_1',
  slug: 'game',
  environment: 'production',
  userId: 'ada',
  isGuest: false,
  issuedAtMs: now,
  epoch: now,
  signedInAtMs: now,
  playerMark: 'k',
};
const guestId = 'guest';

/** A store with a save of each player, where another merge takes the guest's save right after `step` is called. */
function storeWhere(step: 'readUserState' | 'hasUserStates' | undefined): MergesOptions['store'] {
  let isMerged = false;
  const after = (asked: string) => {
    if (asked === step) isMerged = true;
  };
  return {
    isUpgradeFinished: async () => true,
    async readUserState({ playerId }) {
      if (playerId === guestId && (isMerged || step === 'hasUserStates')) return { kind: 'absent' };
      after('readUserState');
      return { kind: 'present', record: { version: 1, stateText: '{}', stateBytes: 2, updatedAt: now } };
    },
    async hasUserStates() {
      after('hasUserStates');
      return !isMerged;
    },
    findLinkedPlayer: async () => (isMerged ? 'bob' : undefined),
    mergeGuest: async () => ({ kind: 'merged', version: 3, slugs: ['game'] }),
  } as Partial<MergesOptions['store']> as MergesOptions['store'];
}

function mergeInto(store: MergesOptions['store'], sent: Partial<Merge> = {}) {
  const merges = createMerges({
    store,
    guests: {
      async prove({ check }) {
        await check?.(guestId);
        return { kind: 'guest', userId: guestId };
      },
    },
    repeatScope: () => '',
    retentionOf: () => ({ versions: 0 }) as never,
    onChanged: () => {},
    now: () => now,
  });
  const merge = {
    guestAssertion: 'signed',
    ifVersion: 1,
    fromVersion: 1,
    stateText: '{}',
    validate: async () => {},
    ...sent,
  };
  return merges.merge(player, merge, undefined);
}

it('merges a guest whose saves are at the given versions', async () => {
  await expect(mergeInto(storeWhere(undefined))).resolves.toMatchObject({ version: 3 });
});

it('names another merge that takes the guest’s saves meanwhile, and not a save that has moved', async () => {
  for (const [step, fromVersion] of [
    ['readUserState', 1],
    ['hasUserStates', null],
    ['hasUserStates', 1],
  ] as const) {
    const merging = mergeInto(storeWhere(step), { fromVersion });
    await expect(merging, step).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(/^guest_upgraded/),
    });
  }
});
