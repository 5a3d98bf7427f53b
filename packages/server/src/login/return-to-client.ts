/** From the proof of a sign-in to the client: for developers, by way of the account that they want. */
import type { Reply } from '../http/reply.ts';
import { isOfAnyProgram } from '../oauth/redirect-match.ts';
import type { LoginContext } from './login-context.ts';
import type { LoginDependencies, OfferedAccount } from './login-dependencies.ts';
import type { LoginSession } from './login-session.ts';
import { chooseAccountPage, noAccountPage } from './pages/choose-account.ts';
import { type ContinuePage, continuePage } from './pages/continue.ts';

/** What a client sends with a browser and the callback takes. */
const carriedNames = ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'scope'] as const;

/** Returns the fields of the form for the callback. @see docs/contract.md §7.4 */
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
  /** Whether the developer has been here before: without any account, they are asked whether they want one. */
  readonly isKnown?: boolean;
  readonly headers?: readonly string[];
}

/** Returns the page that sends the proof of a sign-in on to the client; for a developer of several accounts, the question which one. */
export async function returnToClient(
  parts: LoginDependencies,
  context: LoginContext,
  session: LoginSession,
  { idToken, isKnown = false, headers = [], ...page }: ReturnToClient,
): Promise<Reply> {
  const { view, request, invitation, parameters } = session;
  const goTo = (accountId?: string) => {
    const fields = callbackFields(session, idToken, accountId);
    const isForAnyProgram = isOfAnyProgram(request);
    return session.reply(continuePage(view, { callback: context.callback(), fields, isForAnyProgram, ...page }), {
      headers,
    });
  };
  if (request.client.kind !== 'developer' || invitation !== undefined) return goTo();
  const accounts = await parts.accountsOf(idToken);
  const wanted = accounts.find(({ accountId }) => accountId === parameters.get('account_id'));
  if (wanted !== undefined) return goTo(wanted.accountId);
  if (accounts.length > 1) {
    const chosen = context.cookies.read(session.headers, 'chosen');
    return session.reply(chooseAccountPage(view, { idToken, accounts: lastFirst(accounts, chosen), chosen }), { headers });
  }
  if (accounts.length > 0 || !isKnown || parts.developerSignup === 'closed') return goTo();
  const form = { callback: context.callback(), fields: callbackFields(session, idToken) };
  return session.reply(noAccountPage(view, form), { headers });
}

/** The account that was chosen last comes first, and the others in their order. */
function lastFirst(accounts: readonly OfferedAccount[], chosen: string | undefined): readonly OfferedAccount[] {
  const isChosen = ({ accountId }: OfferedAccount) => accountId === chosen;
  return [...accounts.filter(isChosen), ...accounts.filter((account) => !isChosen(account))];
}
