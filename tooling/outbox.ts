/** The mails that a server without a mail server leaves in its data folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly code: string | undefined;
  readonly link: string | undefined;
}

/** Returns the number of mails to an address. */
export function mailCount(dataDir: string, address: string): number {
  return mailsTo(dataDir, address).length;
}

/** Waits until an address has more than `after` mails, since they are sent after the response, and returns the newest. */
export async function mailTo(dataDir: string, address: string, after = 0): Promise<Mail> {
  for (let tries = 0; tries < 200; tries++) {
    const mails = mailsTo(dataDir, address);
    if (mails.length > after) return parseMail(mails.at(-1) as string);
    await sleep(25);
  }
  throw new Error(`${address} was sent no mail after ${after}`);
}

/** Returns the mails to an address as written, oldest first. */
function mailsTo(dataDir: string, address: string): string[] {
  const outbox = join(dataDir, 'outbox');
  let names: string[] = [];
  try {
    names = readdirSync(outbox).sort();
  } catch {
    return [];
  }
  const texts = names.map((name) => readFileSync(join(outbox, name), 'utf8'));
  return texts.filter((text) => text.slice(0, text.indexOf('\n\n')).includes(address));
}

function parseMail(raw: string): Mail {
  const subject = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(raw)?.[1] ?? '';
  const text = raw
    .replace(/=\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (escapes) => Buffer.from(escapes.replaceAll('=', ''), 'hex').toString());
  return {
    subject,
    text,
    code: /\b[0-9]{6}\b/.exec(text.slice(text.indexOf('\n\n')))?.[0],
    link: /https?:\/\/[^\s"<]+(?:\/authorize\/reset\?token=|\/console\/join#)[^\s"<]+/.exec(text)?.[0],
  };
}
