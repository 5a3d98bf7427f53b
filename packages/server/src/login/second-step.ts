/** What a developer must prove in addition to the password before the sign-in is complete. */
import { hasSecondFactor } from '../access/rules/account-status.ts';
import type { Reply } from '../http/replies/reply.ts';
import { directoryKey } from '../identity/built-in/directory.ts';
import type { PendingSignIn } from '../identity/built-in/pending-sign-ins.ts';
import type { OpenTicket } from '../identity/tickets.ts';
import type { BuiltIn } from './login-dependencies.ts';
import { type CodePage, codePage, setUpPage } from './pages/second-step.ts';
import type { LoginSession } from './session/login-session.ts';
import type { SignedIn } from './session/signed-in.ts';

export interface SecondStep {
  /** Returns the page that comes before completion; undefined if the sign-in is strong enough. */
  next(session: LoginSession, signedIn: SignedIn): Promise<Reply | undefined>;
  /** Returns the page for the code of a pending sign-in. */
  ask(
    session: LoginSession,
    ticket: string,
    pending: PendingSignIn,
    options?: Pick<CodePage, 'notice' | 'faults'> & { readonly status?: number; readonly headers?: readonly string[] },
  ): Promise<Reply>;
  /** Makes a sign-in wait. Returns its ticket. */
  wait(session: LoginSession, signedIn: SignedIn): string;
  /** Returns a sign-in that waits in this browser. */
  open(session: LoginSession, ticket: string): OpenTicket<PendingSignIn> | undefined;
}

/** Whether it used a second factor, or a method that needs none. */
export const isComplete = ({ amr }: Pick<SignedIn, 'amr'>): boolean => hasSecondFactor(amr);

/** Returns the second step of sign-ins. */
export function createSecondStep({ secondFactors, passkeys, pending }: BuiltIn): SecondStep {
  const hasPasskeys = async ({ directory }: LoginSession, userId: string) =>
    passkeys.isUsable() && (await passkeys.has(directory, userId));

  const step: SecondStep = {
    async next(session, signedIn) {
      const { directory, browser, view } = session;
      if (directory.kind !== 'developers' || isComplete(signedIn)) return undefined;
      const { person } = signedIn;
      const factor = await secondFactors.find(directory, person.userId);
      const isRequired = session.needsSecondFactor || (await secondFactors.isRequired(directory, person.userId));
      if (factor === undefined && !isRequired) return undefined;
      const ticket = step.wait(session, signedIn);
      if (factor !== undefined || (await hasPasskeys(session, person.userId))) {
        return step.ask(session, ticket, pendingOf(session, signedIn));
      }
      return session.reply(setUpPage(view, { ticket, setUp: await secondFactors.begin(directory, browser, person) }));
    },

    async ask(session, ticket, { person }, { status = 200, headers = [], ...shown } = {}) {
      const { directory, browser, view } = session;
      const hasApp = (await secondFactors.find(directory, person.userId)) !== undefined;
      const canUsePasskey = await hasPasskeys(session, person.userId);
      const passkey = canUsePasskey ? await passkeys.signInOptions(directory, browser) : undefined;
      return session.reply(codePage(view, { ticket, hasApp, passkey, ...shown }), { status, headers });
    },

    wait(session, signedIn) {
      const { browser } = session;
      const content = pendingOf(session, signedIn);
      const ticket = pending.issue(browser, content) ?? pending.issue(browser, { ...content, deviceToken: undefined });
      if (ticket === undefined) throw new TypeError('the ticket of a sign-in is too long');
      return ticket;
    },

    open({ browser, directory }, ticket) {
      const opened = pending.open(browser, ticket);
      return opened?.content.accountId === directoryKey(directory) ? opened : undefined;
    },
  };
  return step;
}

function pendingOf({ directory }: LoginSession, signedIn: SignedIn): PendingSignIn {
  const { person, provider, amr, provenAt, deviceToken, mayOfferPasskey = false } = signedIn;
  return { accountId: directoryKey(directory), person, provider, amr, provenAt, deviceToken, mayOfferPasskey };
}
