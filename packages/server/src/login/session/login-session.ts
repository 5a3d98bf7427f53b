/** The sign-in of one browser, for its login page. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { Directory, Requester } from '../../identity/built-in/directory.ts';
import type { Browser } from '../../identity/tickets.ts';
import type { AuthorizationRequest } from '../../oauth/authorize.ts';
import type { Client } from '../../oauth/clients.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { Brand, Page, View } from '../document.ts';
import type { Language } from '../language.ts';
import { newNonce, pageReply, seeOther } from '../page-reply.ts';

/** A browser at a login page, with an authorization request that can be answered. */
export interface LoginSession {
  readonly request: AuthorizationRequest;
  /** The query of the authorization request as the client sent it, without `prompt`. */
  readonly query: string;
  readonly parameters: Parameters;
  readonly view: View;
  /** The browser's identity according to its cookies. */
  readonly browser: Browser;
  readonly directory: Directory;
  /** The person at the browser, as throttles and mails need them. */
  readonly requester: Requester;
  readonly headers: IncomingHttpHeaders;
  /** Whether the browser requests the page *Your sign-in*, without a client. */
  readonly isForAccountSettings: boolean;
  /** Whether an account that invites the person requires a second factor. */
  readonly needsSecondFactor: boolean;
  /** The invitation that a developer brought. It was valid when the page was requested, and is passed to the callback in any case. */
  readonly invitation: string | undefined;
  /** Returns a page, or a redirect to another page, with the session's cookies. */
  reply(page: Page, options?: { readonly status?: number; readonly headers?: readonly string[] }): Reply;
  goTo(path: string, headers?: readonly string[]): Reply;
  /** Returns a redirect to an address outside these pages. */
  leave(location: string, headers: readonly string[]): Reply;
}

/** Whether this is a reply instead of a session. */
export const isReply = (result: LoginSession | Reply): result is Reply => 'status' in result;

export interface LoginSessionParts
  extends Pick<
      LoginSession,
      | 'request'
      | 'query'
      | 'parameters'
      | 'browser'
      | 'headers'
      | 'invitation'
      | 'isForAccountSettings'
      | 'needsSecondFactor'
    >,
    Pick<View, 'language' | 'address' | 'csrf' | 'legal' | 'invitedTo'> {
  /** The name under which the client address is counted. */
  readonly clientName: string;
  readonly deviceToken: string | undefined;
  /** The headers that set the cookies of a new browser. */
  readonly cookie: readonly string[];
  /** Where forms of its pages may lead, other than their own origin. */
  readonly formTargets: readonly string[];
}

const none = { terms: undefined, privacy: undefined };

/** Returns the session of a browser. */
export function createLoginSession(parts: LoginSessionParts): LoginSession {
  const {
    request,
    query,
    parameters,
    browser,
    headers,
    language,
    address,
    csrf,
    legal = none,
    cookie,
    formTargets,
    invitation,
    invitedTo,
    isForAccountSettings,
    needsSecondFactor,
  } = parts;
  const isUpgrade = parameters.get('purpose') === 'upgrade' && request.client.kind === 'end_user';
  const brand = brandOf(request.client);
  const directory = directoryOf(request.client);
  const view: View = {
    language,
    brand,
    nonce: newNonce(),
    address,
    inLanguage: (other) => `?${withLanguage(query, other)}`,
    csrf,
    legal,
    invitedTo,
    isForAccountSettings,
    isUpgrade,
  };
  return {
    request,
    query,
    parameters,
    view,
    browser,
    headers,
    directory,
    invitation,
    isForAccountSettings,
    needsSecondFactor,
    requester: {
      directory,
      language,
      address: parts.clientName,
      brandName: brand.kind === 'project' ? brand.name : null,
      project: projectOf(request.client),
      deviceToken: parts.deviceToken,
    },
    reply: (page, { status = 200, headers: more = [] } = {}) =>
      pageReply(view, page, { status, formTargets, headers: [...cookie, ...more] }),
    goTo: (path, more = []) => seeOther(address(path), [...cookie, ...more]),
    leave: (location, more) => seeOther(location, [...cookie, ...more]),
  };
}

/** The query with the choice of a language in place of an earlier one. */
const withLanguage = (query: string, language: Language): string =>
  [...query.split('&').filter((part) => !part.startsWith('language=')), `language=${language}`].filter(Boolean).join('&');

/** The directory of this client's users. */
function directoryOf(client: Client): Directory {
  return client.kind === 'developer'
    ? { kind: 'developers' }
    : { kind: 'account', accountId: client.accountId, tenantId: client.tenantId };
}

const projectOf = (client: Client): ProjectKey | undefined =>
  client.kind === 'developer' ? undefined : { accountId: client.accountId, slug: client.slug };

/** The brand that users of this client see. */
function brandOf(client: Client): Brand {
  if (client.kind === 'developer') return { kind: 'service' };
  const { logoData, logoMediaType, primaryColor, surfaceColor, bgColor } = client.settings;
  return {
    kind: 'project',
    name: client.projectName,
    logo: logoData === null || logoMediaType === null ? null : { data: logoData, mediaType: logoMediaType },
    colours: { primary: primaryColor, surface: surfaceColor, background: bgColor },
  };
}
