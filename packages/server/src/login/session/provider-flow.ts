/**
 * What a browser carries to a provider: a cookie per pending sign-in, named after the `state` with which it returns. Several tabs can
 * therefore be sent to providers and return in any order, and a `state` that this browser did not bring changes nothing.
 */
import { parseFormText } from '../../common/requests/form-parameters.ts';
import type { PageRequest } from '../../http/operation-request.ts';
import { stateIn } from '../../identity/upstream-client.ts';
import type { BeginOutcome, Returned } from '../../identity/upstream-round-trip.ts';
import type { Login } from '../login.ts';
import { cookieNameFor } from '../which-sign-in.ts';
import type { LoginSession } from './login-session.ts';

/** The provider must respond within ten minutes. The cookie lasts longer, to say afterwards where the sign-in began. */
const flowSeconds = 60 * 60;
/**
 * All flows of a browser together. Five fit, fewer with a long `state`; the oldest gives way. Many proxies limit a cookie header to 8 KiB.
 */
const flowBounds = { countMax: 8, charactersMax: 6_000 };

/** Returns the cookies that send a browser to a provider. */
export function flowCookies(
  { cookies }: Login,
  { headers }: Pick<LoginSession, 'headers'>,
  { flow, state }: Extract<BeginOutcome, { kind: 'redirect' }>,
): readonly string[] {
  return [
    ...cookies.setAmong(headers, ['flow', cookieNameFor(state)], flow, flowSeconds, flowBounds),
    ...(cookies.read(headers, 'request') === undefined ? [] : cookies.clear('request')),
  ];
}

/** Returns what a browser brings back from a provider. */
export function returnedIn({ cookies, browserOf }: Login, { query, headers }: PageRequest): Returned {
  const parameters = parseFormText(query);
  const state = stateIn(parameters);
  const flow = state === undefined ? undefined : cookies.read(headers, 'flow', cookieNameFor(state));
  // A node of the previous release gives all flows one name.
  return { parameters, flow: flow ?? cookies.read(headers, 'flow'), browser: browserOf(headers) };
}

/** Returns the headers that end a flow in the browser: they record where it began, and affect no other flow. */
export function endFlow({ cookies }: Login, { query }: PageRequest, returnQuery: string): readonly string[] {
  const state = stateIn(parseFormText(query));
  if (state === undefined) return [];
  const name = cookieNameFor(state);
  const began = `${name}.${Buffer.from(returnQuery).toString('base64url')}`;
  return [...cookies.clear('flow', name), ...cookies.set('request', began, flowSeconds)];
}

/** Returns where the returning flow began, if it is the last one that ended; otherwise an empty text. */
export function queryOfEnded({ cookies }: Login, { query, headers }: PageRequest): string {
  const state = stateIn(parseFormText(query));
  const [name, began = ''] = (cookies.read(headers, 'request') ?? '').split('.');
  return state !== undefined && name === cookieNameFor(state) ? Buffer.from(began, 'base64url').toString() : '';
}
