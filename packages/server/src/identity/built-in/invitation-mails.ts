/** Mails that invite somebody to an account, in words of our own: only the name of the account is its members'. */
import type { ManagementStore } from '../../storage/management-store.ts';
import { createBackground } from './background.ts';
import type { Language } from './directory.ts';
import type { Mailer } from './mail.ts';
import { composeMail } from './mail-texts/compose.ts';
import type { Limit, Throttles } from './throttles.ts';

/** Mails that one account may send in a day. */
const mailLimit: Limit = { name: 'invitation-mails', countMax: 20, windowSeconds: 24 * 60 * 60 };

/** Longer names are cut: a name is no place for a letter. */
const nameCharactersMax = 80;

export interface InvitationMailsOptions {
  readonly store: Pick<ManagementStore, 'findAccount'>;
  readonly mailer: Mailer;
  readonly throttles: Throttles;
  /** Called for a mail that could not be sent. */
  readonly onFault: (fault: unknown) => void;
}

export interface InvitationMail {
  readonly to: string;
  readonly accountId: string;
  readonly link: string;
  readonly language: Language;
}

export interface InvitationMails {
  /** Counts one mail of the account. Returns the seconds until it may send one again, if that is not now. */
  take(accountId: string): Promise<number | undefined>;
  /** Sends it after the response. */
  send(mail: InvitationMail): void;
  /** Resolves when no mail is under way. */
  settled(): Promise<void>;
}

/** Returns what mails invitations. */
export function createInvitationMails({ store, mailer, throttles, onFault }: InvitationMailsOptions): InvitationMails {
  const background = createBackground(onFault);
  return {
    take: (accountId) => throttles.take([[mailLimit, accountId]]),
    send({ to, accountId, link, language }) {
      background.run({ account: accountId, subject: accountId }, async () => {
        const account = await store.findAccount(accountId);
        if (account === undefined) return;
        const name =
          account.name.length > nameCharactersMax ? `${account.name.slice(0, nameCharactersMax)}…` : account.name;
        await mailer.send(composeMail(language, to, (texts) => texts.invitation(name, link)));
      });
    },
    settled: () => background.settled(),
  };
}
