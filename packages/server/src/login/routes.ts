/** The handler of every login page, by its operation. */
import type { PageId } from '@holdfast/contract';
import { consoleRedirectUri } from '../common/net/console-addresses.ts';
import type { Handlers } from '../http/operation-request.ts';
import { type BuiltInLogin, createBuiltInLogin } from './built-in-login.ts';
import { createLogin, type Login } from './login.ts';
import type { LoginDependencies, SignInProvider } from './login-dependencies.ts';
import { seeOther } from './page-reply.ts';
import { accountPages } from './routes/account.ts';
import { accountSettingsPages } from './routes/account-settings.ts';
import { federatedPages } from './routes/federated.ts';
import { invitationPages } from './routes/invitation.ts';
import { outsidePages } from './routes/outside.ts';
import { passkeyPages } from './routes/passkey.ts';
import { passwordPages } from './routes/password.ts';
import { resetPages } from './routes/reset.ts';
import { secondStepPages } from './routes/second-step.ts';
import type { LoginSession } from './session/login-session.ts';
import type { RememberedSignIn } from './session/remembered-sign-ins.ts';

/** Returns the handlers of all login pages of this provider. `turn` resolves when another page may be made. */
export function createLoginRoutes(
  dependencies: LoginDependencies,
  turn: () => Promise<void>,
  provider: SignInProvider,
): Pick<Handlers, PageId> {
  const login = createLogin(dependencies, turn);
  const shared = { ...invitationPages(login), ...accountPages(login) };
  return provider.kind === 'outside'
    ? { ...outsidePages(login, provider.handOver), ...shared }
    : { ...builtInPages(createBuiltInLogin(login, provider)), ...shared };
}

function builtInPages(login: BuiltInLogin): Pick<Handlers, PageId> {
  const { methods } = login;
  const show = login.show(async (session) => {
    const prompt = session.parameters.get('prompt');
    const hasForm = methods.hasPassword(session) && methods.canSignUp(session);
    if (prompt === 'create' && hasForm) return session.goTo('/authorize/sign-up');
    const signIn = prompt === undefined ? await rememberedFor(login, session) : undefined;
    return signIn === undefined ? methods.show(session) : methods.finish(session, signIn);
  });
  return {
    readLoginPage: async (request) => {
      const elsewhere = login.elsewhere(request);
      return elsewhere === undefined ? show(request) : seeOther(`${elsewhere}?${request.query}`);
    },
    ...passwordPages(login),
    ...resetPages(login),
    ...passkeyPages(login),
    ...federatedPages(login),
    ...secondStepPages(login),
    ...accountSettingsPages(login),
  };
}

/**
 * The developer who signed in with this browser, for the console to switch to another account of the same developer. Any other client, and
 * a request without an account, gets the sign-in methods: a stranger's link must not start anything.
 */
async function rememberedFor(
  { rememberedSignIns, baseUrl, cookies }: Login,
  { request, parameters, invitation, browser, headers }: LoginSession,
): Promise<RememberedSignIn | undefined> {
  const isConsole = request.client.kind === 'developer' && request.redirectUri === consoleRedirectUri(baseUrl());
  if (!isConsole || invitation !== undefined || parameters.get('account_id') === undefined) return undefined;
  return rememberedSignIns.recall(browser, cookies.read(headers, 'signed_in'));
}
