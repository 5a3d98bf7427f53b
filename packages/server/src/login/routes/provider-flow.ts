/** What a browser takes along to a provider. */
import type { LoginContext } from '../login-context.ts';

/** The provider has to respond within `flowSeconds`. The start of the sign-in is remembered for longer, to offer a link back. */
const flowSeconds = 10 * 60;
const requestSeconds = 60 * 60;
/** Browsers may refuse a longer cookie, and the other cookies with it. */
const requestCharactersMax = 1_500;

/** Returns the cookies with which a browser goes to a provider. */
export function flowCookies({ cookies }: LoginContext, flow: string, query: string): readonly string[] {
  const request = Buffer.from(query).toString('base64url');
  return [
    ...cookies.set('flow', flow, flowSeconds),
    ...(request.length > requestCharactersMax ? cookies.clear('request') : cookies.set('request', request, requestSeconds)),
  ];
}
