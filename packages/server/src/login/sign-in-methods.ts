/** The sign-in methods of a client, and how sign-in continues after each. */

import type { OfferedProvider } from '@holdfast/contract';
import { consoleRedirectUri } from '../common/net/console-addresses.ts';
import { isOnThisComputer } from '../common/text/redirect-uri.ts';
import type { Reply } from '../http/replies/reply.ts';
import { deviceSeconds } from '../identity/built-in/device-token.ts';
import { textsOf } from './language.ts';
import type { Login } from './login.ts';
import type { BuiltIn } from './login-dependencies.ts';
import { type SignInPage, signInPage } from './pages/sign-in.ts';
import { returnToClient } from './return-to-client.ts';
import type { SecondStep } from './second-step.ts';
import type { LoginSession } from './session/login-session.ts';
import { rememberedSeconds } from './session/remembered-sign-ins.ts';
import type { SignedIn } from './session/signed-in.ts';
import { visitCookie } from './session/visit-proof.ts';

interface ShowOptions extends Pick<SignInPage, 'email' | 'notice' | 'faults' | 'isAnswer'> {
  readonly status?: number;
  readonly headers?: readonly string[];
}

export interface SignInMethods {
  /** Returns the page with the sign-in methods. */
  show(session: LoginSession, options?: ShowOptions): Promise<Reply>;
  /** Returns the page that says why a method failed. */
  refuse(session: LoginSession, status: number, text: string, options?: ShowOptions): Promise<Reply>;
  /** Whether a client allows password and passkey. */
  hasPassword(session: LoginSession): boolean;
  /** The providers that a client allows, in its order. */
  providersOf(session: LoginSession): Promise<readonly OfferedProvider[]>;
  /** The name of a provider if the client allows it. */
  findProvider(session: LoginSession, providerId: string): Promise<string | undefined>;
  canSignUp(session: LoginSession): boolean;
  /** Returns the page that passes the proof of the sign-in to the client. */
  finish(session: LoginSession, signedIn: SignedIn): Promise<Reply>;
}

/** Returns the sign-in methods, as configured by the client and its account. */
export function createSignInMethods(login: Login, builtIn: BuiltIn, secondStep: SecondStep): SignInMethods {
  const { passkeys, federation, idTokens } = builtIn;
  const allows = ({ request: { client } }: LoginSession, id: string) =>
    client.kind === 'developer' || client.settings.allowedIdps.includes(id);
  const providersOf = async (session: LoginSession) => {
    const providers = await federation.providersOf(session.directory);
    const { client } = session.request;
    if (client.kind === 'developer') return providers;
    return client.settings.allowedIdps.flatMap((id) => providers.find((provider) => provider.id === id) ?? []);
  };

  /** Returns the page that passes the proof of a complete sign-in to the client. */
  async function continueSignIn(session: LoginSession, signedIn: SignedIn, headers: readonly string[]): Promise<Reply> {
    const { person, provider, amr, provenAt, isNew = false, mayOfferPasskey = false, isPasskeyKept = false } = signedIn;
    const { directory, browser } = session;
    const idToken = await idTokens.issue({ directory, person, provider, amr, provenAt });
    const isOffered = mayOfferPasskey && passkeys.isUsable() && !(await passkeys.has(directory, person.userId));
    const proof = { amr, provenAt };
    const offer = isOffered ? await passkeys.registrationOptions(directory, browser, person, proof) : undefined;
    return returnToClient(login, session, {
      idToken,
      offer,
      isPasskeyKept,
      isKnown: provider === 'password' && !isNew && !isPasskeyKept,
      headers: [...headers, ...rememberSignIn(login, session, { person, provider, amr, provenAt })],
    });
  }

  const methods: SignInMethods = {
    hasPassword: (session) => allows(session, 'password'),
    providersOf,
    findProvider: async (session, providerId) => (await providersOf(session)).find(({ id }) => id === providerId)?.name,
    canSignUp: ({ request, invitation, isForAccountSettings }) =>
      !isForAccountSettings &&
      (request.client.kind === 'end_user' || login.developerSignup === 'open' || invitation !== undefined),

    async show(session, { status = 200, headers = [], ...page } = {}) {
      const { directory, browser, parameters, view } = session;
      const hasPassword = methods.hasPassword(session);
      const passkey = hasPassword && passkeys.isUsable() ? await passkeys.signInOptions(directory, browser) : undefined;
      const shown = signInPage(view, {
        providers: await providersOf(session),
        hasPassword,
        canSignUp: methods.canSignUp(session),
        isByInvitation: !session.isForAccountSettings && !methods.canSignUp(session),
        hasDemoLink: isConsoleHere(session, login.baseUrl()),
        passkey,
        email: parameters.get('login_hint')?.slice(0, 320),
        ...page,
      });
      return session.reply(shown, { status, headers });
    },

    refuse: (session, status, text, options = {}) =>
      methods.show(session, { isAnswer: true, ...options, status, notice: { isBad: true, text } }),

    async finish(session, signedIn) {
      const { deviceToken, headers = [] } = signedIn;
      const waiting = await secondStep.next(session, signedIn);
      if (waiting !== undefined) return { ...waiting, headers: [...waiting.headers, ...headers] };
      const device = deviceToken === undefined ? [] : login.cookies.set('device', deviceToken, deviceSeconds);
      if (!session.isForAccountSettings) return continueSignIn(session, signedIn, [...headers, ...device]);
      const visit = visitCookie({ cookies: login.cookies, provider: builtIn }, session, signedIn);
      return session.goTo('/account', [...visit, ...headers, ...device]);
    },
  };
  return methods;
}

/** Whether the console asks, and on the computer of the service. */
const isConsoleHere = ({ request, isForAccountSettings }: LoginSession, baseUrl: string): boolean =>
  !isForAccountSettings && request.redirectUri === consoleRedirectUri(baseUrl) && isOnThisComputer(request.redirectUri);

/** Returns the page that says that this client does not offer the method. */
export function refuseMethod(methods: SignInMethods, session: LoginSession): Promise<Reply> {
  return methods.refuse(session, 403, textsOf(session.view.language).providerNotOffered);
}

/** Returns the header that remembers a developer's sign-in for switching accounts. */
function rememberSignIn(
  { authFrontUrl, baseUrl, cookies, rememberedSignIns }: Login,
  { browser, directory }: LoginSession,
  signIn: SignedIn,
): readonly string[] {
  const isHere = new URL(authFrontUrl()).origin === new URL(baseUrl()).origin; // the console reaches no other
  const kept = directory.kind === 'developers' && isHere ? rememberedSignIns.keep(browser, signIn) : undefined;
  return kept === undefined ? [] : cookies.set('signed_in', kept, rememberedSeconds);
}
