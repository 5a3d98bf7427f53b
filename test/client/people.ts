/** People who sign in at the login page through the client, by its forms. */
import { type AuthOptions, createAuth, memoryStorage } from '@holdfast/client';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import type { LoginClient, LoginWorld } from '../login/world.ts';

const password = 'correct horse battery';
let people = 0;

/** The address as it is reached: the login world names itself `localhost`. */
export const near = (url: string) => url.replace('//localhost:', '//127.0.0.1:');

export interface Person {
  readonly address: string;
  /** Where the login page led back to last. */
  readonly returned: string;
  /** Goes to the login page and signs in there. */
  openUrl(url: string): Promise<void>;
}

/** A person at a browser without windows, who is signed in at the login page and comes back to the app. */
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

/** What `createAuth` takes for a project, or for developers. */
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

/** Somebody new who has signed in, and the sign-in. */
export async function signedIn(world: LoginWorld, client: LoginClient | undefined, more: Partial<AuthOptions> = {}) {
  const person = await newPerson(world, client);
  const auth = createAuth(authOptionsOf(world, client, { openUrl: person.openUrl, ...more }));
  await auth.signIn({ returnTo: '/level/7' });
  return { person, auth, completed: await auth.handleRedirect(person.returned) };
}
