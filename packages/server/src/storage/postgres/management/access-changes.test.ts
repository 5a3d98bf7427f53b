/** What nodes on one database tell each other. */
import { expect, test, vi } from 'vitest';
import type { AccessChange } from '../../caches/access-changes.ts';
import { apiKey, ensureProject, hashOf } from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { withTwoNodes } from '../fixtures/two-nodes.fixture.ts';

const place = { accountId: 'acc_1', slug: 'p' };
const at = withTwoNodes();
const soon = { timeout: 60_000, interval: 20 };
// A late look reports everything to be safe; but not every time.
const mayBeSlow = { retry: 5 };

function told(): AccessChange[] {
  const changes: AccessChange[] = [];
  at.store.onAccessChange((change) => changes.push(change));
  return changes;
}

test('another node receives only the subject of a change', mayBeSlow, async () => {
  await ensureProject(at.store, place);
  await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000);
  const changes = told();
  const expected: AccessChange[] = [];
  const hears = async (change: AccessChange) => {
    expected.push(change);
    await vi.waitFor(() => expect(changes).toEqual(expected), soon);
  };
  await at.beside.deleteApiKey(byOperator, place, 'k');
  await hears({ kind: 'api_key', ...place, keyId: 'k' });
  await at.beside.writePlayerAuth(byOperator, place, '{}');
  await hears({ kind: 'project', ...place });
  await at.beside.addSigningKey(
    { purpose: 'id_token', keyId: 's', publicJwk: '{}', sealedPrivateJwk: Uint8Array.of(1), createdAt: 1 },
    null,
  );
  await hears({ kind: 'signing_keys', purpose: 'id_token' });
  await at.beside.writeOwnLimits(byOperator, 'acc_1', { projects: 5 });
  await hears({ kind: 'account', accountId: 'acc_1' });
});

test('a row with a subject unknown to this release counts as a change of everything', mayBeSlow, async () => {
  const changes = told();
  await at.database.query(
    'INSERT INTO access_changes (change_id, changed_at, subject) VALUES (gen_random_uuid(), now(), $1)',
    ['{"kind":"galaxy","accountId":"acc_1","slug":"p"}'],
  );
  await vi.waitFor(() => expect(changes).toEqual([{ kind: 'everything' }]), soon);
});

test('a node that cannot ask for changes treats everything as changed', async () => {
  const changes = told();
  await at.database.query('ALTER TABLE access_changes RENAME TO away');
  await vi.waitFor(() => expect(changes).toContainEqual({ kind: 'everything' }), soon);
  await at.database.query('ALTER TABLE away RENAME TO access_changes');
});
