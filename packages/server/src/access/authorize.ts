/**
 * Whether a principal may do what it requests.
 *
 * @see docs/contract.md §3.2 and §3.3
 */

import { type CredentialKind, type Environment, type Power, powerNames, yieldsToProtection } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { credentialRejected } from '../common/requests/challenge.ts';
import { forbidden, noAccount, noProject, Refusal } from '../common/requests/refusal.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import { requirePower, requireProtected } from './authorities.ts';
import type { ApiKeyPrincipal, PlayerPrincipal, Principal } from './principal.ts';
import type { KnownProject, ProjectCache } from './project-cache.ts';
import { isIssuedBefore } from './rules/token-age.ts';

/** What a route accepts. */
interface RouteAccess {
  /** The kinds of credential that the route takes. */
  readonly accepted: readonly CredentialKind[];
  /** The power that a developer needs; undefined if no developer may use the route. */
  readonly needs: Power | undefined;
}

interface ProjectRequest extends RouteAccess {
  readonly key: ProjectKey;
  /** The environment in the path, if any. */
  readonly environment: Environment | undefined;
  /** Whether a publishable API key may use the route. */
  readonly publishable: boolean;
  /** Whether it writes public state without a proposal. */
  readonly writesDirectly?: boolean;
}

/**
 * The only user state that a player can reach: its own, in the environment of its token. The path has already been compared with the token.
 *
 * @see docs/contract.md §6.2
 */
export function ownState(path: PublicStateKey, { userId }: PlayerPrincipal): UserStateKey {
  return { ...path, playerId: userId };
}

export interface Authorizer {
  /**
   * Returns if the principal may do this in the project; synchronously if everything needed is remembered. The result is whether it changes
   * something protected, and so must give a reason. Throws (or rejects with) `forbidden`, `approval_required`, `not_found` for an account or project that does
   * not exist, or `unauthorized` for a token of a project that was deleted and created again.
   */
  authorizeProject(principal: Principal, request: ProjectRequest): Awaitable<boolean>;
  /** Whether the principal may still read the environment. Throws (or rejects) as `authorizeProject`. */
  authorizeReader(principal: Principal, key: PublicStateKey): Awaitable<void>;
  /** The same for a route of the account. */
  authorizeAccount(principal: Principal, route: RouteAccess, accountId: string): Awaitable<void>;
  /** The same for a route that names neither. Also throws `forbidden` for a publishable API key where none is accepted. */
  authorizeItself(principal: Principal, route: RouteAccess, publishable: boolean): void;
}

/** Returns an authorizer that asks `projectCache` which accounts and projects exist. */
export function createAuthorizer(projectCache: ProjectCache): Authorizer {
  /** Refuses another account as forbidden, and one that does not exist as not found. */
  const refuseAccount = async (accountId: string): Promise<never> => {
    const exists = (await projectCache.standingOf(accountId)) !== undefined;
    throw exists ? forbidden(`the token is not valid for the account ${quoted(accountId)}`) : noAccount(accountId);
  };

  /** Whether the request changes something protected in the project, which must exist. */
  const requireProject = (principal: Principal, request: ProjectRequest): Awaitable<boolean> =>
    mapAwaitable(projectCache.findProject(request.key), (project) => {
      if (project === undefined) throw noProject(request.key);
      if (principal.kind === 'end_user' && isIssuedBefore(project.createdAt, principal.issuedAtMs))
        throw credentialRejected('the token was issued before the project was created');
      refuseUnapproved(project, request);
      return isProtected(project, request) && requireProtected(principal, request.needs, request.environment);
    });

  const authorizer: Authorizer = {
    authorizeProject(principal, request) {
      requireKind(principal, request.accepted);
      const { key } = request;
      switch (principal.kind) {
        case 'api_key':
          // It was found with its project, so the project exists.
          authorizeApiKey(principal, request);
          refuseUnapproved(principal, request);
          return isProtected(principal, request) && requireProtected(principal, request.needs, request.environment);
        case 'end_user':
          authorizePlayer(principal, request);
          return requireProject(principal, request);
        case 'developer':
          if (principal.accountId !== key.accountId) return refuseAccount(key.accountId);
          requirePower(principal, request.needs, request.environment);
          return requireProject(principal, request);
      }
    },
    async authorizeReader(principal, key) {
      const { environment } = key;
      await authorizer.authorizeProject(principal, {
        accepted: [principal.kind],
        key,
        environment,
        needs: 'read',
        publishable: true,
      });
    },
    authorizeAccount(principal, { accepted, needs }, accountId) {
      requireKind(principal, accepted);
      if (principal.kind !== 'developer') throw forbidden('only developers can use this route');
      if (principal.accountId !== accountId) return refuseAccount(accountId);
      return requirePower(principal, needs, undefined);
    },
    authorizeItself(principal, { accepted, needs }, publishable) {
      requireKind(principal, accepted);
      if (principal.kind === 'developer') requirePower(principal, needs, undefined);
      if (principal.kind === 'api_key' && !publishable) requireSecret(principal);
    },
  };
  return authorizer;
}

