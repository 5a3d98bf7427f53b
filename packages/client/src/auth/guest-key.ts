/** The key of a guest. It is created on the device and stays there. Whoever has it is this player. */
import { objectIn } from '../errors.ts';
import { valuesIn } from '../offline/indexed-db.ts';
import { runtime } from '../runtime.ts';
import { browserStorage, damaged, guarded, type TextStorage } from '../storage.ts';
import { base64Url, bytesOf, challengeOf } from './pkce.ts';

/** The parts of a private key in stored text. @see RFC 7518 §6.2 */
interface Jwk {
  readonly x?: string;
  readonly y?: string;
}

/** The record in IndexedDB. Its private key signs but cannot be read. */
interface Kept extends Jwk {
  readonly privateKey: CryptoKey;
}

export interface GuestKey {
  /** Signs claims, adding the thumbprint of the key. Returns a JSON Web Token. */
  sign(claims: object): Promise<string>;
}

/** Where a key and its player's id are stored. */
export interface GuestKeys {
  /** Returns the key, the same in all tabs, creating it if necessary. Rejects with `storage_failed`. */
  load(): Promise<GuestKey>;
  /** Whether a key exists. */
  exists(): Promise<boolean>;
  /** Deletes the key and the id. The next key is another player. */
  forget(): Promise<void>;
  /** The id of the player, once recorded. */
  readId(): Promise<string | undefined>;
  noteId(userId: string): Promise<void>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

/** Stores the key under a name: as readable text in `storage` if given. Otherwise in IndexedDB or, if missing, in the browser's storage. */
export function guestKeys(name: string, storage: TextStorage | undefined): GuestKeys {
  return storage === undefined && runtime.indexedDB !== undefined ? hiddenKeys(name) : textKeys(name, storage);
}

const idNameOf = (name: string): string => `${name}:id`;

function hiddenKeys(name: string): GuestKeys {
  const values = valuesIn<unknown>('holdfast-guests');
  const guard = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((cause: unknown) => {
      throw damaged(`the browser cannot keep the key of a guest: ${cause}`, cause);
    });
  const read = async () => {
    const kept = (await guard(values.get(name))) as Kept | undefined;
    return kept && keyOf(kept, kept.privateKey);
  };
  return {
    async load() {
      const known = await read();
      if (known !== undefined) return known;
      const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign']);
      const { x, y } = (await crypto.subtle.exportKey('jwk', publicKey)) as Jwk;
      // If another tab was faster, its key stays.
      await values.add(name, { privateKey, x, y }).catch(() => {});
      const kept = await read();
      if (kept === undefined) throw damaged('the browser does not keep the key of a guest');
      return kept;
    },
    exists: async () => (await guard(values.get(name))) !== undefined,
    async forget() {
      await guard(values.delete(name));
      await guard(values.delete(idNameOf(name)));
    },
    readId: async () => (await guard(values.get(idNameOf(name)))) as string | undefined,
    noteId: (userId) => guard(values.set(idNameOf(name), userId)),
  };
}

function textKeys(name: string, given: TextStorage | undefined): GuestKeys {
  const storage = guarded(given ?? browserStorage());
  return {
    async load() {
      if ((await storage.get(name)) === undefined) {
        const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign']);
        const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', privateKey);
        await storage.set(name, JSON.stringify({ kty, crv, x, y, d }));
      }
      // The stored key counts: another process may have been faster.
      const jwk = objectIn((await storage.get(name)) ?? '') ?? {};
      try {
        return keyOf(jwk, await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']));
      } catch (cause) {
        throw damaged('what is stored as the key of a guest is none', cause);
      }
    },
    exists: async () => (await storage.get(name)) !== undefined,
    async forget() {
      await storage.delete(name);
      await storage.delete(idNameOf(name));
    },
    readId: () => storage.get(idNameOf(name)),
    noteId: (userId) => storage.set(idNameOf(name), userId),
  };
}

const encode = (value: object): string => base64Url(bytesOf(JSON.stringify(value)));

function keyOf({ x, y }: Jwk, privateKey: CryptoKey): GuestKey {
  const [kty, crv] = ['EC', 'P-256'];
  const header = encode({ typ: 'guest+jwt', alg: 'ES256', jwk: { kty, crv, x, y } });
  return {
    async sign(claims) {
      // The members in the required order. @see RFC 7638 §3
      const iss = await challengeOf(JSON.stringify({ crv, kty, x, y }));
      const text = `${header}.${encode({ ...claims, iss, sub: iss })}`;
      const how = { name: 'ECDSA', hash: 'SHA-256' };
      return `${text}.${base64Url(new Uint8Array(await crypto.subtle.sign(how, privateKey, bytesOf(text))))}`;
    },
  };
}
