/** Mails that invite somebody to an account. The text is ours; only the account name is chosen by its members. */
import { daySeconds } from '../../../common/time/durations.ts';
import { createBackground } from '../background.ts';
import type { Language } from '../directory.ts';
import type { Charge, Limit, Throttles } from '../throttles.ts';
import type { MailQueue } from './mail-queue.ts';

/** Mails that one account may send per day. */
const mailLimit: Limit = { name: 'invitation-mails', countMax: 20, windowSeconds: daySeconds };
const chargesOf = (accountId: string): readonly Charge[] => [[mailLimit, accountId]];

export interface InvitationMailsOptions {
  readonly mails: Pick<MailQueue, 'add'>;
  readonly throttles: Throttles;
  /** Called if a mail could not be stored. */
  readonly onFault: (fault: unknown) => void;
}

interface InvitationMail {
  readonly to: string;
  readonly accountId: string;
  /** The hash under which the invitation is stored. */
  readonly invitationHash: Uint8Array;
  readonly expiresAt: number;
  readonly link: string;
  readonly language: Language;
}

export interface InvitationMails {
  /** Counts one mail of the account. Returns how many seconds it must wait before it may send, or undefined if it may send now. */
  take(accountId: string): Promise<number | undefined>;
  /** Sends it after the response, and retries until the invitation expires. */
  send(mail: InvitationMail): void;
  /** Resolves when each mail has been tried. */
  settled(): Promise<void>;
}

/** Returns the sender of invitations. */
export function createInvitationMails({ mails, throttles, onFault }: InvitationMailsOptions): InvitationMails {
  const background = createBackground(onFault);
  return {
    take: (accountId) => throttles.take(chargesOf(accountId)),
    send({ to, accountId, invitationHash, expiresAt, link, language }) {
      background.run({ account: accountId, subject: accountId }, async () => {
        const draft = { kind: 'invitation', language, to, link } as const;
        const charges = chargesOf(accountId);
        const send = await mails.add({ mailHash: invitationHash, accountId, emailKey: null, draft, expiresAt, charges });
        await send?.();
      });
    },
    settled: () => background.settled(),
  };
}
