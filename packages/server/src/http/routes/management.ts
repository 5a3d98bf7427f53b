/** Accounts, projects and API keys on the wire: each handler names the domain function and the status. */
import type { ApiKeyPrincipal } from '../../access/principal.ts';
import * as accounts from '../../management/accounts.ts';
import * as apiKeys from '../../management/api-keys.ts';
import * as projects from '../../management/projects.ts';
import { parseFormText } from '../../oauth/parameters.ts';
import type { ProjectKey, Store } from '../../storage/store.ts';
import type { Exchange, Handlers } from '../exchange.ts';
import { emptyReply, jsonReply, type Reply } from '../reply.ts';
import { bodyReader } from '../wire/body.ts';
import { pageBody, parsePageRequest } from '../wire/page.ts';

const readRename = bodyReader('RenameBody');
const readProjectCreation = bodyReader('CreateProjectBody');
const readApiKeyCreation = bodyReader('CreateApiKeyBody');

/** Records of the management surface name people and keys: nothing between here and the caller may keep them. */
const neverKept = ['Cache-Control', 'no-store'] as const;

const ok = (body: unknown): Reply => jsonReply(200, body, neverKept);
const created = (body: unknown): Reply => jsonReply(201, body, neverKept);
const done = (): Reply => emptyReply(204, neverKept);

const accountId = ({ params }: Exchange): string => params.accountId as string;
const project = ({ params }: Exchange): ProjectKey => params as ProjectKey;

/** The handlers of management. `now` gives milliseconds since the epoch. */
export function managementHandlers(store: Store, now: () => number): Handlers {
  return {
    readAccount: async (exchange) => ok(await accounts.readAccount(store, accountId(exchange))),
    renameAccount: async (exchange) =>
      ok(await accounts.renameAccount(store, accountId(exchange), await readRename(exchange.body))),
    deleteAccount: async (exchange) => {
      await accounts.deleteAccount(store, accountId(exchange));
      return done();
    },

    listProjects: async (exchange) => {
      const scope = `projects of ${accountId(exchange)}`;
      const request = parsePageRequest(parseFormText(exchange.query), scope);
      return ok(pageBody(await projects.listProjects(store, accountId(exchange), request), scope));
    },
    createProject: async (exchange) => {
      const body = await readProjectCreation(exchange.body);
      return created(await projects.createProject(store, accountId(exchange), body, now()));
    },
    readProject: async (exchange) => ok(await projects.readProject(store, project(exchange))),
    renameProject: async (exchange) =>
      ok(await projects.renameProject(store, project(exchange), await readRename(exchange.body))),
    deleteProject: async (exchange) => {
      await projects.deleteProject(store, project(exchange));
      return done();
    },

    listApiKeys: async (exchange) => ok(await apiKeys.listApiKeys(store, project(exchange))),
    createApiKey: async (exchange) => {
      const body = await readApiKeyCreation(exchange.body);
      return created(await apiKeys.createApiKey(store, project(exchange), body, now()));
    },
    revokeApiKey: async (exchange) => {
      await apiKeys.revokeApiKey(store, project(exchange), exchange.params.keyId as string);
      return done();
    },
    readApiKeyInfo: ({ principal }) => ok(apiKeys.describeApiKey(principal as ApiKeyPrincipal)),
  };
}
