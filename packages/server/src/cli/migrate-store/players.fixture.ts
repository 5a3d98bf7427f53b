/** Identities, blocks and ended tokens for copies of a store. */

import { hash } from 'node:crypto';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import { initialSettings } from '../../storage/contract/sign-in-settings.ts';
import type { AuthorizationCode } from '../../storage/contract/sign-ins.ts';
import type { Store } from '../../storage/store.ts';
import { byOperator as by } from '../../storage/store-suite/records.fixture.ts';

/** The text of settings that contain a number. */
export const signInSettings = (index: number): string =>
  JSON.stringify({ ...initialSettings, enabled: true, redirectUris: [`https://app.example/${index}`] });

/** Signs in somebody with unusual texts, blocks a player with a state, and ends the sessions of another. */
export async function fillPlayers(store: Store, key: ProjectKey, texts: readonly string[]): Promise<void> {
  const [subject = '', email = '', reason = '', name = ''] = texts;
  for (const provider of ['password', 'google.com']) {
    const admitted = await store.admitPlayer(key, { subject, provider, email, name }, 2_000);
    if (admitted.kind !== 'admitted') throw new Error(`a sign-in was ${admitted.kind}`);
  }
  const block = await store.blockPlayer(by, key, 'cyd', { reason, until: 10 ** 13 });
  if (typeof block === 'string') throw new Error(`a block was ${block}`);
  await store.endPlayerSessions(by, key, 'bob');
}

/** Reads everything about the players of a project. */
export async function readPlayers(store: Store, key: ProjectKey, now: number): Promise<unknown> {
  const search = { prefix: '', kinds: ['state', 'id', 'email', 'name', 'word'], after: null, itemsMax: 100 } as const;
  const { players } = await store.listPlayers(key, search, now);
  const access = ['cyd', 'bob', 'ada'].map((playerId) =>
    store.findPlayerAccess({ ...key, environment: 'production', playerId }, now),
  );
  return { players, restrictions: await store.readPlayerRestrictions(key, now), access: await Promise.all(access) };
}

/** A guest signs up: the identity of the code becomes their sign-in method. */
export async function fillUpgraded(store: Store, code: AuthorizationCode, guestId: string): Promise<void> {
  const codeHash = hash('sha256', 'code of an upgrade', 'buffer');
  await store.addAuthorizationCode(codeHash, code);
  const ends = { createdAt: 1_000, idleExpiresAt: 10 ** 13, absoluteExpiresAt: 10 ** 13 + 1 };
  const family = { ...code, familyId: 'upgraded', place: 'Firefox · 192.0.2.0/24', ...ends };
  const { kind } = await store.redeemCodeLinking(codeHash, family, codeHash, { guestId, epoch: 0 }, 5_000);
  if (kind !== 'linked') throw new Error(`the guest was not linked: ${kind}`);
}
