/**
 * The key pairs that sign tokens (ES256), and the JWKS that publishes them: for access tokens, and for the ID tokens of the built-in
 * identity provider. They are kept in storage, with sealed private keys, and rotate every 30 days.
 *
 * A retired key stays published until every token that it signed has expired. A new key signs immediately: a process that meets an unknown
 * key id reads the keys again.
 *
 * @see RFC 7517
 */

import { createPrivateKey, sign } from 'node:crypto';
import type { JwkBody } from '@holdfast/contract';
import type { CryptoKey, JWK } from 'jose';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import type { Static } from 'typebox';
import type { Awaitable } from '../common/async/awaitable.ts';
import type { JwtKey } from '../common/secrets/jwt.ts';
import type { Sealer } from '../common/secrets/sealer.ts';
import { daySeconds } from '../common/time/durations.ts';
import type { SigningKeyRecord, SigningPurpose } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';

/** Longest life of an access token: that of an operator's token. */
export const accessTokenSecondsMax = 30 * daySeconds;
const rotationSeconds = 30 * daySeconds;

/** A public key as it is published. */
type PublicJwk = Static<typeof JwkBody>;

/** The sealer is that of private keys; their records are their key ids. */
export interface SigningKeysOptions extends Sealer {
  readonly store: Pick<Store, 'listSigningKeys' | 'addSigningKey' | 'deleteSigningKeys' | 'onAccessChange'>;
  /** The purpose of the keys. A key of one purpose does not verify tokens of the other. */
  readonly purpose: SigningPurpose;
  readonly now: () => number;
}

export interface SigningKeys {
  /** Returns the current signing key, usually at once. Creates one if there is none or the newest is older than 30 days. */
  current(): Awaitable<JwtKey>;
  /** Returns the public key with this id; undefined if it does not exist, or no longer does. */
  find(keyId: string): Promise<CryptoKey | undefined>;
  /** Returns the published keys, newest first; creates the first one if there is none. */
  jwks(): Promise<{ keys: PublicJwk[] }>;
  /**
   * Makes a new key, which signs from now on, and returns its id. With `revoke`, every earlier key is deleted, so that every token signed
   * so far is rejected: immediately by this process, within a second by others.
   */
  rotate(options?: { readonly revoke?: boolean }): Promise<string>;
  /** Deletes keys whose tokens have all expired at this time, and returns how many. */
  deleteRetired(now: number): Promise<number>;
}

/** Returns the signing keys of one purpose in `store`, read when first needed and again whenever access changed. */
export function createSigningKeys({ store, purpose, seal, open, now }: SigningKeysOptions): SigningKeys {
  const ring = createKeyRing(store, purpose);
  let signer: JwtKey | undefined;

  /** Adds a key newer than `newest`; undefined if another process was faster. Keys stay in creation order. */
  async function add(newest: SigningKeyRecord | undefined): Promise<SigningKeyRecord | undefined> {
    const record = await makeKey(purpose, seal, Math.max(now(), (newest?.createdAt ?? 0) + 1));
    const outcome = await store.addSigningKey(record, newest?.keyId ?? null);
    ring.forget();
    return outcome === 'added' ? record : undefined;
  }

  const isInTime = ({ createdAt }: SigningKeyRecord) => now() < createdAt + rotationSeconds * 1000;

  function keyOf(record: SigningKeyRecord): JwtKey {
    if (signer?.keyId !== record.keyId) signer = openKey(record, open);
    return signer;
  }

  async function newestInTime(): Promise<SigningKeyRecord> {
    for (;;) {
      const [newest] = (await ring.known()).records;
      if (newest !== undefined && isInTime(newest)) return newest;
      const added = await add(newest);
      if (added === undefined) continue;
      await ring.known();
      return added;
    }
  }

  return {
    current() {
      const known = ring.known();
      const newest = known instanceof Promise ? undefined : known.records[0];
      const isReady = newest !== undefined && newest.keyId === signer?.keyId && isInTime(newest);
      return isReady && signer !== undefined ? signer : newestInTime().then(keyOf);
    },

    find: (keyId) => ring.find(keyId),

    async jwks() {
      if ((await ring.known()).records.length === 0) await newestInTime();
      const { records } = await ring.known();
      return { keys: records.map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk) };
    },

    async rotate({ revoke = false } = {}) {
      for (;;) {
        ring.forget();
        const [newest] = (await ring.known()).records;
        const added = await add(newest);
        if (added === undefined) continue;
        if (revoke) await store.deleteSigningKeys(purpose, added.createdAt);
        return added.keyId;
      }
    },

    async deleteRetired(time) {
      const { records } = await ring.known();
      const oldest = oldestInUse(records, time);
      return records.some(({ createdAt }) => createdAt < oldest) ? store.deleteSigningKeys(purpose, oldest) : 0;
    },
  };
}

