/** Keys kept from earlier secret keys, and values that are sealed again. */
import { expect, test } from 'vitest';
import { account, type CreateStoreHarness, withStore } from '../harness.ts';
import { createUser } from '../identity/identity-records.ts';
import { byOperator } from '../records.fixture.ts';

const [before, between, after] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];

export function keptKeys(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('a key is stored once', async () => {
    expect(await at.store.listKeptKeys()).toEqual([]);
    const key = { keyId: 'k', sealedKey: before, createdAt: 1_000 };
    await at.store.keepKey(key);
    await at.store.keepKey({ ...key, sealedKey: after, createdAt: 2_000 });
    expect(await at.store.listKeptKeys()).toEqual([key]);
  });

  test('a sealed value is replaced only if it is the one that was read, in every kind of record', async () => {
    const { store } = at;
    await store.createAccount(account('acc_1'));
    const { userId } = await createUser(store, null);
    await store.keepKey({ keyId: 'k', sealedKey: before, createdAt: 1_000 });
    const key = { keyId: 'k1', publicJwk: '{}', sealedPrivateJwk: before, createdAt: 1, purpose: 'id_token' } as const;
    await store.addSigningKey(key, null);
    const settings = { clientId: 'c', name: null, issuer: null, tenant: null, teamId: null, keyId: null };
    const provider = { accountId: 'acc_1', providerId: 'google.com', settings, sealedSecret: before, writtenAt: 2_000 };
    await store.writeIdentityProvider(byOperator, provider, 9);
    await store.addSecondFactor({ accountId: null, userId, sealedSecret: before, createdAt: 3_000, lastStep: 7 }, []);

    const records = {
      kept_keys: [['k'], async () => (await store.listKeptKeys())[0]?.sealedKey],
      signing_keys: [['k1'], async () => (await store.listSigningKeys('id_token'))[0]?.sealedPrivateJwk],
      identity_providers: [['acc_1', 'google.com'], async () => (await store.findIdentityProvider(provider))?.sealedSecret],
      second_factors: [['', userId], async () => (await store.findSecondFactor(null, userId))?.sealedSecret],
    } as const;
    for (const [kind, [found, read]] of Object.entries(records)) {
      const replace = (from: Uint8Array, to: Uint8Array, name: readonly string[] = found) =>
        store.replaceSealed(kind as keyof typeof records, [{ key: name, from, to }]);
      expect(await replace(before, after), kind).toBe(1);
      expect(await replace(before, between), kind).toBe(0);
      expect(await replace(after, between, ['no', 'no'].slice(0, found.length)), kind).toBe(0);
      expect(Array.from((await read()) ?? []), kind).toEqual([3]);
    }
  });
}
