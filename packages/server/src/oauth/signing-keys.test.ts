import { calculateJwkThumbprint, type JWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAccount, addProject, openStoreFixture, type StoreFixture } from '../access/store.fixture.ts';
import { createSealer } from '../secrets/sealer.ts';
import { SecretFault } from '../secrets/secret-key.ts';
import type { SigningPurpose } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import { byOperator } from '../storage/store-suite/records.fixture.ts';
import { accessTokenSecondsMax, createSigningKeys, type SigningKeys } from './signing-keys.ts';

const dayMs = 24 * 60 * 60 * 1000;
let fixture: StoreFixture;
let store: Store;
let nowMs = 0;

beforeEach(async () => {
  fixture = await openStoreFixture();
  store = fixture.store;
  nowMs = Date.UTC(2026, 0, 1);
});
afterEach(() => fixture.dispose());

/** Signing keys as another process over the same store has them; `secret` fills the secret key. */
function open(secret = 1, purpose: SigningPurpose = 'access_token'): SigningKeys {
  return createSigningKeys({
    store,
    purpose,
    ...createSealer(Buffer.alloc(32, secret), 'signing-key'),
    now: () => nowMs,
  });
}
const publishedIds = async (keys: SigningKeys) => (await keys.jwks()).keys.map(({ kid }) => kid);

describe('a signing key', () => {
  it('is published under its thumbprint as a public ES256 key, without its private half', async () => {
    const { keys } = await open().jwks();
    expect(keys).toHaveLength(1);
    const [key] = keys;
    expect(key).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      kid: await calculateJwkThumbprint(key as JWK),
      alg: 'ES256',
      use: 'sig',
    });
  });

  it('is stored sealed', async () => {
    await open().current();
    const [record] = await store.listSigningKeys('access_token');
    const stored = Buffer.from(record?.sealedPrivateJwk ?? []).toString('latin1');
    expect(stored.length).toBeGreaterThan(100);
    expect(stored).not.toMatch(/"d"|kty|P-256/);
    expect(record?.publicJwk).not.toMatch(/"d"/);
  });

  it('is found by its id only', async () => {
    const keys = open();
    const { keyId } = await keys.current();
    expect(await keys.find(keyId)).toMatchObject({ type: 'public', algorithm: { name: 'ECDSA' } });
    for (const unknown of ['', 'x', keyId.slice(1), '__proto__', 'toString'])
      expect(await keys.find(unknown)).toBeUndefined();
  });

  it('is not read again after other changes', async () => {
    const keys = open();
    await keys.current();
    const read = vi.spyOn(store, 'listSigningKeys');
    await addAccount(store, 'acc_1');
    await store.deleteProject(byOperator, await addProject(store, 'acc_1', 'p'));
    await store.deleteAccount('acc_1');
    await open(1, 'id_token').rotate();
    read.mockClear();
    await keys.current();
    await keys.jwks();
    expect(read).not.toHaveBeenCalled();
    await open().rotate();
    read.mockClear();
    await keys.current();
    expect(read).toHaveBeenCalledOnce();
  });

  it('cannot leave the process once opened: it is a function', async () => {
    const key = await open().current();
    expect(key).toEqual({ keyId: key.keyId, sign: expect.any(Function) });
  });

  it('of another secret key still verifies but no longer signs', async () => {
    const { keyId } = await open(1).current();
    const other = open(2);
    expect(await other.find(keyId)).toBeDefined();
    await expect(other.current()).rejects.toThrow(SecretFault);
  });

  it('is the same for all processes that need the first one at the same time', async () => {
    const processes = Array.from({ length: 8 }, () => open());
    const ids = await Promise.all(processes.map(async (keys) => (await keys.current()).keyId));
    expect(new Set(ids).size).toBe(1);
    expect(await store.listSigningKeys('access_token')).toHaveLength(1);
  });
});

describe('keys for the two purposes', () => {
  it('are separate and rotate independently', async () => {
    const [access, identity] = [open(), open(1, 'id_token')];
    const { keyId } = await access.current();
    const { keyId: other } = await identity.current();
    expect(await publishedIds(access)).toEqual([keyId]);
    expect(await publishedIds(identity)).toEqual([other]);
    expect(await access.find(other)).toBeUndefined();
    expect(await identity.find(keyId)).toBeUndefined();
    const next = await identity.rotate({ revoke: true });
    expect(await publishedIds(identity)).toEqual([next]);
    expect(await publishedIds(access)).toEqual([keyId]);
  });
});

