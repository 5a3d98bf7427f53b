/** The store's part that sign-in needs, on the main thread. */
import { projectChange } from '../../access-changes.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { Reader } from '../reader.ts';
import { endUserAuthName, type RecordCache } from '../record-cache.ts';
import { type ChangeAccess, smallCommandCharacters } from '../writer/changes.ts';
import type { WriteQueue } from '../writer/write-queue.ts';
import * as reads from './sign-in-reads.ts';

interface Parts {
  readonly cache: RecordCache;
  readonly changeAccess: ChangeAccess;
  readonly queue: WriteQueue;
  readonly reader: Reader;
}

/** Returns the methods of the store that sign-in needs. */
export function createSignIns(parts: Parts): Omit<SignInStore, 'listSigningKeys' | 'addSigningKey' | 'deleteSigningKeys'> {
  return { ...settings(parts), ...developers(parts), ...codes(parts), ...families(parts) };
}

function settings({ cache, changeAccess, reader }: Parts): Pick<SignInStore, 'readEndUserAuth' | 'writeEndUserAuth'> {
  return {
    readEndUserAuth(key) {
      const name = endUserAuthName(key);
      let outcome = cache.state(name);
      if (outcome === undefined) {
        outcome = reads.readEndUserAuth(reader, key);
        if (outcome.kind === 'no_project') return undefined;
        cache.keepState(name, key, outcome);
      }
      return outcome.kind === 'present' ? outcome.record.stateText : null;
    },
    writeEndUserAuth(key, settingsText) {
      const { accountId, slug } = key;
      const effect = { record: endUserAuthName(key), takes: projectChange(key) };
      return changeAccess(effect, 'writeEndUserAuth', accountId, slug, settingsText);
    },
  };
}

function developers({ changeAccess, reader }: Parts): Pick<SignInStore, 'findDeveloper' | 'createDeveloper'> {
  return {
    findDeveloper: (issuer, subject) => reads.findDeveloper(reader, issuer, subject),
    createDeveloper: (issuer, subject, account) => changeAccess({}, 'createDeveloper', issuer, subject, account),
  };
}

function codes({
  queue,
  reader,
}: Parts): Pick<SignInStore, 'addAuthorizationCode' | 'findAuthorizationCode' | 'redeemAuthorizationCode'> {
  return {
    addAuthorizationCode: (codeHash, code) => queue.submit(smallCommandCharacters, 'addAuthorizationCode', codeHash, code),
    findAuthorizationCode: (codeHash, now) => reads.findAuthorizationCode(reader, codeHash, now),
    redeemAuthorizationCode: (codeHash, family, secretHash, now) =>
      queue.submit(smallCommandCharacters, 'redeemAuthorizationCode', codeHash, family, secretHash, now),
  };
}

function families({
  queue,
  reader,
}: Parts): Pick<SignInStore, 'findRefreshFamily' | 'consumeRefreshToken' | 'revokeRefreshFamily' | 'sweepExpiredSignIns'> {
  return {
    findRefreshFamily: (familyId, now) => reads.findRefreshFamily(reader, familyId, now),
    consumeRefreshToken: ({ familyId, secretHash }, next, now, graceMilliseconds, terms = {}) =>
      queue.submit(
        smallCommandCharacters,
        'consumeRefreshToken',
        ...([familyId, secretHash, next.secretHash, next.idleExpiresAt, now, graceMilliseconds, terms] as const),
      ),
    revokeRefreshFamily: (familyId) => queue.submit(smallCommandCharacters, 'revokeRefreshFamily', familyId),
    sweepExpiredSignIns: (now) => queue.submit(smallCommandCharacters, 'sweepExpiredSignIns', now),
  };
}
