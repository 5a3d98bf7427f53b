/** Password sign-in over a real store, with mails in a real outbox, a movable clock, and counted computations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAccount, openStoreFixture } from '../../../access/store.fixture.ts';
import { windowOpener } from '../../../limits/shared-window.ts';
import { createSealer } from '../../../secrets/sealer.ts';
import type { Store } from '../../../storage/store.ts';
import type { Directory, Requester } from '../directory.ts';
import { createMailer, type Mailer } from '../mails/mail.ts';
import { createMailRenderer } from '../mails/mail-drafts.ts';
import { createMailQueue, type MailQueue } from '../mails/mail-queue.ts';
import { createThrottles } from '../throttles.ts';
import { createPasswordHasher } from './password-hash.ts';
import type { PasswordIdentity, SignedIn } from './password-identity.ts';
import { createPasswordIdentity } from './passwords.ts';
import { quickHash } from './quick-hash.fixture.ts';

export const password = 'correct horse battery';
export const developers: Directory = { kind: 'developers' };
export const players: Directory = { kind: 'account', accountId: 'acc_1', tenantId: 't-1' };
export const otherPlayers: Directory = { kind: 'account', accountId: 'acc_2', tenantId: 't-2' };

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The code, or the token of the link. */
  readonly secret: string;
}

export interface PasswordWorld {
  readonly passwords: PasswordIdentity;
  readonly mailQueue: MailQueue;
  readonly store: Store;
  readonly dataDir: string;
  /** How many password hashes have been computed. */
  readonly computed: { count: number; delay: Promise<void> | undefined };
  readonly faults: unknown[];
  pass(milliseconds: number): void;
  /** Waits for mails that are under way, and returns all mails since the last call. */
  mails(): Promise<readonly ReceivedMail[]>;
  /** Signs up with `password` and enters the code. */
  newUser(email: string, directory?: Directory): Promise<SignedIn>;
  dispose(): Promise<void>;
}

export const requester = (change: Partial<Requester> = {}): Requester => ({
  directory: players,
  address: '192.0.2.1',
  language: 'en',
  brandName: 'Hello',
  deviceToken: undefined,
  ...change,
});

export interface PasswordWorldOptions {
  readonly mailsPerHour?: number;
  /** Replaces the one that writes to an outbox. */
  readonly mailer?: Mailer;
}

const noBrand = async () => undefined;

/** Opens the world. Hashing is quick here; argon2id itself is tested elsewhere. */
export async function openPasswordWorld({ mailsPerHour = 50, mailer }: PasswordWorldOptions = {}): Promise<PasswordWorld> {
  const { store, dataDir, dispose } = await openStoreFixture();
  await addAccount(store, 'acc_1');
  await addAccount(store, 'acc_2');
  let nowMs = Date.UTC(2026, 0, 1);
  const now = () => nowMs;
  const computed: PasswordWorld['computed'] = { count: 0, delay: undefined };
  const faults: unknown[] = [];
  const outboxFolder = join(dataDir, 'outbox');
  const throttles = createThrottles(windowOpener(store), now);
  const mailQueue = createMailQueue({
    store,
    mailer:
      mailer ??
      createMailer({ smtpUrl: undefined, from: 'Test <test@example.com>', outboxFolder, onWritten: () => {}, now }),
    renderMail: createMailRenderer({ store, brandOf: noBrand, authFrontUrl: () => 'https://login.example', now }),
    seals: createSealer(Buffer.alloc(32, 1), 'mail'),
    throttles,
    counts: { sent: 0, postponed: 0, failed: 0, waiting: 0 },
    now,
    onFault: (fault) => faults.push(fault),
  });
  const passwords = createPasswordIdentity({
    store,
    now,
    hasher: createPasswordHasher({
      runningMax: 2,
      compute: async (...given) => {
        computed.count += 1;
        await computed.delay;
        return quickHash(...given);
      },
    }),
    throttles,
    mailsPerHour,
    seals: createSealer(Buffer.alloc(32, 1), 'device'),
    mails: mailQueue,
    onFault: (fault) => faults.push(fault),
  });

  const newMails = outboxReader(outboxFolder);
  const mails = async () => {
    await passwords.settled();
    return newMails();
  };

  return {
    passwords,
    mailQueue,
    store,
    dataDir,
    computed,
    faults,
    mails,
    dispose,
    pass: (milliseconds) => {
      nowMs += milliseconds;
    },
    async newUser(email, directory = players) {
      const at = requester({ directory, address: `address of ${email}` });
      await mails();
      const begun = await passwords.signUp(at, { email, password, name: 'Ada', returnQuery: '' });
      if (begun.kind !== 'code_sent') throw new Error(begun.kind);
      const [mail] = await mails();
      const outcome = await passwords.confirm(at, { signUp: begun.signUp, code: mail?.secret ?? '' });
      if (outcome.kind !== 'signed_in') throw new Error(outcome.kind);
      return outcome;
    },
  };
}

/** Returns a reader of the mails that arrived since its last call. */
function outboxReader(folder: string): () => readonly ReceivedMail[] {
  const read = new Set<string>();
  return () => {
    const names = entriesOf(folder).filter((name) => !read.has(name));
    for (const name of names) read.add(name);
    return names.map((name) => parseMail(readFileSync(join(folder, name), 'utf8')));
  };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Parses the simple mails of this service. */
export function parseMail(source: string): ReceivedMail {
  const plain = source.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(plain)?.[1] ?? '';
  const [, code] = /^ {4}(\d{6}|\d{3} \d{3} \d{3})$/m.exec(plain) ?? [];
  const [, token] = /^https?:\S+[?&]token=(\w+)$/m.exec(plain) ?? [];
  return { to: header('To'), subject: header('Subject'), text: plain, secret: code ?? token ?? '' };
}
