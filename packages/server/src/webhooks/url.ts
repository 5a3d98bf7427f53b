/** Which URLs a webhook may have. The address of the host is checked as each connection is made. */
import { httpsFault, webhookUrlCharactersMax } from '@holdfast/contract';
import { isLoopback } from '../common/net/loopback.ts';
import { invalidMember } from '../common/requests/refusal.ts';

/** What decides whether a plain URL on this machine is accepted. */
export interface UrlRules {
  /** Whether `http:` to this machine is accepted: base URL and listening address are both on the loopback interface. */
  isLocal(): boolean;
}

/** Returns the URL, or throws `validation_error`. The message names the rule, never the URL, which may hold a secret. */
export function parseWebhookUrl(text: string, rules: UrlRules): URL {
  if (text.length > webhookUrlCharactersMax)
    throw invalidMember('url', `must have at most ${webhookUrlCharactersMax} characters`);
  const fault = httpsFault(text, {
    example: 'https://hooks.example.com/holdfast',
    isAllowed: ({ protocol, hostname }) => protocol === 'http:' && rules.isLocal() && isLoopback(hostname),
  });
  if (fault !== undefined) throw invalidMember('url', fault);
  const url = new URL(text);
  if (url.hash !== '') throw invalidMember('url', 'must not have a fragment, which is never sent');
  return url;
}

/** Returns the host and port of a URL: what lists show, and what tries are counted by. A name is one host with and without its final dot. */
export const hostOf = ({ protocol, hostname, port }: URL): string =>
  `${hostname.replace(/\.+$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`;
