/** The page *Your sign-in*, for people who have just signed in. @see docs/sign-in-security.md */
import type { PageId } from '@holdfast/contract';
import type { HandlersOf, OperationRequest } from '../../../http/operation-request.ts';
import type { Reply } from '../../../http/replies/reply.ts';
import type { RouteTools } from '../../route-tools.ts';
import type { LoginSession } from '../../session/login-session.ts';
import { contextOf, showPage } from '../own-account-context.ts';
import { leaveVisit, type OwnVisit, readVisit } from '../own-account-visit.ts';
import { ownActions } from './own-account-actions.ts';

type OwnAccountPageId = Extract<PageId, 'readOwnAccountPage' | 'changeOwnAccount'>;

/** Returns the routes of the page. */
export function ownAccountPages(tools: RouteTools): HandlersOf<OwnAccountPageId> {
  const { context } = tools;
  const forAccount = <Request extends { readonly query: string }>(request: Request): Request =>
    /(?:^|&)purpose=/.test(request.query) ? request : { ...request, query: `${request.query}&purpose=account` };
  const visitOf = async (session: LoginSession) =>
    session.isForOwnAccount ? readVisit(context, tools.provider, session) : undefined;
  const show = tools.show((session) => open(session, (visit) => showPage(tools, session, visit)));
  const change = tools.take(
    (session, form, { by }: OperationRequest<'changeOwnAccount'>) =>
      open(session, (visit) => {
        const act = ownActions.get(form.get('action') ?? '');
        const own = contextOf(tools, session, visit, form);
        return act === undefined ? own.show({ status: 422 }) : act(own, by);
      }),
    async (session, _, notice) => {
      const visit = await visitOf(session);
      return visit === undefined
        ? tools.methods.show(session, { status: 403, notice })
        : showPage(tools, session, visit, { notice, status: 403 });
    },
  );
  return {
    readOwnAccountPage: (request) => show(forAccount(request)),
    changeOwnAccount: (request) => change(forAccount(request)),
  };

  /** Sends a browser to a sign-in if its user has not just signed in. */
  async function open(session: LoginSession, make: (visit: OwnVisit) => Promise<Reply> | Reply): Promise<Reply> {
    const visit = await visitOf(session);
    return visit === undefined ? session.goTo('/authorize', leaveVisit(context, session)) : make(visit);
  }
}
