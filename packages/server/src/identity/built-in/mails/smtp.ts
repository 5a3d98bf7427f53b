/** Connections to the configured SMTP server, for mails and for a command that checks whether it would accept them. */
import { Socket } from 'node:net';
import { getSystemErrorName } from 'node:util';

/** A password is sent to another machine only over TLS. */
function needsTls({ username, hostname }: URL): boolean {
  return username !== '' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Options of nodemailer in addition to the address. Timeouts are in milliseconds. */
interface SmtpOptions {
  readonly dnsTimeout?: number;
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly socketTimeout: number;
  /** Uses this socket, which is not connected yet. */
  readonly socket?: Socket;
}

/** Returns a nodemailer transport, which connects for the first mail. */
export async function openSmtp(url: string, options: SmtpOptions) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, requireTLS: needsTls(new URL(url)), ...options });
}

/** Why an SMTP server accepts no mails. Its own message is left out, since it can repeat a user name. */
export interface SmtpFault {
  /** Of nodemailer, for example `EAUTH`, or of the system, for example `ECONNREFUSED`. */
  readonly code: string;
  /** The server's response, if any. */
  readonly status: number | null;
  /** Whether the certificate was rejected. */
  readonly isOfCertificate: boolean;
}

/**
 * Checks whether the server would accept mails: connects, greets, switches to TLS, and signs in with the credentials of the URL. Sends
 * nothing. Resolves within `timeoutMilliseconds`, with undefined if all of that worked.
 */
export async function trySmtp(url: string, timeoutMilliseconds: number): Promise<SmtpFault | undefined> {
  const socket = new Socket();
  const times = { dnsTimeout: timeoutMilliseconds, connectionTimeout: timeoutMilliseconds };
  const more = { greetingTimeout: timeoutMilliseconds, socketTimeout: timeoutMilliseconds };
  const transport = await openSmtp(url, { ...times, ...more, socket });
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), timeoutMilliseconds);
  try {
    await Promise.race([transport.verify(), late]);
    return undefined;
  } catch (fault) {
    socket.destroy(); // a server that keeps sending would keep it open
    return faultOf(fault);
  } finally {
    clearTimeout(timer);
  }
}

function faultOf(fault: unknown): SmtpFault {
  const { code, responseCode, errno, message } = Object(fault) as Readonly<Record<string, unknown>>;
  const system = typeof errno === 'number' ? getSystemErrorName(errno) : undefined;
  return {
    code: system ?? (typeof code === 'string' ? code : 'unknown'),
    status: typeof responseCode === 'number' ? responseCode : null,
    isOfCertificate:
      typeof message === 'string' && /certificate|altname/i.test(message) && typeof responseCode !== 'number',
  };
}
