/** Reads everything from a store that `migrate-store.fixture.ts` filled. */
import { builtInIssuerName } from '../../storage/contract/identity.ts';
import { publicScope } from '../../storage/contract/repeats.ts';
import type { Store } from '../../storage/store.ts';
import {
  accounts,
  environments,
  families,
  hashOf,
  type Key,
  monthStartsAt,
  now,
  projects,
  repeatOf,
  texts,
} from './migrate-store.fixture.ts';
import { readPlayers } from './players.fixture.ts';
import { askSchemas } from './schemas.fixture.ts';

/** Calls every read that changes nothing, and returns the results as one value. */
export async function readStore(store: Store): Promise<unknown> {
  const answers: Record<string, unknown> = {};
  const ask = async (name: string, answer: unknown) => {
    answers[name] = await answer;
  };
  await ask('accounts', store.listAccounts({ after: null, itemsMax: 100 }));
  for (const accountId of [...accounts, 'acc_gone', 'acc_dev', 'acc_other', 'acc_more']) {
    await ask(`account ${accountId}`, store.findAccount(accountId));
    await ask(`projects ${accountId}`, store.listProjects(accountId, { after: null, itemsMax: 100 }));
    await ask(`usage ${accountId}`, store.readUsage(accountId, monthStartsAt));
    await ask(`days ${accountId}`, store.readDailyRequests(accountId, 0));
    const first = { dayStartsAt: 0, slug: '', caller: '', code: '' };
    await ask(`figures ${accountId}`, store.listRequestFigures(accountId, first, 100));
    await ask(`usage before ${accountId}`, store.readUsage(accountId, Date.UTC(2026, 9, 1)));
    await ask(`providers ${accountId}`, store.listIdentityProviders(accountId));
    await ask(`service accounts ${accountId}`, store.listServiceAccounts(accountId));
    await ask(`users ${accountId}`, store.listUsers(accountId, { after: null, itemsMax: 100 }));
  }
  for (const [index, [accountId, slug]] of [...projects, ['acc_gamma', 'brief'] as const].entries()) {
    const key = { accountId, slug };
    await ask(`players ${index}`, readPlayers(store, key, now));
    await ask(`auth ${index}`, store.readPlayerAuth(key));
    await ask(`keys ${index}`, store.listApiKeys(key, 1_000));
    for (const number of [1, 2, 3]) await ask(`key ${index} ${number}`, store.findApiKey(hashOf(`key ${index} ${number}`)));
    for (const environment of environments) await askStates(ask, store, { ...key, environment });
  }
  await ask('kept keys', store.listKeptKeys());
  await ask('mark of the clock', store.readClockMark());
  await askIdentities(ask, store);
  return answers;
}

const retention = { versionsMax: 1_000, keptAfter: 0 };

type Ask = (name: string, answer: unknown) => Promise<void>;

async function askStates(ask: Ask, store: Store, key: Key): Promise<void> {
  const name = `${key.accountId}/${key.slug}/${key.environment}`;
  await ask(`state ${name}`, store.readPublicState(key));
  for (const version of [1, 8, 64, 65, 140]) await ask(`v${version} ${name}`, store.readPublicStateVersion(key, version));
  await ask(`versions ${name}`, store.listPublicStateVersions(key, { before: null, charactersMax: 10 ** 9 }));
  const { createdAt = 0 } = (await store.findProject(key)) ?? {};
  for (const n of [0, 1, 7, 133]) {
    await ask(`repeat ${n} ${name}`, store.findRepeat(key.accountId, repeatOf(publicScope(key, createdAt), n)));
  }
  for (const before of [null, 100]) {
    await ask(`history ${before} ${name}`, store.listPublicStateHistory(key, { before, itemsMax: 200 }));
  }
  for (const playerId of [...texts, 'ada', 'bob', 'early', 'deleted']) {
    const userState = { ...key, playerId };
    await ask(`user ${name} ${playerId}`, store.readUserState(userState));
    await ask(
      `history ${name} ${playerId}`,
      store.listUserStateHistory(userState, { before: null, itemsMax: 2_000, retention }),
    );
    const portion = { before: null, charactersMax: 10 ** 6, retention };
    await ask(`versions ${name} ${playerId}`, store.listUserStateVersions(userState, portion));
  }
  const listed = await store.listUserStates(key, { after: null, itemsMax: 100 });
  await ask(`users ${name}`, listed);
}

async function askIdentities(ask: Ask, store: Store): Promise<void> {
  for (const purpose of ['access_token', 'id_token'] as const)
    await ask(`signing ${purpose}`, store.listSigningKeys(purpose));
  for (const accountId of ['acc_alpha', null]) {
    for (const name of ['ada', 'bob', 'federated']) {
      await ask(`user ${accountId} ${name}`, store.findUser(accountId, `usr_${name}`));
      await ask(`passkeys ${accountId} ${name}`, store.listPasskeys(accountId, `usr_${name}`));
      await ask(`second factor ${accountId} ${name}`, store.findSecondFactor(accountId, `usr_${name}`));
    }
    await ask(`by email ${accountId}`, store.findUserByEmail(accountId, 'ada@example.com'));
    await ask(`sign-up ${accountId}`, store.findSignUpByEmail(accountId, 'cyd@example.com', now));
    for (const number of [1, 2])
      await ask(`waiting ${accountId} ${number}`, store.findSignUp(hashOf(`waiting ${accountId} ${number}`), now));
    await ask(`reset ${accountId}`, store.findPasswordReset(hashOf(`reset ${accountId}`), now));
    await ask(`passkey ${accountId}`, store.findPasskey({ accountId, credentialId: 'credential-2' }));
  }
  await ask('developer', store.findDeveloper(builtInIssuerName, 'usr_ada'));
  for (const accountId of ['acc_dev', 'acc_other']) await ask(`members ${accountId}`, store.listMembers(accountId));
  await ask('invitations', store.listInvitations('acc_dev', now));
  await askSchemas(ask, store);
  await ask('other developer', store.findDeveloper('https://issuer.example', texts[3]));
  for (const code of ['unspent', 'unspent developer', ...families.map((family) => `code ${family}`)]) {
    await ask(code, store.findAuthorizationCode(hashOf(code), now));
  }
  for (const family of families) await ask(`family ${family}`, store.findRefreshFamily(family, now));
}
