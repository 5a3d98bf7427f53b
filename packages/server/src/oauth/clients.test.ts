import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount, addProject, openStoreFixture, type StoreFixture } from '../access/store.fixture.ts';
import { playerClientId } from '../common/ids/client-id.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';
import { byOperator } from '../storage/store-suite/records.fixture.ts';
import { createClients } from './clients.ts';

let fixture: StoreFixture;
let store: Store;
let project: ProjectKey;
let neighbour: ProjectKey;
const enabled = JSON.stringify({ enabled: true, redirectUris: [], allowedIdps: [] });
const disabled = JSON.stringify({ enabled: false, redirectUris: [], allowedIdps: [] });

beforeAll(async () => {
  fixture = await openStoreFixture();
  store = fixture.store;
  for (const accountId of ['acc_1', 'acc_2']) await addAccount(store, accountId);
  project = await addProject(store, 'acc_1', 'hello');
  neighbour = await addProject(store, 'acc_2', 'hello');
  for (const each of [project, neighbour]) await store.writePlayerAuth(byOperator, each, enabled);
});
afterAll(() => fixture.dispose());

test('only a changed project has its settings read again', async () => {
  const read: string[] = [];
  const clients = createClients({
    store: {
      findAccount: (accountId) => store.findAccount(accountId),
      findProject: (key) => store.findProject(key),
      onAccessChange: (listener) => store.onAccessChange(listener),
      readPlayerAuth: (key) => {
        read.push(playerClientId(key));
        return store.readPlayerAuth(key);
      },
    },
    developerRedirectUris: () => [],
    refreshIdleDays: 30,
  });
  const [client, other] = [playerClientId(project), playerClientId(neighbour)];
  for (let times = 0; times < 2; times++) {
    for (const each of [client, other])
      expect(await clients.known(each)).toMatchObject({ clientId: each, isSuspended: false });
  }
  expect(read.splice(0)).toEqual([client, other]);

  await store.writePlayerAuth(byOperator, neighbour, disabled);
  expect(await clients.known(client)).toMatchObject({ clientId: client, isSuspended: false });
  expect(read).toEqual([]);
  expect(await clients.known(other)).toBeUndefined();

  await store.deleteAccount('acc_1');
  expect(await clients.known(client)).toBeUndefined();
});
