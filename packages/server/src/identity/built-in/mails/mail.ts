/** Sends the mails of the built-in identity provider, over SMTP or, without a server, as files in a folder. */
import { randomBytes } from 'node:crypto';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoised } from '../../../common/async/memoised.ts';
import { createOwnedFile, ensureOwnedFolder } from '../../../common/files/owned-files.ts';
import { openSmtp } from './smtp.ts';
import { logoContentId, type MailLogo } from './texts/mail-brand.ts';
import type { Mail } from './texts/mail-text.ts';

export interface Mailer {
  /** Resolves once the mail was handed over. Rejects with `MailFault`, which names neither address nor content. */
  send(mail: Mail): Promise<void>;
}

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with credentials if the server requires them. If left out, mails are written to files. */
  readonly smtpUrl: string | undefined;
  /** Sender: an address, or a name with an address in angle brackets. */
  readonly from: string;
  /** The folder for mails without an SMTP server. */
  readonly outboxFolder: string;
  /** Called with the path of each written mail. */
  readonly onWritten: (path: string) => void;
  readonly now: () => number;
}

interface FaultMeaning {
  readonly isFinal: boolean;
  readonly isUnreachable: boolean;
}

/** A mail that could not be handed over. The server's message is left out, since it repeats the address. */
export class MailFault extends Error {
  override readonly name = 'MailFault';
  readonly #meaning: FaultMeaning;

  constructor(message: string, meaning: FaultMeaning = { isFinal: false, isUnreachable: false }) {
    super(message);
    this.#meaning = meaning;
  }

  /** Whether the server will never accept this mail or address, so that retrying is useless. */
  get isFinal(): boolean {
    return this.#meaning.isFinal;
  }

  /** Whether no server answered, so that other mails would fail too. */
  get isUnreachable(): boolean {
    return this.#meaning.isUnreachable;
  }
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Returns the mailer. Nothing is loaded or connected before the first mail. */
export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from } = options;
  const handOver = memoised(() => (smtpUrl === undefined ? toOutbox(options) : overSmtp(smtpUrl)));
  return {
    async send({ to, subject, text, html, logo }) {
      const message = {
        from,
        to: { name: '', address: to }, // an object is never parsed as a list of addresses
        subject,
        text,
        html,
        attachments: logo === undefined ? [] : [inlineLogo(logo)],
        headers: { 'Auto-Submitted': 'auto-generated' }, // so that no autoresponder replies, RFC 3834 §5
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      try {
        await (await handOver())(message);
      } catch (fault) {
        throw new MailFault(`cannot hand over a mail (${reasonOf(fault)})`, meaningOf(fault));
      }
    },
  };
}

/** The logo as a part of the mail, so that it shows without a request. */
const inlineLogo = ({ data, mediaType }: MailLogo) => ({
  cid: logoContentId,
  filename: `logo.${mediaType.slice('image/'.length)}`,
  contentType: mediaType,
  contentDisposition: 'inline',
  content: Buffer.from(data, 'base64'),
});

type HandOver = (message: object) => Promise<void>;

async function overSmtp(url: string): Promise<HandOver> {
  const transport = await openSmtp(url, timeouts);
  return async (message) => {
    await transport.sendMail(message);
  };
}

/** One file per mail, mode 0600 in a folder of mode 0700, named after the time so that the newest is last. */
async function toOutbox({ outboxFolder, onWritten, now }: MailerOptions): Promise<HandOver> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (message) => {
    const { message: bytes } = await transport.sendMail(message);
    if (!Buffer.isBuffer(bytes)) throw new TypeError('the mail is not a buffer');
    ensureOwnedFolder(outboxFolder);
    const time = new Date(now()).toISOString().replaceAll(':', '-');
    const path = join(outboxFolder, `${time}-${randomBytes(4).toString('hex')}.eml`);
    const file = createOwnedFile(path);
    try {
      writeFileSync(file, bytes);
    } finally {
      closeSync(file);
    }
    onWritten(path);
  };
}

/**
 * Whether to retry after a fault. A server rejects an address or a mail's content for good; faults of the credentials or the
 * sender last until the operator corrects them.
 *
 * @see RFC 5321 §4.2.1
 */
function meaningOf(fault: unknown): FaultMeaning {
  const { code, responseCode, command } = Object(fault) as Readonly<Record<string, unknown>>;
  // nodemailer's code for an address that it cannot write for this server.
  if (typeof responseCode !== 'number') return { isFinal: code === 'EENVELOPE', isUnreachable: code !== 'EENVELOPE' };
  return { isFinal: responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA'), isUnreachable: false };
}

/** A code such as ECONNREFUSED or EAUTH, and the status of the SMTP server. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown';
  const { code, responseCode } = fault as Error & { readonly code?: unknown; readonly responseCode?: unknown };
  return (
    [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ') || fault.name
  );
}
