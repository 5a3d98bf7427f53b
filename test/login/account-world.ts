/** People who sign in by forms: developers with a second factor, and users of the page *Your sign-in*. */
import { hash, randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import {
  createFormClient,
  type FormClient,
  fillIn,
  type PageAnswer,
  signUpByForms,
  unescaped,
} from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

export const password = 'correct horse battery';
export const stepMilliseconds = 30_000;

const verifier = randomBytes(32).toString('base64url');
const code_challenge = hash('sha256', verifier, 'base64url');

interface Person {
  readonly address: string;
  readonly form: FormClient;
  /** The account created by the first sign-in; for players, that of the client. */
  readonly accountId: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export const titleOf = ({ text }: PageAnswer): string => unescaped(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '');
export const noticeOf = ({ text }: PageAnswer): string => unescaped(/id="notice"[^>]*><p>([^<]*)/.exec(text)?.[1] ?? '');
export const faultOf = ({ text }: PageAnswer): string => unescaped(/id="\w+-fault"[^>]*>([^<]*)/.exec(text)?.[1] ?? '');
export const recoveryOf = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = '']) => code);
export const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const csrfOf = ({ text }: PageAnswer) => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
const secretOf = ({ text }: PageAnswer) =>
  (/<code translate="no">([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');

/** Opens a server with its own clock, and the steps that people take there. */
export async function openAccountWorld(settings: Readonly<Record<string, string>> = {}) {
  const world = await openLoginWorld(settings);
  const clock = createClock(world);
  const exchange = createExchange(world);
  return { world, ...clock, ...exchange, ...createSteps(world, exchange, clock.now) };
}

export type AccountWorld = Awaited<ReturnType<typeof openAccountWorld>>;

/** The clock shared by the server and all apps. */
function createClock(world: LoginWorld) {
  let passed = 0;
  return {
    now: () => Date.now() + passed,
    pass(milliseconds: number) {
      world.pass(milliseconds);
      passed += milliseconds;
    },
  };
}

/** The return to the app, and its tokens. */
function createExchange(world: LoginWorld) {
  const token = async (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
    const target = world.baseUrl.replace('//localhost:', '//127.0.0.1:');
    const answer = await fetch(`${target}/v1/auth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ client_id: 'svc-developer', ...fields }),
    });
    return { status: answer.status, body: (await answer.json()) as Tokens & { readonly error?: string } };
  };
  return {
    /** Sends the page that continues to the app, and returns the address that the browser is sent to. */
    async comeBack(form: FormClient, page: PageAnswer): Promise<URL> {
      const { action, held } = fillIn(page.text, '/v1/auth/authorize/callback');
      const { location } = await form.post(action, held);
      if (location === null) throw new Error('the callback leads nowhere');
      return new URL(location);
    },
    async redeem(back: URL, client?: LoginClient, headers: Readonly<Record<string, string>> = {}): Promise<Tokens> {
      const code = back.searchParams.get('code');
      if (code === null) throw new Error(`no code: ${back.searchParams.get('error_description')}`);
      const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: world.appUri };
      const { status, body } = await token({ ...fields, ...(client && { client_id: client.clientId }) }, headers);
      if (status !== 200) throw new Error(`${status} for a code`);
      return body;
    },
    refresh: (tokens: Tokens, headers: Readonly<Record<string, string>> = {}, client?: LoginClient) =>
      token(
        {
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token,
          ...(client && { client_id: client.clientId }),
        },
        headers,
      ),
  };
}

/** Steps that people take on a test server. */
function createSteps(world: LoginWorld, { comeBack, redeem }: ReturnType<typeof createExchange>, now: () => number) {
  let people = 0;
  const accountUrl = (client?: LoginClient) => `/account?client_id=${client?.clientId ?? 'svc-developer'}`;
  const authorizeUrl = (client?: LoginClient) => world.authorizeUrl(client, { code_challenge });

  /** Sends the password on the first page. */
  async function enter(form: FormClient, address: string, url = authorizeUrl(), secret = password): Promise<PageAnswer> {
    const page = await form.get(url);
    return form.send(page, '/authorize/sign-in', { email: address, password: secret });
  }

  async function newPerson(client?: LoginClient): Promise<Person> {
    const address = `person-${++people}-${randomBytes(3).toString('hex')}@mail.example`;
    const form = createFormClient(world.baseUrl);
    await signUpByForms(world, form, address, password, client);
    const tokens = await redeem(await comeBack(form, await enter(form, address, authorizeUrl(client))), client);
    return { address, form, accountId: String(claimsOf(tokens.access_token).svc_account_id) };
  }

  /** Signs in for the page *Your sign-in*. */
  async function openAccount({ form, address }: Person, client?: LoginClient, code?: () => string): Promise<PageAnswer> {
    const first = await form.get(accountUrl(client));
    if (first.location === null) return first; // has just signed in
    let answer = await enter(form, address, first.location);
    if (code !== undefined) answer = await form.send(answer, '/authorize/second-step', { code: code() });
    if (answer.location === null) throw new Error(`not let in: ${titleOf(answer)}`);
    return form.get(answer.location);
  }

  /** Sends a form of the page *Your sign-in*. */
  const act = (
    { form }: Pick<Person, 'form'>,
    page: PageAnswer,
    action: string,
    fields: Readonly<Record<string, string>> = {},
    client?: LoginClient,
  ) => form.post(accountUrl(client), { csrf: csrfOf(page), action, ...fields });

  /** Returns the code that an app shows. */
  const codeOf = (secret: string, at = now()): string => new TOTP({ secret }).generate({ timestamp: at });

  /** Sets up an app on the page *Your sign-in*, which uses up its first code. */
  async function setUpApp(person: Person) {
    const page = await openAccount(person);
    const begun = await act(person, page, 'begin-second-factor');
    const secret = secretOf(begun);
    const ticket = /name="set_up" value="([^"]*)"/.exec(begun.text)?.[1] ?? '';
    const done = await act(person, begun, 'confirm-second-factor', { set_up: ticket, code: codeOf(secret) });
    return { page, begun, done, secret, recovery: recoveryOf(done) };
  }

  return { accountUrl, authorizeUrl, enter, newPerson, openAccount, act, codeOf, secretOf, setUpApp };
}

/** Changes an account as its operator. */
export async function updateAccount({ server }: LoginWorld, accountId: string, body: unknown) {
  const subject = 'operator';
  const bearer = await server.running.accessTokens.signDeveloperToken({
    accountId,
    subject,
    actsAs: 'operator',
    seconds: 900,
  });
  const headers = { Authorization: `Bearer ${bearer}` };
  const answer = await server.call('PATCH', `/v1/${accountId}`, { headers, body });
  return { status: answer.status, body: answer.json as Readonly<Record<string, unknown>> };
}