/**
 * Returns when the oldest key was made that may still have valid tokens: a key is needed while its successor is younger than the longest
 * life of a token. One hour is added for processes that see the successor late.
 */
function oldestInUse(records: readonly SigningKeyRecord[], nowMs: number): number {
  const liveSince = nowMs - (accessTokenSecondsMax + 3_600) * 1000;
  let oldest = nowMs;
  for (const { createdAt } of records) {
    oldest = createdAt;
    if (createdAt <= liveSince) break;
  }
  return oldest;
}

/** Makes a key pair whose id is the thumbprint of its public half. @see RFC 7638 */
async function makeKey(
  purpose: SigningPurpose,
  seal: SigningKeysOptions['seal'],
  createdAt: number,
): Promise<SigningKeyRecord> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const { kty, crv, x, y } = await exportJWK(pair.publicKey);
  const keyId = await calculateJwkThumbprint(pair.publicKey);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  return {
    purpose,
    keyId,
    publicJwk: JSON.stringify({ kty, crv, x, y, kid: keyId, alg: 'ES256', use: 'sig' }),
    sealedPrivateJwk: seal(Buffer.from(privateJwk), keyId),
    createdAt,
  };
}

/**
 * Returns the key of a record; its private half stays in the function. It signs on the calling thread, within 30 µs: WebCrypto's way to
 * another thread and back takes longer.
 */
function openKey({ keyId, sealedPrivateJwk }: SigningKeyRecord, open: SigningKeysOptions['open']): JwtKey {
  const jwk = JSON.parse(Buffer.from(open(sealedPrivateJwk, keyId)).toString());
  const key = { key: createPrivateKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  return { keyId, sign: (text) => sign('sha256', Buffer.from(text), key).toString('base64url') };
}

interface Keys {
  /** Newest first. */
  readonly records: readonly SigningKeyRecord[];
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
}

/** The signing keys as this process has them: read from the store when needed, and again after every change. */
interface KeyRing {
  /** Returns the keys as they were at the last change that this process heard of, or later. */
  known(): Awaitable<Keys>;
  /** Returns the public key of this id. The store is searched for an unknown id. */
  find(keyId: string): Promise<CryptoKey | undefined>;
  /** Makes the next call read the store. */
  forget(): void;
}

/** Returns the key ring over the keys of one purpose in `store`. */
function createKeyRing(store: Pick<Store, 'listSigningKeys' | 'onAccessChange'>, purpose: SigningPurpose): KeyRing {
  let current: Keys | undefined;
  let reading: Promise<Keys> | undefined;
  let imported: Keys['publicKeys'] = new Map();
  let epoch = 0;

  function forget(): void {
    epoch += 1;
    current = undefined;
    reading = undefined; // it may have begun before the change
  }
  store.onAccessChange((change) => {
    if (change.kind === 'everything' || (change.kind === 'signing_keys' && change.purpose === purpose)) forget();
  });

  /** Callers that come while the keys are being read share that read. */
  function read(): Promise<Keys> {
    reading ??= readAndKeep();
    return reading;
  }

  async function readAndKeep(): Promise<Keys> {
    const begun = epoch;
    try {
      const keys = await readKeys(await store.listSigningKeys(purpose), imported);
      imported = keys.publicKeys;
      if (begun === epoch) current = keys;
      return keys;
    } finally {
      if (begun === epoch) reading = undefined;
    }
  }

  return {
    known: () => current ?? read(),
    async find(keyId) {
      const known = current?.publicKeys.get(keyId) ?? (await reading)?.publicKeys.get(keyId);
      return known ?? (await read()).publicKeys.get(keyId);
    },
    forget,
  };
}

/** Reuses keys that were imported before: a key id is a thumbprint and never names another key. */
async function readKeys(records: readonly SigningKeyRecord[], imported: Keys['publicKeys']): Promise<Keys> {
  const publicKeys = new Map<string, CryptoKey>();
  for (const { keyId, publicJwk } of records) {
    publicKeys.set(keyId, imported.get(keyId) ?? (await importKey(JSON.parse(publicJwk))));
  }
  return { records, publicKeys };
}

/** Returns an ES256 key. Rejects for a JWK of anything else. */
async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new TypeError('a signing key must not be symmetric');
  return key;
}
