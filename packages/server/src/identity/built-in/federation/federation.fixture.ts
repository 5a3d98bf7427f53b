/** Federation over its own store, with providers whose responses the test chooses. */

import { randomBytes } from 'node:crypto';
import type { IdentityProviderSettings } from '@holdfast/contract';
import type { JWTPayload } from 'jose';
import { type IssuerKey, newIssuerKey, signIdToken } from '../../../../../../tooling/loopback-issuer.ts';
import { addAccount, openStoreFixture } from '../../../access/store.fixture.ts';
import type { Fetch } from '../../../outbound/fetch.ts';
import { createSealer } from '../../../secrets/sealer.ts';
import { type IdentityProviderKey, providerSecretRecord } from '../../../storage/contract/federation.ts';
import type { Store } from '../../../storage/store.ts';
import { byOperator } from '../../../storage/store-suite/records.fixture.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../scripted-upstream.fixture.ts';
import type { Browser } from '../../tickets.ts';
import type { Directory } from '../directory.ts';
import { createFederation, type Federation } from './federation.ts';

export const redirectUriOf = (providerId: string, accountId = 'acc_1') =>
  `https://play.example/authorize/federated/callback/${accountId}/${providerId}`;
export const browser: Browser = ['browser-1'];
export const returnQuery = 'client_id=acc_1.game&state=of%20the%20app';
export const directoryOf = (accountId: string): Directory => ({ kind: 'account', accountId, tenantId: `t-${accountId}` });

export interface Begun {
  /** With which provider. */
  readonly at: IdentityProviderKey;
  readonly location: URL;
  readonly flow: string;
  /** Parameters of the authorization request. */
  readonly request: Readonly<Record<string, string>>;
}

export interface FederationWorld {
  readonly store: Store;
  readonly federation: Federation;
  readonly upstream: ScriptedUpstream;
  readonly key: IssuerKey;
  /** One line for each sign-in that failed. */
  readonly faults: string[];
  /** Milliseconds that the clock is ahead. */
  ahead: number;
  mayUseLoopback: boolean;
  configure(
    providerId: string,
    settings?: Partial<IdentityProviderSettings>,
    secret?: string,
    accountId?: string,
  ): Promise<void>;
  begin(providerId: string, accountId?: string): Promise<Begun>;
  finish(begun: Begun, parameters?: Readonly<Record<string, string>>, who?: Browser): ReturnType<Federation['finish']>;
  /** Makes the upstream an issuer whose token endpoint returns an ID token with these claims, added to the valid ones. */
  issue(issuer: string, claims: () => JWTPayload, header?: Readonly<Record<string, unknown>>): void;
  stop(): Promise<void>;
}

const unset = { clientId: 'our-client', name: null, issuer: null, tenant: null, teamId: null, keyId: null };

/** Opens a world with the accounts `acc_1` and `acc_2`. `fetch` is the scripted one unless another is given. */
export async function openFederationWorld(fetch?: Fetch): Promise<FederationWorld> {
  const fixture = await openStoreFixture();
  for (const accountId of ['acc_1', 'acc_2']) await addAccount(fixture.store, accountId);
  const upstream = await startScriptedUpstream();
  const key = await newIssuerKey('RS256', 'upstream-key');
  const secretKey = randomBytes(32);
  const secrets = createSealer(secretKey, 'identity-provider');
  const faults: string[] = [];
  const now = () => Date.now() + world.ahead;
  const federation = createFederation({
    store: fixture.store,
    developerProviders: [],
    tickets: createSealer(secretKey, 'ticket'),
    secrets,
    redirectUri: ({ accountId, providerId }) => redirectUriOf(providerId, accountId),
    mayUseLoopback: () => world.mayUseLoopback,
    now,
    onFault: (providerId, fault) => faults.push(`${providerId}: ${fault}`),
    fetch: fetch ?? upstream.fetch,
  });
  const world: FederationWorld = {
    store: fixture.store,
    federation,
    upstream,
    key,
    faults,
    ahead: 0,
    mayUseLoopback: false,
    async configure(providerId, given = {}, secret, accountId = 'acc_1') {
      const settings = { ...unset, ...given };
      const record = providerSecretRecord({ accountId, providerId }, settings.issuer);
      const sealedSecret = secret === undefined ? null : secrets.seal(Buffer.from(secret), record);
      const provider = { accountId, providerId, settings, sealedSecret, writtenAt: now() };
      await fixture.store.writeIdentityProvider(byOperator, provider, 32);
    },
    async begin(providerId, accountId = 'acc_1') {
      const outcome = await federation.begin(directoryOf(accountId), { providerId, browser, returnQuery });
      if (outcome.kind !== 'redirect') throw new Error(`the provider is ${outcome.kind}: ${faults.at(-1)}`);
      const location = new URL(outcome.location);
      return {
        at: { accountId, providerId },
        location,
        flow: outcome.flow,
        request: Object.fromEntries(location.searchParams),
      };
    },
    finish({ at, flow, request }, parameters = {}, who = browser) {
      const query = { code: 'code-1', state: request.state as string, ...parameters };
      return federation.finish(at, { parameters: new URLSearchParams(query), flow, browser: who });
    },
    issue(issuer, claims, header) {
      scriptIssuer(upstream, issuer);
      upstream.answers.set(`${issuer}/jwks`, () => ({ body: { keys: [key.publicJwk] } }));
      upstream.answers.set(`${issuer}/token`, async () => {
        const iat = Math.floor(Date.now() / 1000);
        const all = { iss: issuer, aud: 'our-client', sub: 'subject-1', iat, exp: iat + 300, ...claims() };
        return { body: { access_token: 'a', token_type: 'Bearer', id_token: await signIdToken(key, all, header) } };
      });
    },
    async stop() {
      await upstream.stop();
      await fixture.dispose();
    },
  };
  return world;
}

/** Publishes the metadata of an issuer, with these members added to or replacing the valid ones. */
export function scriptIssuer(
  upstream: ScriptedUpstream,
  issuer: string,
  metadata: Readonly<Record<string, unknown>> = {},
): void {
  const body = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...metadata,
  };
  upstream.answers.set(`${issuer}/.well-known/openid-configuration`, () => ({ body }));
}
