/** Whether a client has registered a redirect URI. @see docs/contract.md §7.1, RFC 8252 §7.3 */
import type { Client } from './clients.ts';

/** The numeric loopback hosts without a port, and the rest of the address. */
const withoutPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))((?:[/?#].*)?)$/s;
const withPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):([1-9][0-9]{0,4})((?:[/?#].*)?)$/s;
const portMax = 65_535;

/**
 * Whether any program on the computer may listen at this address of a player's client: it is registered without a port, and given with one
 * or without.
 */
export function isOfAnyProgram({
  client,
  redirectUri,
}: {
  readonly client: Client;
  readonly redirectUri: string;
}): boolean {
  const { kind, redirectUris } = client;
  if (kind === 'developer') return false;
  return withoutPort.test(redirectUri) ? redirectUris.includes(redirectUri) : matchesWithoutPort(redirectUris, redirectUri);
}

/** Whether a client has registered a redirect URI: the same string, or on a numeric loopback host, the string without its port. */
export function isRegistered(client: Client, redirectUri: string): boolean {
  return client.redirectUris.includes(redirectUri) || isOfAnyProgram({ client, redirectUri });
}

function matchesWithoutPort(redirectUris: readonly string[], redirectUri: string): boolean {
  const [, host, port, rest] = withPort.exec(redirectUri) ?? [];
  return port !== undefined && Number(port) <= portMax && redirectUris.includes(`${host}${rest}`);
}