function requireKind(principal: Principal, accepted: readonly CredentialKind[]): void {
  if (!accepted.includes(principal.kind)) {
    throw forbidden(`this route does not take ${credentialNames[principal.kind]}; it takes ${accepted.join(' or ')}`);
  }
}

/** A request that protection can refuse. */
interface GuardedRequest extends ProjectRequest {
  readonly needs: Power;
  readonly environment: Environment;
}

const guardedPowers: ReadonlySet<Power | undefined> = new Set(powerNames.filter(yieldsToProtection));

const isGuarded = (request: ProjectRequest): request is GuardedRequest =>
  guardedPowers.has(request.needs) && request.environment !== undefined;

/** Whether a request changes something protected in its project. */
const isProtected = (
  { protectedEnvironments }: Pick<KnownProject, 'protectedEnvironments'>,
  request: ProjectRequest,
): request is GuardedRequest =>
  protectedEnvironments.length > 0 && isGuarded(request) && protectedEnvironments.includes(request.environment);

/** Refuses a write where public state changes only through approved proposals. */
function refuseUnapproved(
  { approvedEnvironments }: Pick<KnownProject, 'approvedEnvironments'>,
  { environment, writesDirectly }: ProjectRequest,
): void {
  if (writesDirectly !== true || environment === undefined || !approvedEnvironments.includes(environment)) return;
  throw new Refusal(
    'approval_required',
    `changes in the environment ${environment} need approval by other people: propose this one, at …/public-state/${environment}/proposals`,
  );
}

function authorizeApiKey(principal: ApiKeyPrincipal, request: ProjectRequest): void {
  const { key, environment, needs, publishable } = request;
  if (principal.accountId !== key.accountId || principal.slug !== key.slug) {
    throw new Refusal('forbidden', 'the API key belongs to another project', { emptyBody: true });
  }
  if (!publishable) requireSecret(principal);
  if (environment !== undefined && !principal.environments.includes(environment)) {
    throw forbidden(`the API key ${principal.start}… is not valid for the environment ${environment}`);
  }
  if (needs !== 'read' && principal.access !== 'write') throw forbidden(`the API key ${principal.start}… may only read`);
}

function requireSecret({ keyKind, start }: ApiKeyPrincipal): void {
  if (keyKind === 'publishable') {
    throw forbidden(
      `the API key ${start}… is publishable: it reads the current public state, its changes, its flags and what it is itself`,
    );
  }
}

function authorizePlayer(principal: PlayerPrincipal, { key, environment }: ProjectRequest): void {
  if (
    principal.accountId !== key.accountId ||
    principal.slug !== key.slug ||
    (environment !== undefined && principal.environment !== environment)
  ) {
    throw forbidden('the token belongs to another project or environment');
  }
}

const credentialNames = {
  developer: 'a developer token',
  end_user: 'an end-user token',
  api_key: 'an API key',
} as const satisfies Record<CredentialKind, string>;
