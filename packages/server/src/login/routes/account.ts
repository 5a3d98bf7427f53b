/** The account that a developer chooses, and the end of what a browser remembers of a sign-in. */

import type { PageId } from '@holdfast/contract';
import { readParameters } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { daySeconds } from '../../common/time/durations.ts';
import type { HandlersOf } from '../../http/operation-request.ts';
import { neverKept } from '../../http/replies/caching.ts';
import { emptyReply } from '../../http/replies/reply.ts';
import type { Login } from '../login.ts';
import { continuePage } from '../pages/continue.ts';
import { callbackFields } from '../return-to-client.ts';
import { isReply } from '../session/login-session.ts';

type AccountPageId = Extract<PageId, 'chooseAccount' | 'forgetSignIn'>;

/** How long a browser keeps which account was chosen: 400 days, the most that browsers allow. */
const chosenSeconds = 400 * daySeconds;

/** Returns the routes. */
export function accountPages(login: Login): HandlersOf<AccountPageId> {
  return {
    async chooseAccount(request) {
      login.requireServed(request);
      const form = readParameters(await login.readForm(request));
      const fault = login.formFault(request, form);
      if (fault !== undefined) return login.refuseForm(request, fault);
      const session = await login.openSession(request);
      if (isReply(session)) return session;
      const idToken = form.get('idp_id_token') ?? '';
      const accounts = await login.accountsOf(idToken);
      const chosen = accounts.find(({ accountId }) => accountId === form.get('account_id'));
      // The page was left open until the proof expired, or the membership ended meanwhile.
      if (chosen === undefined) return session.goTo('/authorize');
      const { accountId } = chosen;
      const fields = callbackFields(session, idToken, accountId);
      return session.reply(continuePage(session.view, { callback: login.callback(), fields, isForAnyProgram: false }), {
        headers: login.cookies.set('chosen', accountId, chosenSeconds),
      });
    },
    async forgetSignIn(request) {
      login.requireServed(request);
      if (!login.isSameOrigin(request)) throw new Refusal('forbidden', 'the request comes from another site');
      return emptyReply(204, [...neverKept, ...login.cookies.clear('signed_in')]);
    },
  };
}
