/** The page *Your sign-in*, for people who have just signed in. @see docs/sign-in-security.md */
import type { PageId } from '@holdfast/contract';
import type { HandlersOf, OperationRequest } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import { settingsActions } from '../account-settings/account-actions.ts';
import { visitOf } from '../account-settings/settings-visit.ts';
import type { BuiltInLogin } from '../built-in-login.ts';
import type { LoginSession } from '../session/login-session.ts';
import { leaveVisit, readVisit, type VisitProof } from '../session/visit-proof.ts';

type AccountSettingsPageId = Extract<PageId, 'readOwnAccountPage' | 'changeOwnAccount'>;

/** Returns the routes of the page. */
export function accountSettingsPages(login: BuiltInLogin): HandlersOf<AccountSettingsPageId> {
  const forAccount = <Request extends { readonly query: string }>(request: Request): Request =>
    /(?:^|&)purpose=/.test(request.query) ? request : { ...request, query: `${request.query}&purpose=account` };
  const show = login.show((session) => open(session, (proof) => visitOf(login, session, proof).show()));
  const change = login.take(
    (session, form, { by }: OperationRequest<'changeOwnAccount'>) =>
      open(session, (proof) => {
        const act = settingsActions.get(form.get('action') ?? '');
        const visit = visitOf(login, session, proof, form);
        return act === undefined ? visit.show({ status: 422 }) : act(visit, by);
      }),
    async (session, form, notice) => {
      const proof = await readVisit(login, session);
      return proof === undefined
        ? login.methods.show(session, { status: 403, notice })
        : visitOf(login, session, proof, form).show({ notice, status: 403 });
    },
  );
  return {
    readOwnAccountPage: (request) => show(forAccount(request)),
    changeOwnAccount: (request) => change(forAccount(request)),
  };

  /** Sends a browser to a sign-in if its user has not just signed in. */
  async function open(session: LoginSession, make: (proof: VisitProof) => Promise<Reply> | Reply): Promise<Reply> {
    const proof = await readVisit(login, session);
    return proof === undefined ? session.goTo('/authorize', leaveVisit(login, session)) : make(proof);
  }
}
