/** A project on a real server, with clients. */
import { type Client, type ClientOptions, createClient, type Types } from '@holdfast/client';
import { expect } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

/** The failure of a call while the service is unreachable: on a busy machine, a short timeout may end before the first attempt has failed. */
export const outOfReach = { code: expect.stringMatching(/^(network_error|timeout)$/), status: 0 };

export interface ClientWorld {
  readonly server: TestServer;
  newProject(): Promise<Project>;
  /** Creates a client with an API key of the project. */
  clientOf<T extends Types>(project: Project, more?: Partial<ClientOptions<T>>): Promise<Client<T>>;
  /** Creates a client with a player's token. */
  userClientOf<T extends Types>(project: Project, userId?: string, more?: Partial<ClientOptions<T>>): Promise<Client<T>>;
}

export async function openClientWorld(settings: Readonly<Record<string, string>> = {}): Promise<ClientWorld> {
  const server = await startServer({ settings });
  const common = ({ developer, slug }: Project) =>
    ({ baseUrl: server.baseUrl, accountId: developer.accountId, project: slug, environment: 'production' }) as const;
  return {
    server,
    newProject: () => server.newProject(),
    async clientOf<T extends Types>(project: Project, more: Partial<ClientOptions<T>> = {}) {
      const { apiKey } = await server.newApiKey(project);
      return createClient<T>({ ...common(project), auth: { apiKey }, ...more });
    },
    async userClientOf<T extends Types>(project: Project, userId = 'ada', more: Partial<ClientOptions<T>> = {}) {
      const { accountId } = project.developer;
      const accessToken = await server.running.accessTokens.signPlayerToken({
        accountId,
        slug: project.slug,
        environment: 'production',
        userId,
        seconds: 900,
      });
      return createClient<T>({ ...common(project), auth: { accessToken }, ...more });
    },
  };
}
