/** Users of the client who sign in with the forms of the login page. */
import { type AuthOptions, createAuth, memoryStorage } from '@holdfast/client';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import type { LoginClient, LoginWorld } from '../login/world.ts';

const password = 'correct horse battery';
let people = 0;

/** Replaces `localhost`, the login world's public host name, with its address. */
export const near = (url: string) => url.replace('//localhost:', '//127.0.0.1:');

export interface Person {
  readonly address: string;
  /** The login page's last redirect. */
  readonly returned: string;
  /** Opens the login page and signs in. */
  openUrl(url: string): Promise<void>;
}

/** Signs up a person with a form client. It signs in at the login page and follows the redirect to the app. */
export async function newPerson(
  world: LoginWorld,
  client?: LoginClient,
  redirectUri: string = world.appUri,
): Promise<Person> {
  const form = createFormClient(world.baseUrl);
  const address = `person-${++people}@mail.example`;
  const authorizeUrl: LoginWorld['authorizeUrl'] = (client, changes, path) =>
    world.authorizeUrl(client, { redirect_uri: redirectUri, ...changes }, path);
  await signUpByForms({ ...world, authorizeUrl }, form, address, password, client);
  let returned = '';
  return {
    address,
    get returned() {
      return returned;
    },
    async openUrl(url: string) {
      const page = await form.get(near(url));
      const next = await form.send(page, '/authorize/sign-in', { email: address, password });
      const last = next.location === null ? next : await form.get(next.location);
      const back = await form.send(last, '/v1/auth/authorize/callback', {});
      returned = back.location ?? '';
    },
  };
}

/** Options of `createAuth` for a project's players, or for developers. */
export function authOptionsOf(
  world: LoginWorld,
  client: LoginClient | undefined,
  more: Partial<AuthOptions> = {},
): AuthOptions {
  const [accountId = '', project = ''] = client?.clientId.split('.') ?? [];
  return {
    baseUrl: near(world.baseUrl),
    accountId,
    project,
    environment: 'production',
    redirectUri: world.appUri,
    ...(client === undefined && { developer: true }),
    storage: memoryStorage(),
    ...more,
  };
}

/** Signs in a new person. Returns both, with the result of the redirect. */
export async function signedIn(world: LoginWorld, client: LoginClient | undefined, more: Partial<AuthOptions> = {}) {
  const person = await newPerson(world, client);
  const auth = createAuth(authOptionsOf(world, client, { openUrl: person.openUrl, ...more }));
  await auth.signIn({ returnTo: '/level/7' });
  return { person, auth, completed: await auth.handleRedirect(person.returned) };
}
