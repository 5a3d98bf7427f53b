/** The way to the SMTP server of the settings: for mails, and for a command that only asks whether it would take them. */
import { Socket } from 'node:net';
import { getSystemErrorName } from 'node:util';

/** A password is sent to another machine only over TLS. */
function needsTls({ username, hostname }: URL): boolean {
  return username !== '' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Options of nodemailer beside the address. Timeouts are in milliseconds. */
interface SmtpOptions {
  readonly dnsTimeout?: number;
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly socketTimeout: number;
  /** Connects with this one, which is not connected yet. */
  readonly socket?: Socket;
}

/** Returns a transport of nodemailer, which connects with the first mail. */
export async function openSmtp(url: string, options: SmtpOptions) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, requireTLS: needsTls(new URL(url)), ...options });
}

/** Why an SMTP server takes no mails, without its own words, which can repeat a user name. */
export interface SmtpFault {
  /** Of nodemailer, such as `EAUTH`, or of the system, such as `ECONNREFUSED`. */
  readonly code: string;
  /** What the server answered, if it did. */
  readonly status: number | null;
  /** Whether a certificate was refused. */
  readonly isOfCertificate: boolean;
}

/**
 * Asks the server whether it would take mails: connects, greets, changes to TLS, and signs in with the credentials of the URL. Sends
 * nothing. Resolves within `timeoutMilliseconds`, with undefined where all of that worked.
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
    socket.destroy(); // a server that goes on talking would keep it open
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
