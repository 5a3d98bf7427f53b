/** The ways in that a client offers, and the way on from each of them. */
import type { Person } from '../../identity/built-in/directory.ts';
import { textsOf } from '../../login/language.ts';
import { continuePage } from '../../login/pages/continue.ts';
import { type SignInPage, signInPage } from '../../login/pages/sign-in.ts';
import type { Reply } from '../reply.ts';
import type { LoginParts } from './login.ts';
import type { BuiltIn } from './login-pages.ts';
import type { Reception, Visitor } from './login-visit.ts';

export interface ShowOptions extends Pick<SignInPage, 'email' | 'notice' | 'faults' | 'isAnswer'> {
  readonly status?: number;
  readonly headers?: readonly string[];
}

export interface Ways {
  /** Returns the page with the ways in. */
  show(visitor: Visitor, options?: ShowOptions): Promise<Reply>;
  /** Returns the page that says what went wrong with the way in that was tried. */
  refuse(visitor: Visitor, status: number, text: string, options?: ShowOptions): Promise<Reply>;
  /** Whether a client lets people in by password and passkey. */
  hasPassword(visitor: Visitor): boolean;
  /** Whether a client lets people in by a provider, and the name of that provider. */
  findProvider(visitor: Visitor, providerId: string): Promise<string | undefined>;
  canSignUp(visitor: Visitor): boolean;
  /** Returns the page that goes on to the client with a proof of the sign-in. */
  finish(visitor: Visitor, signedIn: SignedIn): Promise<Reply>;
}

export interface SignedIn {
  readonly person: Person;
  /** `password`, or the id of a federated provider. */
  readonly provider: string;
  /** Whether a passkey is worth having. */
  readonly mayOfferPasskey?: boolean;
  readonly isPasskeyKept?: boolean;
  readonly headers?: readonly string[];
}

/** What a client sends with a browser and the callback takes. */
const carriedNames = ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'scope'] as const;

/** Returns the fields that the callback is posted. @see docs/contract.md §7.4 */
export function callbackFields({ parameters }: Visitor, idToken: string): Readonly<Record<string, string>> {
  const carried = carriedNames.map((name) => [name, parameters.get(name)] as const);
  return {
    ...Object.fromEntries(
      carried.filter((field): field is [(typeof carriedNames)[number], string] => field[1] !== undefined),
    ),
    idp_id_token: idToken,
  };
}

/** Returns the ways in, as the client and its account have set them up. */
export function createWays(parts: LoginParts, reception: Reception, { passkeys, federation, idTokens }: BuiltIn): Ways {
  const allows = ({ request: { client } }: Visitor, id: string) =>
    client.kind === 'developer' || client.settings.allowedIdps.includes(id);
  const providersOf = async (visitor: Visitor) =>
    (await federation.providersOf(visitor.directory)).filter(({ id }) => allows(visitor, id));

  const ways: Ways = {
    hasPassword: (visitor) => allows(visitor, 'password'),
    findProvider: async (visitor, providerId) => (await providersOf(visitor)).find(({ id }) => id === providerId)?.name,
    canSignUp: ({ request }) => request.client.kind === 'end_user' || parts.developerSignup === 'open',

    async show(visitor, { status = 200, headers = [], ...page } = {}) {
      const { directory, browser, parameters, view } = visitor;
      const hasPassword = ways.hasPassword(visitor);
      const passkey = hasPassword && passkeys.isUsable() ? await passkeys.signInOptions(directory, browser) : undefined;
      const shown = signInPage(view, {
        providers: await providersOf(visitor),
        hasPassword,
        canSignUp: ways.canSignUp(visitor),
        passkey,
        email: parameters.get('login_hint')?.slice(0, 320),
        ...page,
      });
      return visitor.reply(shown, { status, headers });
    },

    refuse: (visitor, status, text, options = {}) =>
      ways.show(visitor, { isAnswer: true, ...options, status, notice: { isBad: true, text } }),

    async finish(visitor, { person, provider, mayOfferPasskey = false, isPasskeyKept = false, headers = [] }) {
      const { directory, browser, view } = visitor;
      const idToken = await idTokens.issue({ directory, person, provider });
      const isOffered = mayOfferPasskey && passkeys.isUsable() && !(await passkeys.has(directory, person.userId));
      const offer = isOffered ? await passkeys.registrationOptions(directory, browser, person) : undefined;
      const fields = callbackFields(visitor, idToken);
      const page = continuePage(view, { callback: reception.callback(), fields, offer, isPasskeyKept });
      return visitor.reply(page, { headers });
    },
  };
  return ways;
}

/** Returns the refusal of somebody for whom this client has no sign-in by password. */
export function refuseWay(ways: Ways, visitor: Visitor): Promise<Reply> {
  return ways.refuse(visitor, 403, textsOf(visitor.view.language).providerNotOffered);
}
