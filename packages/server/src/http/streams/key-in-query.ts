/** Credentials in the query, for clients that cannot send headers, such as `EventSource` in browsers. @see docs/contract.md §3.5 */
import type { IncomingHttpHeaders } from 'node:http';
import { credentialRejected } from '../../common/requests/challenge.ts';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { single } from '../wire/page.ts';

interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** The part after the `?`, or the empty string. */
  readonly query: string;
}

const publishableForm = /^svcp_[0-9A-Za-z]{36}$/;

/**
 * Returns a request's header `Authorization`, or its equivalent if the query has a publishable key. Refuses `validation_error` for both
 * together or for several keys. Throws `unauthorized` for anything but a publishable key, before it is looked up: browsers, proxies and
 * their logs keep queries, so these must not contain other secrets.
 */
export function authorizationOf({ headers, query }: RequestHead): string | undefined {
  const { authorization } = headers;
  if (query === '') return authorization;
  const key = single(parseFormText(query), 'key');
  if (key === undefined) return authorization;
  if (authorization !== undefined) {
    throw new Refusal(
      'validation_error',
      'the request has a key in its query and the header Authorization: send one of them',
    );
  }
  if (publishableForm.test(key)) return `ApiKey ${key}`;
  throw credentialRejected('only a publishable API key may stand in the query: send others in the header Authorization');
}
