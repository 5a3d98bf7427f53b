/** A real server in this process, on a free loopback port, with separate storage. */
import { readConfig } from '../../packages/server/src/config/config.ts';
import { quickHash } from '../../packages/server/src/identity/built-in/passwords/quick-hash.fixture.ts';
import { type Running, type ServeOptions, serve } from '../../packages/server/src/main.ts';
import { createAccount } from '../../packages/server/src/management/accounts.ts';
import { expectStatus } from '../../tooling/api.ts';
import { type Answer, type CallOptions, call } from './client.ts';
import { openPlace, type Place } from './place.ts';

/** An account with a developer token. */
export interface Developer {
  readonly accountId: string;
  readonly token: string;
  readonly bearer: { readonly Authorization: string };
}

export interface Project {
  readonly developer: Developer;
  readonly slug: string;
  /** `/v1/{accountId}/projects/{slug}` */
  readonly path: string;
}

export interface TestServer {
  readonly running: Running;
  readonly baseUrl: string;
  readonly place: Place;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  newDeveloper(name?: string): Promise<Developer>;
  newProject(developer?: Developer): Promise<Project>;
  /** Number of open change streams or long polls. The server needs `SVC_METRICS_PORT`. */
  openStreams(kind: 'public_stream' | 'public_poll'): Promise<number>;
  newApiKey(project: Project, options?: Readonly<Record<string, unknown>>): Promise<{ id: string; apiKey: string }>;
  stop(): Promise<void>;
}

export interface TestServerOptions extends ServeOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** An existing place, which is kept. By default a new one is created and removed. */
  readonly place?: Place;
}

/** For tests that wait until a write times out. */
export const shortAnswerTimeout: Readonly<Record<string, string>> = { SVC_DATABASE_ANSWER_MILLISECONDS: '2400' };

/** Starts a server. `settings` are environment variables in addition to those of its place. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const place = options.place ?? (await openPlace());
  const read = readConfig({
    SVC_HOST: '127.0.0.1',
    SVC_PORT: '0',
    SVC_DATA_DIR: place.dataDir,
    ...place.settings,
    SVC_RATE_LIMIT_PER_MINUTE: '0',
    SVC_LOG_LEVEL: 'error',
    ...options.settings,
  });
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const running = await serve(read.config, { argon2id: quickHash, ...options });
  let projects = 0;

  const server: TestServer = {
    running,
    baseUrl: running.baseUrl,
    place,
    call: (method, path, callOptions) => call(running.baseUrl, method, path, callOptions),
    async newDeveloper(name = 'Test') {
      const { accountId } = await createAccount(running.store, { name }, Date.now());
      const token = await running.accessTokens.signDeveloperToken({
        accountId,
        subject: 'operator',
        actsAs: 'operator',
        seconds: 900,
      });
      return { accountId, token, bearer: { Authorization: `Bearer ${token}` } };
    },
    async newProject(given) {
      const developer = given ?? (await server.newDeveloper());
      const slug = `p-${++projects}`;
      const headers = developer.bearer;
      const path = `/v1/${developer.accountId}/projects`;
      expectStatus(await server.call('POST', path, { headers, body: { slug } }), 201);
      return { developer, slug, path: `${path}/${slug}` };
    },
    async openStreams(kind) {
      const page = await (await fetch(running.metricsUrl as string)).text();
      return Number(new RegExp(`^holdfast_streams\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(page)?.[1]);
    },
    async newApiKey(project, body = {}) {
      const headers = project.developer.bearer;
      const options = { headers, body: { name: 'test', ...body } };
      const answer = expectStatus(await server.call('POST', `${project.path}/api-keys`, options), 201);
      return answer.json as { id: string; apiKey: string };
    },
    async stop() {
      await running.stop();
      if (options.place === undefined) await place.remove();
    },
  };
  return server;
}
