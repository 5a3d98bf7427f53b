/** Sends requests to the base URL like a client, to check the certificate and whether this service answers. */

import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { now } from '../../common/time/clock.ts';
import { dayMilliseconds } from '../../common/time/durations.ts';
import { fetchJson } from '../../identity/fetch-json.ts';
import { keysIn } from '../../identity/provider-keys.ts';
import { type Answer, answerMilliseconds, answersOf, reasonOf } from './findings.ts';

/** A certificate with automatic renewal has more days left than this. */
const daysLeftMin = 14;

/** The certificate that a client receives first. */
interface Shown {
  /** Why a client rejects the certificate, for example `CERT_HAS_EXPIRED`; null if it accepts it. */
  readonly fault: string | null;
  /** Milliseconds since the epoch. */
  readonly validTo: number;
}

/** Returns the certificate of an `https:` URL's server. Rejects without TLS. */
async function readCertificate(url: URL): Promise<Shown> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const name = isIP(host) === 0 ? { servername: host } : {};
  // The certificate is read, and nothing is sent.
  const socket: TLSSocket = connect({ host, port: Number(url.port) || 443, ...name, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(answerMilliseconds) });
    const { valid_to: validTo } = socket.getPeerCertificate();
    const { authorized, authorizationError: fault } = socket;
    return { fault: authorized ? null : codeOf(fault), validTo: Date.parse(validTo) };
  } finally {
    socket.destroy();
  }
}

/** Typed as an error, but the runtime stores an error code. */
const codeOf = (fault: unknown): string =>
  fault instanceof Error ? ((fault as { code?: string }).code ?? fault.name) : String(fault);

const renewed = 'renew it, and find out why it was not renewed automatically';
const faults: Readonly<Record<string, readonly [string, string]>> = {
  CERT_HAS_EXPIRED: ['has expired', renewed],
  CERT_NOT_YET_VALID: ['is not valid yet', 'set the clock of this machine, or of the one that made the certificate'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is self-signed, which no client trusts', 'use one from a public authority'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is for other names', 'use one for the host of SVC_BASE_URL'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'comes without its intermediate certificates',
    'let the proxy send the whole chain, such as fullchain.pem',
  ],
};
const unknownFault = [
  'is not trusted',
  'let the proxy send the whole chain of a public authority; NODE_EXTRA_CA_CERTS names one of your own',
] as const;

/** Checks a certificate at a time, in milliseconds since the epoch. */
export function checkCertificate(asked: string, { fault, validTo }: Shown, time: number): Answer {
  const { good, bad } = answersOf('certificate', asked);
  const until = new Date(validTo).toISOString().slice(0, 10);
  if (fault !== null) {
    const [what, advice] = faults[fault] ?? unknownFault;
    const expired = validTo < time && fault !== 'CERT_HAS_EXPIRED' ? `, and expired on ${until}` : '';
    return bad('error', `${what} (${fault})${expired}`, `${advice}; clients refuse to connect until then`);
  }
  const days = Math.floor((validTo - time) / dayMilliseconds);
  const text = `is trusted, and valid until ${until} (${days} days)`;
  return days < daysLeftMin ? bad('warning', text, renewed) : good(text);
}

/** Knowledge about the service from other checks. */
export interface Expected {
  /** The key ids in its database; empty if it has none or cannot be read. */
  readonly keyIds: readonly string[];
  /** Whether the service is known not to run. */
  readonly isStopped: boolean;
}

/** Checks the certificate, if any, then whether the service with these keys answers. */
export async function askBaseUrl(baseUrl: string, expected: Expected): Promise<readonly Answer[]> {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:') return [await askService(baseUrl, expected)];
  const asked = `the certificate of ${url.origin}`;
  try {
    const certificate = checkCertificate(asked, await readCertificate(url), now());
    // If the certificate is rejected, no client gets a response.
    return certificate.level === 'error' ? [certificate] : [certificate, await askService(baseUrl, expected)];
  } catch (fault) {
    const reason = fault instanceof Error && fault.name !== 'AbortError' ? reasonOf(fault) : 'no answer';
    const advice = 'make sure that the name leads to your proxy, that the proxy runs, and that no firewall is in between';
    return [answersOf('certificate', asked).bad('error', `cannot be read: ${reason}`, advice)];
  }
}

async function askService(baseUrl: string, { keyIds, isStopped }: Expected): Promise<Answer> {
  const { good, bad } = answersOf('base_url', `the address ${baseUrl}`);
  try {
    const ask = (path: string) => fetchJson(`${baseUrl}${path}`, (url, init) => fetch(url, init));
    const [keys, metadata] = await Promise.all([
      ask('/.well-known/jwks.json'),
      ask('/.well-known/oauth-authorization-server'),
    ]);
    const shown = keysIn(keys).map((key) => Object(key).kid);
    const isThis = keyIds.length === 0 || keyIds.some((id) => shown.includes(id));
    const { issuer } = Object(metadata) as { readonly issuer?: unknown };
    if (!isThis) {
      const advice = 'let the proxy lead to this service, or set SVC_BASE_URL to the address that does';
      return bad('error', 'leads to another service, which does not have the keys of this one', advice);
    }
    if (issuer === baseUrl) return good('leads to this service');
    const advice = 'set the same SVC_BASE_URL for the service as here, and start it again';
    return bad('error', 'leads to this service, which has another base URL', advice);
  } catch (fault) {
    const answer = `does not answer as this service does: ${reasonOf(fault)}`;
    if (isStopped) return bad('note', answer, 'nothing to do: the service does not run');
    return bad('warning', answer, 'make sure that the service runs and that the proxy leads to it');
  }
}
