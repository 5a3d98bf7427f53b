/** Account members without a browser: invited through the store, with tokens signed by the server. */
import type { Environment, MemberRole } from '@holdfast/contract';
import { expect } from 'vitest';
import { hashSecret } from '../../packages/server/src/common/secrets/secret-text.ts';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { builtInIssuerName } from '../../packages/server/src/storage/contract/identity.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import type { Developer, TestServer } from './server.ts';

export interface TestMember extends Developer {
  readonly memberId: string;
  readonly subject: string;
}

let members = 0;

/** Adds a member to an account. The member signs in with the built-in provider unless `issuer` is given. */
export async function newMember(
  { running: { store, accessTokens } }: TestServer,
  accountId: string,
  role: MemberRole,
  environments: readonly Environment[] | null = null,
  issuer: string = builtInIssuerName,
): Promise<TestMember> {
  const subject = `member-${++members}`;
  const { token: link } = await invite(
    store,
    { ...byOperator, at: Date.now() },
    { ...ofOperator, accountId, role, environments },
  );
  const claims = { email: `${subject}@example.com`, name: subject };
  const joined = await store.acceptInvitation(byOperator, hashSecret(link), issuer, subject, claims, Date.now(), 1_000);
  expect(joined.kind).toBe('joined');
  const member = await store.findMember(accountId, issuer, subject);
  const token = await accessTokens.signDeveloperToken({ accountId, subject, seconds: 900 });
  return { accountId, token, bearer: { Authorization: `Bearer ${token}` }, subject, memberId: member?.memberId ?? '' };
}
