/** The operator of the besieged server, who creates accounts and tokens for anybody. */

import type { Environment } from '@holdfast/contract';
import { withOperator } from '../../packages/server/src/cli/operator.ts';
import { readConfig } from '../../packages/server/src/config/config.ts';
import { createAccount } from '../../packages/server/src/management/accounts.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { addressOf, type Credentials, createProject, type ProjectPlace } from '../../tooling/credentials.ts';

const tokenSeconds = 24 * 60 * 60;
/** The project of every account created here. */
const slug = 'siege';

export interface Operator {
  /** Makes an account with a project. */
  newAccount(name: string): Promise<Credentials>;
  /** Limits the monthly API requests of an account. */
  limitRequests(accountId: string, most: number): Promise<void>;
  /** Opens private networks to the webhooks of an account. */
  openNetworks(accountId: string, networks: readonly string[]): Promise<void>;
  /** A token of a developer of the account; each subject is a different developer. */
  developerToken(accountId: string, subject: string): Promise<string>;
  /** A token of a player, by default in the environment `development` and for a day. */
  playerToken(project: ProjectPlace, userId: string, environment?: Environment, seconds?: number): Promise<string>;
}

/** Returns the operator of the server at `baseUrl` with these settings. Rejects if they do not fit the server. */
export async function openOperator(baseUrl: string, settings: Readonly<Record<string, string>>): Promise<Operator> {
  const read = readConfig({ ...settings, SVC_BASE_URL: baseUrl });
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const { config } = read;
  const signer = await withOperator(config, async (_store, keyring) => keyring().accessTokens.signer());
  const seconds = tokenSeconds;
  return {
    async newAccount(name) {
      const { accountId } = await withOperator(config, (store) => createAccount(store, { name }, Date.now()));
      const developerToken = signer.signDeveloperToken({ accountId, subject: 'operator', actsAs: 'operator', seconds });
      const known = { ...addressOf(baseUrl), accountId, slug, developerToken };
      return { ...known, apiKey: await createProject(known, slug) };
    },
    limitRequests: (accountId, most) =>
      withOperator(
        config,
        async (store) => void (await store.writeOwnLimits(byOperator, accountId, { apiRequests: most })),
      ),
    openNetworks: (accountId, networks) =>
      withOperator(config, async (store) => void (await store.writeWebhookNetworks(byOperator, accountId, networks))),
    developerToken: async (accountId, subject) =>
      signer.signDeveloperToken({ accountId, subject, actsAs: 'operator', seconds }),
    playerToken: async ({ accountId, slug: project }, userId, environment = 'development', lifetime = seconds) =>
      signer.signPlayerToken({ accountId, slug: project, environment, userId, seconds: lifetime }),
  };
}
