/** Access data of a store with every kind of record: service accounts, signing keys, and marks. */
import { hash } from 'node:crypto';
import { environments as allEnvironments } from '@holdfast/contract';
import type { Store } from '../../storage/store.ts';
import { byOperator } from '../../storage/store-suite/records.fixture.ts';

/** Adds a service account per name, one of them with two secrets. */
export async function fillServiceAccounts(store: Store, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    const serviceAccountId = `sa_${index}`;
    const of = { accountId: 'acc_alpha', serviceAccountId };
    const secretOf = (number: number) => ({
      secretId: `sec_${index}_${number}`,
      secretHash: hash('sha256', `secret ${index} ${number}`, 'buffer'),
      createdAt: 3_000 + number,
    });
    const environmentsOf = index === 0 ? null : allEnvironments.slice(0, 1 + (index % 3));
    const robot = { ...of, name, role: 'editor' as const, environments: environmentsOf, createdAt: 3_000 };
    await store.createServiceAccount(byOperator, { ...robot, expiresAt: index === 1 ? 10 ** 13 : null }, secretOf(1), 100);
    if (index === 2) await store.addServiceAccountSecret(byOperator, 'acc_alpha', serviceAccountId, secretOf(2), 2);
    if (index === 2) await store.recordServiceAccountUse([{ ...of, secretId: 'sec_2_2', usedAt: 3_700 }]);
  }
  await fillWebhooks(store, names);
}

/** Adds a webhook per name, at most ten, one of them with a waiting delivery. */
async function fillWebhooks(store: Store, names: readonly string[]): Promise<void> {
  const project = { accountId: 'acc_alpha', slug: 'game' };
  for (const [index, description] of names.slice(0, 10).entries()) {
    const webhook = {
      ...project,
      webhookId: `wh_${index}`,
      host: 'hooks.example.com:443',
      description,
      events: ['public_state.changed', 'api_key.revoked'] as const,
      environments: index === 0 ? null : (['staging'] as const),
      enabled: index !== 1,
      createdAt: 3_000 + index,
      createdBy: { kind: 'developer', id: 'mem_1', name: description } as const,
      sealedTarget: hash('sha256', `target ${index}`, 'buffer'),
    };
    const outcome = await store.createWebhook(byOperator, webhook, 10);
    if (outcome !== 'created') throw new Error(`a webhook was ${outcome}`);
  }
  await store.addWebhookTest({ ...project, webhookId: 'wh_0' }, 3_800);
}

/** Adds keys of both purposes, and one left by an earlier secret key. */
export async function fillSigningKeys(store: Store): Promise<void> {
  await store.keepKey({ keyId: 'kept', sealedKey: hash('sha256', 'kept', 'buffer'), createdAt: 4_000 });
  for (const [purpose, keyId] of [
    ['access_token', 'k1'],
    ['access_token', 'k2'],
    ['id_token', 'k3'],
  ] as const) {
    const createdAt = Number(keyId.slice(1)) * 1_000;
    const key = {
      purpose,
      keyId,
      publicJwk: '{"kty":"OKP"}',
      sealedPrivateJwk: hash('sha256', keyId, 'buffer'),
      createdAt,
    };
    const outcome = await store.addSigningKey(key, keyId === 'k2' ? 'k1' : null);
    if (outcome !== 'added') throw new Error(`a signing key was ${outcome}`);
  }
}

/** Gives some accounts their own limits, requirements and figures, suspends one, and ends its sessions. */
export async function fillStandings(store: Store): Promise<void> {
  const limits = { apiRequests: 1_000, projects: 0, endUsers: 500, storageBytes: 10 ** 12, requestsPerMinute: 600 };
  await store.writeOwnLimits(byOperator, 'acc_alpha', limits);
  await store.writeOwnLimits(byOperator, 'acc_beta', { projects: 7 });
  await store.updateAccount(byOperator, 'acc_beta', { requireSecondFactor: true });
  const figure = { accountId: 'acc_alpha', dayStartsAt: Date.UTC(2026, 10, 3), caller: 'key_1' };
  await store.addRequestFigures([
    { ...figure, slug: '', code: '', requests: 5 },
    { ...figure, slug: 'game', code: 'forbidden', requests: 2 },
  ]);
  await store.suspendAccount(byOperator, 'acc_empty', 4_000);
  await store.signOutAccount(byOperator, 'acc_empty', 4_100);
}

/** Marks an empty store as set back and recovered, with a service running on it at `now`. */
export async function fillMarks(store: Store, now: number): Promise<void> {
  // Versions begin with the floor: one above none.
  await store.recover({ known: 0, ahead: 1, now: 1 });
  await store.noteTime(now, 0);
}
