/**
 * The authorization endpoint: the login page's settings for a client, and the redirect back to it with a code.
 *
 * @see docs/contract.md §7.3 and §7.4, RFC 6749 §4.1, RFC 7636, RFC 9700 §4
 */

import { type AuthorizeContextBody, authorizeStateCharactersMax, type Environment } from '@holdfast/contract';
import type { Static } from 'typebox';
import { outsideAmr } from '../access/rules/account-status.ts';
import { developerScope, parseScope, playerScope } from '../common/ids/client-id.ts';
import { isSubject } from '../common/ids/player-id.ts';
import { type Parameters, readParameters } from '../common/requests/form-parameters.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { IdTokenVerification, VerifiedIdToken } from '../common/secrets/id-token-verification.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { Store } from '../storage/store.ts';
import { issueCode } from './authorization-code.ts';
import type { Client, Clients, PlayerClient } from './clients.ts';
import { createDeveloperSignIn, type DeveloperAdmission, type DeveloperSignInOptions } from './developer-sign-in.ts';
import { type PlayerSignInStore, projectGone, signInPlayer } from './player-sign-in.ts';
import {
  type AuthorizeError,
  type ClientReturn,
  codeLocation,
  Denial,
  denied,
  errorLocation,
  type SignedInAs,
} from './redirect.ts';
import { isRegistered } from './redirect-match.ts';
import type { RejectedParameter } from './rejected-parameters.ts';

/** Base64url of a SHA-256. @see RFC 7636 §4.2 */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

export interface AuthorizeOptions extends Omit<DeveloperSignInOptions, 'store' | 'idTokens'> {
  readonly store: Pick<Store, 'addAuthorizationCode'> & PlayerSignInStore & DeveloperSignInOptions['store'];
  readonly clients: Clients;
  readonly idTokens: { readonly issuer: string; verify(idToken: string): Promise<IdTokenVerification> };
  /** Whether people sign in at an outside issuer, which decides what they must prove. */
  readonly isOutsideIssuer: boolean;
  /** Called with an unregistered redirect URI, or an unknown scope. */
  readonly onRejectedParameter: (client: Client, parameter: RejectedParameter) => void;
  /** The base URL. */
  readonly issuer: () => string;
}

export type AuthorizeOutcome =
  | {
      readonly kind: 'redirect';
      readonly location: string;
      /** The invitation in the form has been used to join: it is used up, even if no code was issued. */
      readonly isInvitationUsed?: boolean;
    }
  /** There is no client to return to, or no trusted redirect URI. */
  | ErrorPage;
interface ErrorPage {
  readonly kind: 'error_page';
  readonly fault: 'client' | 'redirect_uri';
  readonly message: string;
}

/** An authorization request that can be answered with a sign-in. */
export interface AuthorizationRequest {
  readonly kind: 'request';
  readonly client: Client;
  readonly redirectUri: string;
  /** Null for developers. */
  readonly environment: Environment | null;
  /** As sent back to the client. */
  readonly state: string | undefined;
}

type AuthorizeContext = Static<typeof AuthorizeContextBody>;

export interface Authorize {
  /**
   * Returns the login page's settings, and stores nothing. `query` is form-encoded. Throws `not_found` for a client that does not exist or
   * is switched off, and `validation_error` for any other parameter that breaks a rule.
   */
  readContext(query: string): Promise<AuthorizeContext>;
  /**
   * Checks the authorization request with which a client sends a browser to the login page. `query` is form-encoded. Any other outcome is
   * the result of `complete` for its faults. Throws only `StoreUnavailable`.
   */
  check(query: string): Promise<AuthorizationRequest | AuthorizeOutcome>;
  /** Returns a client whose people can sign in, or undefined. */
  findClient(clientId: string): Promise<Client | undefined>;
  /** Finishes a hosted login. `form` is form-encoded. Throws only `StoreUnavailable`. */
  complete(form: string | URLSearchParams, by: ChangedBy): Promise<AuthorizeOutcome>;
}

