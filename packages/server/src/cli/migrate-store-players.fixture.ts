/** Identities, blocks and ends of tokens for copies of a store. */
import { byOperator as by } from '../storage/records.fixture.ts';
import type { ProjectKey, Store } from '../storage/store.ts';

/** Signs somebody with weird texts in, blocks one of those who have a state, and ends the sessions of another. */
export async function fillPlayers(store: Store, key: ProjectKey, weird: readonly string[]): Promise<void> {
  const [subject = '', email = '', reason = '', name = ''] = weird;
  for (const provider of ['password', 'google.com']) {
    const admitted = await store.admitPlayer(key, { subject, provider, email, name }, 2_000);
    if (admitted.kind !== 'admitted') throw new Error(`a sign-in was ${admitted.kind}`);
  }
  const block = await store.blockPlayer(by, key, 'cyd', { reason, until: 10 ** 13 });
  if (typeof block === 'string') throw new Error(`a block was ${block}`);
  await store.endPlayerSessions(by, key, 'bob');
}

/** Asks what can be asked of players of a project. */
export async function readPlayers(store: Store, key: ProjectKey, now: number): Promise<unknown> {
  const search = { prefix: '', kinds: ['state', 'id', 'email', 'name'], after: null, itemsMax: 100 } as const;
  const { players } = await store.listPlayers(key, search, now);
  const access = ['cyd', 'bob', 'ada'].map((endUserId) =>
    store.findPlayerAccess({ ...key, environment: 'production', endUserId }, now),
  );
  return { players, outlook: await store.playersOutlook(key, now), access: await Promise.all(access) };
}
