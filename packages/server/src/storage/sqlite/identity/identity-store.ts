/** The store's part that the built-in identity provider needs, on the main thread. */
import type { IdentityStore } from '../../identity-store.ts';
import type { Reader } from '../reader.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { WriteQueue } from '../writer/write-queue.ts';
import { identityReads } from './identity-reads.ts';

interface Parts {
  readonly queue: WriteQueue;
  readonly reader: Reader;
}

/** Returns the methods of the store that the built-in identity provider needs. */
export function createIdentities({ queue, reader }: Parts): IdentityStore {
  const submit: WriteQueue['submit'] = queue.submit.bind(queue);
  return {
    ...identityReads(reader),
    replacePasswordHash: ({ accountId, userId }, expected, next) =>
      submit(smallCommandCharacters, 'replacePasswordHash', accountId, userId, expected, next),
    addSignUp: (signUpHash, signUp) => submit(smallCommandCharacters, 'addSignUp', signUpHash, signUp),
    renewSignUp: (signUpHash, { codeHash, attemptsLeft, expiresAt }, now) =>
      submit(smallCommandCharacters, 'renewSignUp', signUpHash, codeHash, attemptsLeft, expiresAt, now),
    confirmSignUp: (signUpHash, codeHash, { userId, createdAt }, now) =>
      submit(smallCommandCharacters, 'confirmSignUp', signUpHash, codeHash, userId, createdAt, now),
    addPasswordReset: (tokenHash, reset) => submit(smallCommandCharacters, 'addPasswordReset', tokenHash, reset),
    redeemPasswordReset: (tokenHash, passwordHash, now) =>
      submit(smallCommandCharacters, 'redeemPasswordReset', tokenHash, passwordHash, now),
    sweepExpiredIdentities: (now) => submit(smallCommandCharacters, 'sweepExpiredIdentities', now),
  };
}