/** Returns the authorization endpoint. */
export function createAuthorize(options: AuthorizeOptions): Authorize {
  const { clients, issuer, onRejectedParameter } = options;
  const signInDeveloper = createDeveloperSignIn(options);

  async function admit(
    client: Client,
    person: VerifiedIdToken,
    form: Parameters,
    by: ChangedBy,
  ): Promise<DeveloperAdmission> {
    if (client.kind === 'developer') {
      return signInDeveloper(by, person, { invitation: form.get('invitation'), accountId: form.get('account_id') });
    }
    return { as: await signInPlayer(options.store, client, person, options.now()), isInvitationUsed: false };
  }

  /** Returns the client and the action, or a redirect instead. */
  async function checkRequest(parameters: Parameters): Promise<AuthorizationRequest | AuthorizeOutcome> {
    const client = await clients.find(parameters.get('client_id') ?? '');
    if (client === undefined || parameters.repeated.has('client_id')) return unknownClient;
    const redirectUri = parameters.get('redirect_uri') ?? '';
    if (!isRegistered(client, redirectUri) || parameters.repeated.has('redirect_uri')) {
      onRejectedParameter(client, { kind: 'redirect_uri', value: redirectUri });
      return unregisteredUri;
    }
    const state = echoedState(parameters);
    const deny = (error: AuthorizeError, description: string): AuthorizeOutcome =>
      redirectTo(errorLocation({ redirectUri, state, issuer: issuer() }, error, description));
    if (parameters.repeated.size > 0) return deny('invalid_request', 'a parameter is repeated');
    const fault = stateFault(parameters) ?? challengeFault(parameters);
    if (fault !== undefined) return deny('invalid_request', fault);
    const environment = client.kind === 'end_user' ? parseScope(parameters.get('scope')) : null;
    if (environment === undefined) {
      onRejectedParameter(client, { kind: 'scope', value: parameters.get('scope') ?? '' });
      return deny('invalid_scope', 'the scope is not env:{environment}');
    }
    const responseType = parameters.get('response_type') ?? 'code';
    if (responseType !== 'code') return deny('unsupported_response_type', 'response_type is not code');
    return { kind: 'request', client, redirectUri, environment, state };
  }

  return {
    check: (query) => checkRequest(readParameters(query)),
    findClient: (clientId) => clients.find(clientId),

    readContext: (query) => readSignInContext(options, query),

    async complete(body, by) {
      const form = readParameters(body);
      const request = await checkRequest(form);
      if (request.kind !== 'request') return request;
      const to: ClientReturn = { ...request, issuer: issuer() };
      const back = (result: string | Denial, isInvitationUsed = false): AuthorizeOutcome => ({
        kind: 'redirect',
        location: result instanceof Denial ? errorLocation(to, result.error, result.description) : codeLocation(to, result),
        isInvitationUsed,
      });
      const person = await identify(options, form.get('idp_id_token'));
      if (person instanceof Denial) return back(person);
      const { as, isInvitationUsed } = await admit(request.client, person, form, by);
      return back(as instanceof Denial ? as : await codeFor(options, request, person, as, form), isInvitationUsed);
    },
  };
}

/** Returns the person of an ID token. An outside issuer decides itself what people must prove. */
async function identify(
  { idTokens, isOutsideIssuer }: Pick<AuthorizeOptions, 'idTokens' | 'isOutsideIssuer'>,
  idToken: string | undefined,
): Promise<VerifiedIdToken | Denial> {
  if (idToken === undefined) return denied('the ID token is missing');
  const person = await idTokens.verify(idToken);
  if (person.kind === 'rejected') return denied(person.reason);
  if (!isSubject(person.subject)) return denied('the subject of the ID token is not a valid id');
  return isOutsideIssuer ? { ...person, amr: outsideAmr } : person;
}

