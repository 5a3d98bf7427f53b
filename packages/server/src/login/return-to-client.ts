/** The step from the proof of a sign-in to the client. Developers first choose an account. */
import type { Reply } from '../http/replies/reply.ts';
import { isOfAnyProgram } from '../oauth/redirect-match.ts';
import type { Login } from './login.ts';
import type { OfferedAccount } from './login-dependencies.ts';
import { chooseAccountPage, noAccountPage } from './pages/choose-account.ts';
import { type ContinuePage, continuePage } from './pages/continue.ts';
import type { LoginSession } from './session/login-session.ts';

/** Parameters that a client sends with a browser and the callback receives. */
const carriedNames = ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'scope'] as const;

/** Returns the form fields for the callback. @see docs/contract.md §7.4 */
export function callbackFields(
  { parameters, invitation }: LoginSession,
  idToken: string,
  accountId?: string | undefined,
): Readonly<Record<string, string>> {
  const carried = carriedNames.map((name) => [name, parameters.get(name)] as const);
  return {
    ...Object.fromEntries(
      carried.filter((field): field is [(typeof carriedNames)[number], string] => field[1] !== undefined),
    ),
    ...(invitation !== undefined && { invitation }),
    ...(accountId !== undefined && { account_id: accountId }),
    idp_id_token: idToken,
  };
}

export interface ReturnToClient extends Pick<ContinuePage, 'offer' | 'isPasskeyKept'> {
  readonly idToken: string;
  /** Whether the developer has been here before. If so and without an account, they are asked whether to create one. */
  readonly isKnown?: boolean;
  readonly headers?: readonly string[];
}

/** Returns the page that passes the proof of a sign-in to the client. A developer with several accounts chooses one first. */
export async function returnToClient(
  login: Login,
  session: LoginSession,
  { idToken, isKnown = false, headers = [], ...page }: ReturnToClient,
): Promise<Reply> {
  const { view, request, invitation, parameters } = session;
  const goTo = (accountId?: string) => {
    const fields = callbackFields(session, idToken, accountId);
    const isForAnyProgram = isOfAnyProgram(request);
    return session.reply(continuePage(view, { callback: login.callback(), fields, isForAnyProgram, ...page }), {
      headers,
    });
  };
  if (request.client.kind !== 'developer' || invitation !== undefined) return goTo();
  const accounts = await login.accountsOf(idToken);
  const wanted = accounts.find(({ accountId }) => accountId === parameters.get('account_id'));
  if (wanted !== undefined) return goTo(wanted.accountId);
  if (accounts.length > 1) {
    const chosen = login.cookies.read(session.headers, 'chosen');
    return session.reply(chooseAccountPage(view, { idToken, accounts: lastFirst(accounts, chosen), chosen }), { headers });
  }
  if (accounts.length > 0 || !isKnown || login.developerSignup === 'closed') return goTo();
  const form = { callback: login.callback(), fields: callbackFields(session, idToken) };
  return session.reply(noAccountPage(view, form), { headers });
}

/** Lists the account that was chosen last first, then the others in order. */
function lastFirst(accounts: readonly OfferedAccount[], chosen: string | undefined): readonly OfferedAccount[] {
  const isChosen = ({ accountId }: OfferedAccount) => accountId === chosen;
  return [...accounts.filter(isChosen), ...accounts.filter((account) => !isChosen(account))];
}
