/** The handler of every login page, by its operation. */
import type { PageId } from '@holdfast/contract';
import { consoleRedirectUri } from '../common/program/console-addresses.ts';
import type { Handlers } from '../http/operation-request.ts';
import { createLoginContext, type LoginContext } from './login-context.ts';
import type { PageDependencies, SignInProvider } from './login-dependencies.ts';
import { ownAccountPages } from './own-account/routes/own-account.ts';
import { seeOther } from './page-reply.ts';
import { createRouteTools } from './route-tools.ts';
import { accountPages } from './routes/account.ts';
import { federatedPages } from './routes/federated.ts';
import { invitationPages } from './routes/invitation.ts';
import { outsidePages } from './routes/outside.ts';
import { passkeyPages } from './routes/passkey.ts';
import { passwordPages } from './routes/password.ts';
import { resetPages } from './routes/reset.ts';
import { secondStepPages } from './routes/second-step.ts';
import { createSecondStep } from './second-step.ts';
import type { LoginSession } from './session/login-session.ts';
import type { RememberedSignIn } from './session/remembered-sign-ins.ts';
import { createSignInMethods } from './sign-in-methods.ts';

/** Returns the handlers of all login pages of this provider. */
export function createLoginRoutes(parts: PageDependencies, provider: SignInProvider): Pick<Handlers, PageId> {
  const context = createLoginContext(parts);
  const shared = { ...invitationPages(context), ...accountPages(parts, context) };
  if (provider.kind === 'outside') return { ...outsidePages(parts, context, provider.handOver), ...shared };
  const secondStep = createSecondStep(provider);
  const methods = createSignInMethods(parts, context, provider, secondStep);
  const tools = createRouteTools(context, provider, methods, parts.playerData);
  return {
    readLoginPage: async (request) => {
      const elsewhere = context.elsewhere(request);
      if (elsewhere !== undefined) return seeOther(`${elsewhere}?${request.query}`);
      const show = async (session: LoginSession) => {
        const prompt = session.parameters.get('prompt');
        const hasForm = tools.methods.hasPassword(session) && tools.methods.canSignUp(session);
        if (prompt === 'create' && hasForm) return session.goTo('/authorize/sign-up');
        const signIn = prompt === undefined ? await rememberedFor(parts, context, session) : undefined;
        return signIn === undefined ? tools.methods.show(session) : tools.methods.finish(session, signIn);
      };
      return tools.show(show)(request);
    },
    ...passwordPages(tools),
    ...resetPages(tools),
    ...passkeyPages(tools),
    ...federatedPages(tools),
    ...secondStepPages(tools, secondStep),
    ...ownAccountPages(tools),
    ...shared,
  };
}

/**
 * The developer who signed in with this browser, for the console to switch to another account of the same developer. Any other client, and
 * a request without an account, gets the sign-in methods: a stranger's link must not start anything.
 */
async function rememberedFor(
  { rememberedSignIns, baseUrl }: PageDependencies,
  { cookies }: LoginContext,
  { request, parameters, invitation, browser, headers }: LoginSession,
): Promise<RememberedSignIn | undefined> {
  const isConsole = request.client.kind === 'developer' && request.redirectUri === consoleRedirectUri(baseUrl());
  if (!isConsole || invitation !== undefined || parameters.get('account_id') === undefined) return undefined;
  return rememberedSignIns.recall(browser, cookies.read(headers, 'signed_in'));
}
