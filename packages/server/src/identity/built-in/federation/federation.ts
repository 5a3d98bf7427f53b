/**
 * Sign-in through the identity providers that an account has configured. Provider, issuer and subject identify a user; an address never
 * does.
 */

import { hash } from 'node:crypto';
import type { OfferedProvider } from '@holdfast/contract';
import { LRUCache } from 'lru-cache';
import { randomIdentifier } from '../../../common/ids/base62.ts';
import type { Sealer } from '../../../common/secrets/sealer.ts';
import {
  type IdentityProvider,
  type IdentityProviderKey,
  providerSecretRecord,
} from '../../../storage/contract/federation.ts';
import type { ProviderLink } from '../../../storage/contract/sessions.ts';
import type { Store } from '../../../storage/store.ts';
import { type Browser, createTickets, type Tickets } from '../../tickets.ts';
import {
  beginCodeFlow,
  type Connection,
  describeFault,
  finishCodeFlow,
  keptConnection,
  type NetworkAccess,
  type RefusedReason,
  refusedReason,
} from '../../upstream-client.ts';
import {
  type AuthorizationFlow,
  type BeginOutcome,
  type Expired,
  openReturned,
  type Refused,
  type Returned,
  redirectAway,
} from '../../upstream-round-trip.ts';
import type { Directory, Person } from '../directory.ts';
import { type Preset, presetOf, providerName } from './presets.ts';
import type { UpstreamProfile } from './upstream-profile.ts';

export type FinishOutcome =
  | {
      readonly kind: 'signed_in';
      readonly directory: Directory;
      readonly person: Person;
      readonly providerId: string;
      readonly returnQuery: string;
    }
  /** A user who wanted to add a sign-in method. No sign-in took place. */
  | { readonly kind: 'proven'; readonly link: ProviderLink; readonly linkTo: string; readonly returnQuery: string }
  /** No user has this identity, and none was to be created. */
  | { readonly kind: 'unknown'; readonly returnQuery: string }
  | Refused
  | Expired;

interface FederationStart {
  readonly providerId: string;
  readonly browser: Browser;
  readonly returnQuery: string;
  /** The browser's user, who adds the identity as a sign-in method. If left out, the owner of the identity signs in. */
  readonly linkTo?: string;
  /** Whether an identity without a user creates one. Default: true. */
  readonly mayCreate?: boolean;
}

export interface Federation {
  /** Configured providers of the directory, ordered by id. */
  providersOf(directory: Directory): Promise<readonly OfferedProvider[]>;
  /** `unavailable` if the directory has no such provider or it cannot be reached. */
  begin(directory: Directory, start: FederationStart): Promise<BeginOutcome>;
  /** `at` is the provider whose redirect URI received the browser. */
  finish(at: IdentityProviderKey, returned: Returned): Promise<FinishOutcome>;
}

/** A provider whose secret is not in the store. */
export interface ConfiguredProvider extends IdentityProvider {
  readonly secret: string | null;
}

export interface FederationOptions {
  readonly store: Pick<Store, 'listIdentityProviders' | 'findIdentityProvider' | 'signInFederatedUser' | 'spendTicket'>;
  /** The providers for developers, configured by the operator, ordered by id. */
  readonly developerProviders: readonly ConfiguredProvider[];
  /** Seals flows that the browser carries. */
  readonly tickets: Sealer;
  /** Opens the secrets of providers. */
  readonly secrets: Pick<Sealer, 'open'>;
  /**
   * Each provider has its own redirect URI. If they shared one, the operator of one provider could send people to another provider, receive
   * its code, and sign in as them.
   *
   * @see RFC 9700 §4.4
   */
  readonly redirectUri: (provider: IdentityProviderKey) => string;
  /** Whether a provider may be on this machine and without TLS. */
  readonly mayUseLoopback: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called with the reason why a sign-in failed, in one line. */
  readonly onFault: (providerId: string, fault: string) => void;
  readonly fetch?: NetworkAccess['fetch'];
}

/** Replaces the account in redirect URIs of the developers' providers. Account ids are longer. */
export const developersAccountId = 'acc_developers';

/** Data of a flow in addition to the return query. */
interface FederatedFlow extends AuthorizationFlow {
  readonly accountId: string;
  /** Undefined for developers. */
  readonly tenantId: string | undefined;
  readonly providerId: string;
  readonly mayCreate: boolean;
  readonly linkTo?: string | undefined;
  /** The settings with which it began. */
  readonly fingerprint: string;
}

interface Connected {
  readonly preset: Preset;
  readonly connection: Connection;
  readonly fingerprint: string;
}

/** Shared by both halves of a flow. */
interface FlowParts extends FederationOptions {
  readonly flows: Tickets<FederatedFlow>;
  readonly connected: (provider: IdentityProvider) => Promise<Connected>;
}

/** Returns sign-in through configured providers. */
export function createFederation(options: FederationOptions): Federation {
  const { store, now } = options;
  const flows = createTickets<FederatedFlow>({ ...options.tickets, kind: 'federation', store, now });
  const parts = { ...options, flows, connected: connections(options) };
  return {
    async providersOf(directory) {
      const providers =
        directory.kind === 'developers'
          ? options.developerProviders
          : await store.listIdentityProviders(directory.accountId);
      return providers.map(({ providerId: id, settings }) => ({ id, name: providerName(id, settings) }));
    },
    begin: (directory, start) => begin(parts, directory, start),
    finish: (at, returned) => finish(parts, at, returned),
  };
}

