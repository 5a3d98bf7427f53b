/**
 * A request's permit: its credential and rights. Checked on arrival, and again before the request changes anything if access has changed in
 * between, so the answer is that of a new request.
 *
 * @see docs/contract.md §3.9
 */
import { storageRetryAfterSeconds } from '@holdfast/contract';
import type { Authenticator } from '../access/authenticate.ts';
import type { Authorizer } from '../access/authorize.ts';
import type { Permit } from '../access/permit.ts';
import type { Awaitable } from '../common/async/awaitable.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { namesProject } from './path-parameters.ts';
import type { RequestContext } from './request-context.ts';
import type { Route } from './router.ts';

/** A request whose route is known. */
export type RoutedRequest = RequestContext & { readonly route: Route };

export interface AccessChecks {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The most times that one request is checked until access is stable: an account whose access changes constantly delays only itself. */
const roundsMax = 20;

/** Refuses a principal that may not access the path's resource. */
export function authorize({ authorizer }: Pick<AccessChecks, 'authorizer'>, context: RoutedRequest): Awaitable<void> {
  const { route, principal, params } = context;
  if (principal === undefined) return undefined;
  const { access: accepted, needs, publishable = false, writesDirectly = false } = route.operation;
  if (params?.accountId === undefined) return authorizer.authorizeItself(principal, { accepted, needs }, publishable);
  if (!namesProject(params)) return authorizer.authorizeAccount(principal, { accepted, needs }, params.accountId);
  const { environment } = params;
  const request = { accepted, needs, key: params, environment, publishable, writesDirectly };
  const isProtected = authorizer.authorizeProject(principal, request);
  if (isProtected instanceof Promise) return noteProtection(context, isProtected);
  context.isProtected = isProtected;
}

async function noteProtection(context: RoutedRequest, isProtected: Promise<boolean>): Promise<void> {
  context.isProtected = await isProtected;
}

/** Whether a request uses a credential that it could lose before it changes anything. */
export const needsPermit = ({ principal, route }: RoutedRequest): boolean =>
  principal !== undefined && route.operation.method !== 'GET';

/** Whether the audit trail records the request: it records direct writes of state in protected environments only. */
export const isRecorded = ({ route, isProtected }: RoutedRequest): boolean =>
  route.operation.audit !== undefined && (route.operation.audit !== 'state.write' || isProtected);

/** Called once the body has arrived: refuses the request if a new one would be refused. */
export function confirm(checks: AccessChecks, context: RoutedRequest): Awaitable<void> {
  return needsPermit(context) && !holds(checks, context) ? checkAgain(checks, context) : undefined;
}

/** Returns the permit of a request that has passed all checks. Anything concluded from its role since then must remain true. */
export const permitOf = (checks: AccessChecks, context: RoutedRequest): Permit => new RequestPermit(checks, context);

class RequestPermit implements Permit {
  readonly #checks: AccessChecks;
  readonly #context: RoutedRequest;

  constructor(checks: AccessChecks, context: RoutedRequest) {
    this.#checks = checks;
    this.#context = context;
  }

  holds(): boolean {
    return holds(this.#checks, this.#context);
  }

  async renew(): Promise<void> {
    const before = conclusionOf(this.#context);
    await checkAgain(this.#checks, this.#context);
    if (conclusionOf(this.#context) !== before) throw accessChanged();
  }
}

/** Whether no access has changed since the request was checked, and its credential has not expired. */
const holds = ({ authenticator, now }: AccessChecks, { checkedAt, principal }: RoutedRequest): boolean =>
  checkedAt === authenticator.changes && principal !== undefined && now() < principal.expiresAtMs;

async function checkAgain(checks: AccessChecks, context: RoutedRequest): Promise<void> {
  const { authenticator } = checks;
  for (let round = 0; round < roundsMax; round++) {
    const { changes } = authenticator;
    context.principal = await authenticator.authenticate(context.authorization, context.route.operation.access);
    await authorize(checks, context);
    context.checkedAt = changes;
    if (changes === authenticator.changes) return;
  }
  throw accessChanged();
}

/** Facts that a handler may have relied on: the principal's authority, and whether the environment is protected. */
const conclusionOf = ({ principal, isProtected }: RoutedRequest): string =>
  JSON.stringify([isProtected, principal && 'role' in principal && [principal.role, principal.environments]]);

const accessChanged = (): Refusal =>
  new Refusal('service_unavailable', 'access to the account has changed, and nothing was written: repeat the request', {
    retryAfterSeconds: storageRetryAfterSeconds,
  });
