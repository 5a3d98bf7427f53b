import { expect, test } from 'vitest';
import type { SigningKeyRecord } from '../../contract/sign-ins.ts';
import { type CreateStoreHarness, withStore } from '../harness.ts';

const signingKey = (keyId: string, createdAt: number): SigningKeyRecord => ({
  purpose: 'access_token',
  keyId,
  publicJwk: `{"kid":"${keyId}"}`,
  sealedPrivateJwk: Uint8Array.of(0, 255, 128, createdAt % 256),
  createdAt,
});

export function signingKeys(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const ids = async () => (await at.store.listSigningKeys('access_token')).map(({ keyId }) => keyId);

  test('keys come back byte for byte, newest first', async () => {
    expect(await at.store.listSigningKeys('access_token')).toEqual([]);
    expect(await at.store.addSigningKey(signingKey('a', 1), null)).toBe('added');
    expect(await at.store.addSigningKey(signingKey('b', 2), 'a')).toBe('added');
    await at.reopen();
    const found = await at.store.listSigningKeys('access_token');
    expect(found.map((key) => ({ ...key, sealedPrivateJwk: Array.from(key.sealedPrivateJwk) }))).toEqual([
      { ...signingKey('b', 2), sealedPrivateJwk: [0, 255, 128, 2] },
      { ...signingKey('a', 1), sealedPrivateJwk: [0, 255, 128, 1] },
    ]);
  });

  test('a key is added only if the newest key is the expected one', async () => {
    expect(await at.store.addSigningKey(signingKey('a', 1), 'other')).toBe('superseded');
    await at.store.addSigningKey(signingKey('a', 1), null);
    expect(await at.store.addSigningKey(signingKey('b', 2), null)).toBe('superseded');
    expect(await at.store.addSigningKey(signingKey('b', 2), 'b')).toBe('superseded');
    expect(await ids()).toEqual(['a']);
  });

  test('of keys added by two processes in parallel, exactly one is stored', async () => {
    const beside = await at.openParallel();
    await at.store.addSigningKey(signingKey('old', 1), null);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? beside : at.store).addSigningKey(signingKey(`new-${i}`, 2), 'old')),
    );
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect(await ids()).toHaveLength(2);
  });

  test('old keys can be deleted, but never the newest', async () => {
    expect(await at.store.deleteSigningKeys('access_token', 100)).toBe(0);
    await at.store.addSigningKey(signingKey('a', 1), null);
    await at.store.addSigningKey(signingKey('b', 2), 'a');
    await at.store.addSigningKey(signingKey('c', 3), 'b');
    expect(await at.store.deleteSigningKeys('access_token', 2)).toBe(1);
    expect(await ids()).toEqual(['c', 'b']);
    expect(await at.store.deleteSigningKeys('access_token', 100)).toBe(1);
    expect(await ids()).toEqual(['c']);
  });

  test('each purpose has its own keys', async () => {
    const idTokenKey = (keyId: string, createdAt: number) => ({
      ...signingKey(keyId, createdAt),
      purpose: 'id_token' as const,
    });
    await at.store.addSigningKey(signingKey('a', 1), null);
    expect(await at.store.addSigningKey(idTokenKey('x', 2), 'a')).toBe('superseded');
    expect(await at.store.addSigningKey(idTokenKey('x', 2), null)).toBe('added');
    expect(await at.store.addSigningKey(idTokenKey('y', 3), 'x')).toBe('added');
    expect(await at.store.addSigningKey(signingKey('b', 4), 'a')).toBe('added');
    expect(await ids()).toEqual(['b', 'a']);
    expect(await at.store.listSigningKeys('id_token')).toEqual([idTokenKey('y', 3), idTokenKey('x', 2)]);
    expect(await at.store.deleteSigningKeys('id_token', 100)).toBe(1);
    expect(await ids()).toEqual(['b', 'a']);
    expect((await at.store.listSigningKeys('id_token')).map(({ keyId }) => keyId)).toEqual(['y']);
  });
}
