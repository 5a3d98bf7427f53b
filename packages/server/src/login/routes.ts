/** The handler of every login page, by its operation. */
import type { PageId } from '@holdfast/contract';
import type { Handlers } from '../http/operation-request.ts';
import { createLoginContext } from './login-context.ts';
import type { IdentityProvider, PageParts } from './login-parts.ts';
import type { LoginSession } from './login-session.ts';
import { seeOther } from './page-reply.ts';
import { createRouteTools } from './route-tools.ts';
import { federatedPages } from './routes/federated.ts';
import { invitationPages } from './routes/invitation.ts';
import { outsidePages } from './routes/outside.ts';
import { ownAccountPages } from './routes/own-account.ts';
import { passkeyPages } from './routes/passkey.ts';
import { passwordPages } from './routes/password.ts';
import { resetPages } from './routes/reset.ts';
import { secondStepPages } from './routes/second-step.ts';
import { createSecondStep } from './second-step.ts';
import { createSignInMethods } from './sign-in-methods.ts';

/** Returns the handlers of all login pages that there are for this provider. */
export function createLoginRoutes(parts: PageParts, provider: IdentityProvider): Pick<Handlers, PageId> {
  const context = createLoginContext(parts);
  const invitation = invitationPages(context);
  if (provider.kind === 'outside') return { ...outsidePages(context, provider.handOver), ...invitation };
  const secondStep = createSecondStep(provider);
  const tools = createRouteTools(context, provider, createSignInMethods(parts, context, provider, secondStep));
  return {
    readLoginPage: async (request) => {
      const elsewhere = context.elsewhere(request);
      if (elsewhere !== undefined) return seeOther(`${elsewhere}?${request.query}`);
      const show = (session: LoginSession) =>
        session.parameters.get('prompt') === 'create' ? session.goTo('/authorize/sign-up') : tools.methods.show(session);
      return tools.show(show)(request);
    },
    ...passwordPages(tools),
    ...resetPages(tools),
    ...passkeyPages(tools),
    ...federatedPages(tools),
    ...secondStepPages(tools, secondStep),
    ...ownAccountPages(tools),
    ...invitation,
  };
}