/** Returns a code for somebody who has signed in. */
async function codeFor(
  { store, now }: Pick<AuthorizeOptions, 'store' | 'now'>,
  { client, environment, redirectUri }: AuthorizationRequest,
  { email, name, amr }: VerifiedIdToken,
  as: SignedInAs,
  form: Parameters,
): Promise<string | Denial> {
  const bound = {
    ...as,
    environment,
    clientId: client.clientId,
    scope: environment === null ? developerScope : playerScope(environment),
    email,
    name,
    amr,
    redirectUri,
    codeChallenge: form.get('code_challenge') as string,
  };
  return (await issueCode(store, bound, now())) ?? projectGone;
}

/** Returns the login page's settings. Throws like `readContext`. */
async function readSignInContext(
  { clients, onRejectedParameter }: Pick<AuthorizeOptions, 'clients' | 'onRejectedParameter'>,
  query: string,
): Promise<AuthorizeContext> {
  const parameters = readParameters(query);
  const [repeated] = parameters.repeated;
  if (repeated !== undefined) throw invalid(`the parameter ${quoted(repeated)} is repeated`);
  const clientId = parameters.get('client_id');
  if (clientId === undefined) throw invalid('the parameter client_id is missing');
  const client = await clients.demand(clientId);
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined) throw invalid('the parameter redirect_uri is missing');
  if (!isRegistered(client, redirectUri)) {
    onRejectedParameter(client, { kind: 'redirect_uri', value: redirectUri });
    throw invalid(`the redirect_uri ${quoted(redirectUri)} is not registered for the client ${quoted(clientId)}`);
  }
  if (client.kind === 'developer') return developerContext;
  const scope = parameters.get('scope');
  if (parseScope(scope) === undefined) {
    onRejectedParameter(client, { kind: 'scope', value: scope ?? '' });
    throw invalid(`the scope ${quoted(scope ?? '')} is not env:{environment}`);
  }
  return playerContext(client);
}

/** Only S256. A client that leaves the challenge out is refused. @see RFC 9700 §2.1.1 */
function challengeFault(form: Parameters): string | undefined {
  const challenge = form.get('code_challenge');
  if (challenge === undefined) return 'code_challenge is missing';
  if (form.get('code_challenge_method') !== 'S256') return 'code_challenge_method is not S256';
  if (!challengePattern.test(challenge)) return 'code_challenge is not the base64url of a SHA-256';
  return undefined;
}

function stateFault(form: Parameters): string | undefined {
  const { length } = form.get('state') ?? '';
  return length > authorizeStateCharactersMax ? `state has more than ${authorizeStateCharactersMax} characters` : undefined;
}

/** Returns the state to send back; undefined if there was none, or it cannot be sent back. */
function echoedState(form: Parameters): string | undefined {
  return form.repeated.has('state') || stateFault(form) !== undefined ? undefined : form.get('state');
}

const redirectTo = (location: string): AuthorizeOutcome => ({ kind: 'redirect', location });
const unknownClient: ErrorPage = { kind: 'error_page', fault: 'client', message: 'The application is not known here.' };
const unregisteredUri: ErrorPage = {
  kind: 'error_page',
  fault: 'redirect_uri',
  message: 'The application asked to return to an address that is not registered for it.',
};
const invalid = (message: string): Refusal => new Refusal('validation_error', message);

/** Developers see the service's own page, with every sign-in method that it offers. */
const developerContext: AuthorizeContext = {
  flow: 'developer',
  project_name: null,
  logo_data: null,
  logo_media_type: null,
  primary_color: null,
  surface_color: null,
  bg_color: null,
  allowed_idps: [],
  idp_tenant_id: null,
};

function playerContext({ projectName, tenantId, settings }: PlayerClient): AuthorizeContext {
  return {
    flow: 'end_user',
    project_name: projectName,
    logo_data: settings.logoData,
    logo_media_type: settings.logoMediaType,
    primary_color: settings.primaryColor,
    surface_color: settings.surfaceColor,
    bg_color: settings.bgColor,
    allowed_idps: settings.allowedIdps,
    idp_tenant_id: tenantId,
  };
}
