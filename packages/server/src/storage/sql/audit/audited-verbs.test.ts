import { allOperations, auditActions } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { writingVerbs } from '../verbs.ts';

/** Writes without an audit record, with the reason. Each addition needs a valid reason. */
const unrecorded: Readonly<Record<string, string>> = {
  createAccount: 'the trail begins with the account',
  createDeveloper: 'the trail begins with the account',
  deleteAccount: 'the trail goes with the account',
  recordDevelopersSeen: 'nobody changes anything',
  recordApiKeyUse: 'nobody changes anything',
  recordServiceAccountUse: 'nobody changes anything',
  addApiRequests: 'nobody changes anything',
  addRequestFigures: 'nobody changes anything',
  addSigningKey: 'of the installation',
  deleteSigningKeys: 'of the installation',
  keepKey: 'of the installation',
  noteTime: 'of the installation',
  acceptTime: 'of the installation',
  recordRollback: 'of the installation',
  recover: 'of the installation',
  replaceSealed: 'of the installation: what is sealed stays the same',
  addAuthorizationCode: 'sign-in',
  redeemAuthorizationCode: 'sign-in',
  redeemCodeLinking: 'sign-in',
  fillPlayerWords: 'nobody changes anything',
  forgetProjectPlayers: 'part of the deletion of a project',
  mergeGuest: "a player's own",
  revokeRefreshFamily: 'sign-in',
  revokeAccessToken: 'sign-in',
  enrolDevelopers: 'nobody changes anything',
  recordSignIn: 'sign-in',
  forgetAccess: 'nobody changes anything',
  admitPlayer: 'sign-in',
  spendTicket: 'sign-in',
  addSignUp: 'sign-in',
  addMail: 'sign-in',
  claimDueProposal: 'nobody changes anything',
  postponeProposal: 'nobody changes anything',
  claimMail: 'sign-in',
  settleMail: 'sign-in',
  renewSignUp: 'sign-in',
  confirmSignUp: 'sign-in',
  addPasswordReset: 'sign-in',
  redeemPasswordReset: 'sign-in',
  replacePasswordHash: 'sign-in',
  addPasskey: 'of the person who signs in',
  usePasskey: 'sign-in',
  addProviderLink: 'of the person who signs in',
  addSecondFactor: 'of the person who signs in',
  changePassword: 'of the person who signs in',
  confirmPassword: 'of the person who signs in',
  deleteDeveloper: 'it records that the developer leaves each account',
  endSessions: 'of the person who signs in',
  forgetFactors: 'of the person who signs in',
  removePassword: 'of the person who signs in',
  removePasskey: 'of the person who signs in',
  removeProviderLink: 'of the person who signs in',
  removeSecondFactor: 'of the person who signs in',
  replaceRecoveryCodes: 'of the person who signs in',
  useRecoveryCode: 'sign-in',
  useSecondFactorStep: 'sign-in',
  signInFederatedUser: 'sign-in',
  sweepExpiredSignIns: 'what has expired',
  sweepProposals: 'what has expired',
  sweepRepeats: 'what has expired',
  sweepExpiredIdentities: 'what has expired',
  sweepAuditRecords: 'what has expired',
  sweepRequestFigures: 'what has expired',
  sweepPlayers: 'what has expired',
  sweepApiRequests: 'what has expired',
  sweepRevokedTokens: 'what has expired',
  dropUserStateVersions: 'what has expired',
  shortenHistories: 'comes before a deletion, which has one',
  unlinkErased: 'comes after a deletion, which has one',
  dropPublicStateVersions: 'what has expired',
  addWebhookTest: 'changes nothing of the account',
  retryWebhookDelivery: 'changes nothing of the account',
  claimWebhookDelivery: "the service's own",
  completeWebhookDelivery: "the service's own",
  settleWebhookDelivery: "the service's own",
  clearWebhookDeliveries: 'part of the deletion of a webhook or project',
  sweepWebhookDeliveries: 'what has expired',
  settleAccount: 'the account came with its own trail',
  removeSomeSignIns: 'the end of all sessions is recorded once',
};

/** Operations of developers that change something without an audit record, with the reason. */
const unrecordedOperations: Readonly<Record<string, string>> = {
  deleteAccount: 'the trail goes with the account',
  checkSchema: 'changes nothing',
  testWebhook: 'changes nothing',
  retryWebhookDelivery: 'changes nothing',
  evaluateFlag: 'changes nothing',
  evaluateFlags: 'changes nothing',
};

describe('the audit trail', () => {
  it('records every verb that writes, in its transaction, with listed exceptions', () => {
    const without = writingVerbs.filter(({ isAudited }) => !isAudited).map(({ name }) => name);
    expect(without.sort()).toEqual(Object.keys(unrecorded).sort());
  });

  it('records every operation by which a developer changes something, with listed exceptions', () => {
    const changing = allOperations.filter(
      ([, { access, method }]) => access.some((kind) => kind === 'developer') && method !== 'GET',
    );
    const without = changing.filter(([, { audit }]) => audit === undefined).map(([id]) => id);
    expect(without.sort()).toEqual(Object.keys(unrecordedOperations).sort());
    for (const [id, { audit }] of allOperations) expect(audit === undefined || audit in auditActions, id).toBe(true);
  });
});
