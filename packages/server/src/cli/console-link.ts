/** Links that sign the operator in to the console, on the machine of the service. */

import { hash } from 'node:crypto';
import { outsideAmr } from '../access/rules/account-status.ts';
import { developerClientId, developerScope } from '../common/ids/client-id.ts';
import { consoleLinkRedirectUri } from '../common/net/console-addresses.ts';
import { hashSecret, randomSecret } from '../common/secrets/secret-text.ts';
import { now } from '../common/time/clock.ts';
import { operatorSubject } from '../oauth/access-token-claims.ts';
import type { Store } from '../storage/store.ts';

const consoleLinkHours = 24;

/** A link and its expiry. */
export interface ConsoleLink {
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Returns a link that signs in to the account once, within a day. It contains an authorization code and its verifier, which the console
 * exchanges as after a sign-in.
 */
export async function makeConsoleLink(store: Store, accountId: string, baseUrl: string): Promise<ConsoleLink> {
  const code = randomSecret();
  const verifier = randomSecret();
  const redirectUri = consoleLinkRedirectUri(baseUrl);
  const expiresAt = now() + consoleLinkHours * 60 * 60 * 1000;
  await store.addAuthorizationCode(hashSecret(code), {
    accountId,
    slug: null,
    environment: null,
    clientId: developerClientId,
    subject: operatorSubject,
    scope: developerScope,
    amr: outsideAmr,
    email: null,
    name: null,
    redirectUri,
    codeChallenge: hash('sha256', verifier, 'base64url'),
    expiresAt,
  });
  // The part after `#` reaches no server and no log.
  return { url: `${redirectUri}#${code}.${verifier}`, expiresAt };
}
