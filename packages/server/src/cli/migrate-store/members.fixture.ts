/** Members and invitations for copies of a store, with every field set. */
import { createHash } from 'node:crypto';
import type { NewAccount } from '../../storage/contract/accounts.ts';
import { builtInIssuerName } from '../../storage/contract/identity.ts';
import type { Store } from '../../storage/store.ts';
import { byOperator } from '../../storage/store-suite/records.fixture.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Creates the account of `usr_ada`, with another member and an open invitation. */
export async function fillMembers(
  store: Store,
  account: NewAccount,
  [, email = '', inviter = '']: readonly string[],
): Promise<void> {
  await store.createDeveloper(builtInIssuerName, 'usr_ada', account);
  await store.recordDevelopersSeen(builtInIssuerName, [{ accountId: 'acc_dev', subject: 'usr_ada', seenAt: 1_700 }]);
  const makerId = (await store.findMember('acc_dev', builtInIssuerName, 'usr_ada'))?.memberId ?? null;
  for (const name of ['open', 'used']) {
    const invitation = {
      invitationId: `inv_${name}`,
      accountId: 'acc_dev',
      role: 'editor',
      environments: ['staging'],
      email,
      inviter,
      makerId,
      createdAt: 1_000,
      expiresAt: 60_000,
    } as const;
    if ((await store.addInvitation(byOperator, hashOf(name), invitation, 9)) !== 'added')
      throw new Error('an invitation was not added');
  }
  await store.acceptInvitation(
    byOperator,
    hashOf('used'),
    builtInIssuerName,
    'usr_bob',
    { email, name: inviter },
    2_000,
    9,
  );
}