describe('rotation', () => {
  it('happens after exactly 30 days', async () => {
    const keys = open();
    const first = await keys.current();
    nowMs += 30 * dayMs - 1;
    expect((await keys.current()).keyId).toBe(first.keyId);
    nowMs += 1;
    const second = await keys.current();
    expect(second.keyId).not.toBe(first.keyId);
    expect(await publishedIds(keys)).toEqual([second.keyId, first.keyId]);
  });

  it('happens once even if many processes find it due', async () => {
    const processes = Array.from({ length: 8 }, () => open());
    for (const keys of processes) await keys.current();
    nowMs += 31 * dayMs;
    const ids = await Promise.all(processes.map(async (keys) => (await keys.current()).keyId));
    expect(new Set(ids).size).toBe(1);
    expect(await store.listSigningKeys('access_token')).toHaveLength(2);
  });

  it('keeps a retired key as long as the last token it signed lives', async () => {
    const keys = open();
    const first = await keys.current();
    nowMs += 30 * dayMs;
    await keys.current();
    const lastTokenExpiresMs = nowMs + accessTokenSecondsMax * 1000;
    nowMs = lastTokenExpiresMs;
    await keys.rotate();
    expect(await keys.deleteRetired(nowMs)).toBe(0);
    expect(await publishedIds(keys)).toContain(first.keyId);
    nowMs = lastTokenExpiresMs + dayMs;
    await keys.rotate();
    expect(await publishedIds(keys)).toContain(first.keyId);
    expect([await keys.deleteRetired(nowMs), await keys.deleteRetired(nowMs)]).toEqual([1, 0]);
    expect(await publishedIds(keys)).not.toContain(first.keyId);
    expect(await publishedIds(keys)).toHaveLength(3);
  });

  it('by hand adds a new key immediately and keeps the old one', async () => {
    const keys = open();
    const first = await keys.current();
    const second = await keys.rotate();
    expect((await keys.current()).keyId).toBe(second);
    expect(await publishedIds(keys)).toEqual([second, first.keyId]);
  });

  it('by hand works on an empty store, and after the clock was set back', async () => {
    const keys = open();
    const ids = [await keys.rotate(), await keys.rotate()];
    nowMs -= 5 * dayMs;
    ids.push(await keys.rotate());
    expect(await publishedIds(keys)).toEqual(ids.reverse());
    expect((await keys.current()).keyId).toBe(ids[0]);
  });

  it('in another process is noticed as soon as one of its tokens arrives', async () => {
    const [mine, other] = [open(), open()];
    await mine.current();
    const rotated = await other.rotate();
    expect(await mine.find(rotated)).toBeDefined();
  });

  it('with revocation leaves only the new key, in every process', async () => {
    const [mine, other] = [open(), open()];
    const old = [await mine.current(), { keyId: await mine.rotate() }];
    for (const { keyId } of old) expect(await other.find(keyId)).toBeDefined();
    const fresh = await mine.rotate({ revoke: true });
    for (const keys of [mine, other]) {
      for (const { keyId } of old) expect(await keys.find(keyId)).toBeUndefined();
      expect(await publishedIds(keys)).toEqual([fresh]);
      expect((await keys.current()).keyId).toBe(fresh);
    }
  });

  it('with revocation restores service after the secret key was lost', async () => {
    await open(1).current();
    const keys = open(2);
    const fresh = await keys.rotate({ revoke: true });
    expect((await keys.current()).keyId).toBe(fresh);
  });
});

describe('a read of the keys', () => {
  /**
   * Signing keys over the same store, behind a network: a read takes as long as `gate` says, and is counted. A deaf one has not yet heard
   * of changes by other processes.
   */
  function openRemote(gate: () => Promise<void>, { deaf = false } = {}) {
    let readings = 0;
    const keys = createSigningKeys({
      store: {
        onAccessChange: (listener) => {
          if (!deaf) store.onAccessChange(listener);
        },
        addSigningKey: (key, newest) => store.addSigningKey(key, newest),
        deleteSigningKeys: (purpose, createdBefore) => store.deleteSigningKeys(purpose, createdBefore),
        listSigningKeys: async () => {
          readings++;
          const records = await store.listSigningKeys('access_token');
          await gate();
          return records;
        },
      },
      purpose: 'access_token',
      ...createSealer(Buffer.alloc(32, 1), 'signing-key'),
      now: () => nowMs,
    });
    return { keys, readings: () => readings };
  }

  it('is shared by all who meet unknown key ids during it', async () => {
    await open().current();
    const { keys, readings } = openRemote(() => new Promise((resolve) => setTimeout(resolve, 5)));
    await keys.current();
    const before = readings();
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => keys.find(`unknown-${i}`)));
    expect(readings() - before).toBeLessThanOrEqual(2);
  });

  it('that began before a revocation brings no key back', async () => {
    const revoked = await open().rotate();
    const held = Promise.withResolvers<void>();
    let gate: Promise<void> = held.promise;
    const { keys } = openRemote(() => gate);
    const early = keys.find(revoked);
    await open().rotate({ revoke: true });
    gate = Promise.resolve();
    held.resolve();
    await early;
    expect(await keys.find(revoked)).toBeUndefined();
  });

  it('that began before a key was added does not rule that key out', async () => {
    const held = Promise.withResolvers<void>();
    let gate: Promise<void> = held.promise;
    const { keys } = openRemote(() => gate, { deaf: true });
    const early = keys.find('unknown');
    const added = await open().rotate();
    const late = keys.find(added);
    gate = Promise.resolve();
    held.resolve();
    expect(await early).toBeUndefined();
    expect(await late).toBeDefined();
  });

  it('is tried again after it failed', async () => {
    const { keyId } = await open().current();
    let failures = 1;
    const { keys } = openRemote(async () => {
      if (failures-- > 0) throw new Error('the network is down');
    });
    await expect(keys.find(keyId)).rejects.toThrow('the network is down');
    expect(await keys.find(keyId)).toBeDefined();
  });
});