async function begin(
  parts: FlowParts,
  directory: Directory,
  { providerId, browser, returnQuery, linkTo, mayCreate = true }: FederationStart,
): Promise<BeginOutcome> {
  const { flows, connected, redirectUri, onFault } = parts;
  const isOfAccount = directory.kind === 'account';
  const accountId = isOfAccount ? directory.accountId : developersAccountId;
  const tenantId = isOfAccount ? directory.tenantId : undefined;
  const provider = await findProvider(parts, { accountId, providerId });
  if (provider === undefined) return { kind: 'unavailable' };
  try {
    const { preset, connection, fingerprint } = await connected(provider);
    const parameters = { redirect_uri: redirectUri(provider), ...preset.parameters };
    const { location, flow } = await beginCodeFlow(connection, parameters);
    const content = { ...flow, accountId, tenantId, providerId, fingerprint, returnQuery, linkTo, mayCreate };
    return redirectAway(flows, browser, location, content);
  } catch (fault) {
    onFault(providerId, describeFault(fault));
    return { kind: 'unavailable' };
  }
}

async function finish(parts: FlowParts, at: IdentityProviderKey, returned: Returned): Promise<FinishOutcome> {
  const opened = await openReturned(
    parts.flows,
    returned,
    ({ accountId, providerId }) => accountId === at.accountId && providerId === at.providerId,
  );
  if (opened.kind !== 'returned') return opened;
  const { accountId, tenantId, providerId, returnQuery, linkTo, mayCreate } = opened.flow;
  const refused = (reason: RefusedReason): Refused => ({ kind: 'refused', returnQuery, reason });
  const provider = await findProvider(parts, { accountId, providerId });
  if (provider === undefined) return refused('unavailable');
  let profile: UpstreamProfile;
  try {
    profile = await readProfile(parts, provider, opened.flow, returned.parameters);
  } catch (fault) {
    parts.onFault(providerId, describeFault(fault));
    return refused(refusedReason(fault));
  }
  if (linkTo !== undefined) {
    const { issuer, subject } = profile;
    return { kind: 'proven', link: { providerId, issuer, subject }, linkTo, returnQuery };
  }
  const person = await signIn(parts, provider, profile, mayCreate);
  if (person === 'unknown') return { kind: 'unknown', returnQuery };
  if (person === undefined) return refused('unavailable');
  const directory: Directory = tenantId === undefined ? { kind: 'developers' } : { kind: 'account', accountId, tenantId };
  return { kind: 'signed_in', directory, person, providerId, returnQuery };
}

const findProvider = async ({ store, developerProviders }: FlowParts, key: IdentityProviderKey) =>
  key.accountId === developersAccountId
    ? developerProviders.find(({ providerId }) => providerId === key.providerId)
    : store.findIdentityProvider(key);

/** How many providers have a kept connection. */
const providersMax = 200;

/** Returns the connection to a provider, kept until the settings change. */
function connections({ secrets, mayUseLoopback, now, fetch = globalThis.fetch }: FederationOptions) {
  const known = new LRUCache<string, () => Promise<Connection>>({ max: providersMax });
  return async (provider: IdentityProvider | ConfiguredProvider): Promise<Connected> => {
    const { accountId, providerId, settings, sealedSecret, updatedAt } = provider;
    const configured = 'secret' in provider ? provider.secret : undefined;
    const preset = presetOf(providerId, settings);
    if (preset === undefined) throw new Error('the settings of the provider are incomplete');
    const fingerprint = hash(
      'sha256',
      JSON.stringify([
        accountId,
        providerId,
        settings,
        updatedAt,
        Buffer.from(sealedSecret ?? []).toString('base64'),
        configured,
      ]),
      'base64url',
    );
    const make = async () => {
      const network: NetworkAccess = { fetch, mayUseLoopback: mayUseLoopback() };
      const record = providerSecretRecord(provider, settings.issuer);
      const stored = configured ?? (sealedSecret && Buffer.from(secrets.open(sealedSecret, record)).toString('utf8'));
      return preset.connect({ clientId: settings.clientId, stored, network, now });
    };
    const connected = known.get(fingerprint) ?? keptConnection(make, now);
    known.set(fingerprint, connected);
    return { preset, connection: await connected(), fingerprint };
  };
}

/** Returns the profile of the code's user; rejects if any check fails. */
async function readProfile(
  { connected, redirectUri }: FlowParts,
  provider: IdentityProvider,
  flow: FederatedFlow,
  parameters: URLSearchParams,
): Promise<UpstreamProfile> {
  const { preset, connection, fingerprint } = await connected(provider);
  if (fingerprint !== flow.fingerprint) throw new Error('the provider was configured again meanwhile');
  const tokens = await finishCodeFlow(connection, { redirectUri: redirectUri(provider), parameters, flow });
  return preset.readProfile(tokens, connection, parameters.get('user'));
}

/** Returns the user of this identity, creating one if that is allowed; undefined if the account was deleted. */
async function signIn(
  { store, now }: FederationOptions,
  { accountId, providerId }: IdentityProvider,
  { issuer, subject, email, emailVerified, name }: UpstreamProfile,
  mayCreate: boolean,
): Promise<Person | 'unknown' | undefined> {
  const created = mayCreate ? { userId: `usr_${randomIdentifier()}`, createdAt: now() } : undefined;
  const directoryId = accountId === developersAccountId ? null : accountId;
  const identity = { accountId: directoryId, providerId, issuer, subject };
  const user = await store.signInFederatedUser(identity, { email, name }, created);
  if (user === 'no_account') return undefined;
  if (user === 'unknown') return user;
  const { isEmailProven, ...person } = user;
  // The provider's statement holds only for the address that it names.
  return { ...person, emailVerified: isEmailProven || (emailVerified && person.email === email) };
}
