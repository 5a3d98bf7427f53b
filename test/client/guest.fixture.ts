/** A service with a project that admits guests. */
import { createClient, type TextStorage } from '@holdfast/client';
import { type Project, startServer, type TestServer } from '../support/server.ts';

export interface GuestWorld {
  readonly server: TestServer;
  readonly project: Project;
}

export async function openGuestWorld(): Promise<GuestWorld> {
  const server = await startServer({ settings: { SVC_ACCESS_TOKEN_SECONDS: '5', SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
  return { server, project: await newGuestProject(server) };
}

export async function newGuestProject(server: TestServer): Promise<Project> {
  const created = await server.newProject();
  await server.call('PUT', `${created.path}/auth/end-user/config`, {
    headers: created.developer.bearer,
    body: { enabled: true, allowedIdps: ['anonymous'] },
  });
  return created;
}

export const placeOf = (server: TestServer, { developer, slug }: Project) =>
  ({ baseUrl: server.baseUrl, accountId: developer.accountId, project: slug, environment: 'production' }) as const;

/** A client of a guest with the key in a storage. */
export const play = (
  { server, project }: GuestWorld,
  storage: TextStorage,
  more: { readonly baseUrl?: string; readonly fetch?: typeof fetch } = {},
) =>
  createClient<{ userState: { coins: number } }>({
    ...placeOf(server, project),
    auth: { guest: true, storage },
    ...more,
  });
export const earn = (client: ReturnType<typeof play>) =>
  client.userState.update((draft) => ({ coins: draft.coins + 1 }), { initial: { coins: 0 } });

/** Returns a `fetch` that counts token and nonce requests. */
export function counting() {
  const counted = { requests: 0 };
  const counter: typeof fetch = (input, init) => {
    if (/\/v1\/auth\/(token|nonce)$/.test(String(input))) counted.requests++;
    return fetch(input, init);
  };
  return { counted, fetch: counter };
}
