/** Wires up members and invitations. What sends invitations by mail is loaded with the first mail. */
import { memoised } from '../common/memoised.ts';
import { teamHandlers } from '../http/routes/team.ts';
import type { InvitationMails } from '../oauth/invitations.ts';
import type { Mails } from './mails.ts';
import type { Wiring } from './wiring.ts';

export interface Team {
  readonly handlers: ReturnType<typeof teamHandlers>;
  /** Waits a little for mails being sent. */
  close(): Promise<void>;
}

/** How long a stop waits for mails being sent. */
const settleMilliseconds = 5_000;

/** Returns the handlers. `issuer` is the issuer of member identities. */
export function createTeam(wiring: Wiring, issuer: string, queue: Mails): Team {
  const { store, config, baseUrl, now } = wiring;
  const load = memoised(async () => {
    const [{ createOwnInvitationMails }, { chooseLanguage }] = await Promise.all([
      import('./identity.ts'),
      import('../login/language.ts'),
    ]);
    return { mails: createOwnInvitationMails(wiring, await queue.load()), chooseLanguage };
  });
  let isLoaded = false;
  const mails: InvitationMails = {
    take: async (accountId) => {
      const loaded = await load();
      isLoaded = true;
      return loaded.mails.take(accountId);
    },
    send: async ({ language, ...mail }) => {
      const loaded = await load();
      loaded.mails.send({ ...mail, language: loaded.chooseLanguage(undefined, language) });
    },
  };
  // With an outside issuer, the service sends no other mail: the address of an SMTP server then allows it to.
  const sendsMail = config.idpIssuer === undefined || config.smtpUrl !== undefined;
  return {
    handlers: teamHandlers({ store, issuer, baseUrl, mails: sendsMail ? mails : undefined, now }),
    close: async () => {
      if (!isLoaded) return;
      const timedOut = new Promise<void>((resolve) => setTimeout(resolve, settleMilliseconds).unref());
      await Promise.race([(await load()).mails.settled(), timedOut]);
    },
  };
}
