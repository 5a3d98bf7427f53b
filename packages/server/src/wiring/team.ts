/** Wires up members and invitations. What sends invitations by mail is loaded with the first mail. */
import { loadable } from '../common/async/memoised.ts';
import { teamHandlers } from '../http/routes/team.ts';
import type { InvitationMails } from '../management/invitations.ts';
import type { Mails } from './mails.ts';
import type { Part, Wiring } from './wiring.ts';

interface TeamWiring extends Wiring {
  /** The issuer of member identities. */
  readonly issuer: string;
  readonly mails: Mails;
}

/** Wires up members and invitations. When closed, mails being sent have a little time. */
export function createTeam(wiring: TeamWiring): Part {
  const { store, config, baseUrl, issuer, now, disposal } = wiring;
  const { load, ifLoaded } = loadable(async () => {
    const [{ createOwnInvitationMails }, { chooseLanguage }] = await Promise.all([
      import('./identity.ts'),
      import('../login/language.ts'),
    ]);
    return { mails: createOwnInvitationMails(wiring, await wiring.mails.load()), chooseLanguage };
  });
  const mails: InvitationMails = {
    take: async (accountId) => (await load()).mails.take(accountId),
    send: async ({ language, ...mail }) => {
      const loaded = await load();
      loaded.mails.send({ ...mail, language: loaded.chooseLanguage(undefined, language) });
    },
  };
  // With an outside issuer, the service sends no other mail: the address of an SMTP server then allows it to.
  const sendsMail = config.idpIssuer === undefined || config.smtpUrl !== undefined;
  disposal.addSettling('the mails of invitations', () => ifLoaded((loaded) => loaded.mails.settled()));
  return { handlers: teamHandlers({ store, issuer, baseUrl, mails: sendsMail ? mails : undefined, now }) };
}
