/** The signing keys as this process knows them: read from the store when needed, and again after every change. */
import type { CryptoKey, JWK } from 'jose';
import { importJWK } from 'jose/key/import';
import type { SigningKeyRecord, SigningPurpose, Store } from '../storage/store.ts';

export interface Keys {
  /** Newest first. */
  readonly records: readonly SigningKeyRecord[];
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
}

export interface KeyRing {
  /** Returns the keys as they were at the last change that this process heard of, or later. */
  known(): Promise<Keys>;
  /** Returns the public key of this id. An id that is not known yet is looked for in the store. */
  find(keyId: string): Promise<CryptoKey | undefined>;
  /** Makes the next call read the store. */
  forget(): void;
}

/** Returns the key ring over the keys of one purpose in `store`. */
export function createKeyRing(store: Pick<Store, 'listSigningKeys' | 'onAccessChange'>, purpose: SigningPurpose): KeyRing {
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
    known: async () => current ?? read(),
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

/** Returns an ES256 key; a private one cannot be exported again. Rejects for a JWK of anything else. */
export async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new TypeError('a signing key must not be symmetric');
  return key;
}
