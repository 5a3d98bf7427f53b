/** The round of calls with a client by openapi-generator for typescript-fetch. */
import * as api from './generated/index.js';
import { report, target } from './round.js';

const { url: basePath, accountId, slug } = target;
const developer = new api.Configuration({ basePath, accessToken: target.developerToken });

/** The body of a call that is refused. */
async function bodyOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const response = await failureOf(call);
  return (await response.json()) as Record<string, unknown>;
}

async function failureOf(call: Promise<unknown>): Promise<Response> {
  try {
    await call;
  } catch (error) {
    if (error instanceof api.ResponseError) return error.response;
    throw error;
  }
  throw new Error('the call succeeded');
}

const projects = new api.ProjectsApi(developer);
await projects.createProject({ accountId, createProjectBody: { slug } });
const key = await projects.createApiKey({ accountId, slug, createApiKeyBody: { name: 'round', access: 'write' } });

const states = new api.PublicStateApi(new api.Configuration({ basePath, apiKey: () => `ApiKey ${key.apiKey}` }));
const where = { accountId, slug, env: api.EnvironmentName.Development };
const created = await states.replacePublicState({
  ...where,
  ifNoneMatch: '*',
  createConfigBody: { state: { theme: 'dark', old: true } },
});
const read = await states.readPublicState(where);
if (!read) throw new Error('the document is not there');
const patch = (ifMatch: string, ops: (typeof target)['ops']) =>
  states.patchPublicState({ ...where, ifMatch, patchStateBody: { ops } });
const patched = await patch('"1"', target.ops);
const stale = api.ConflictBodyFromJSON(await bodyOf(patch('"1"', target.ops)));
const refused = api.PatchErrorBodyFromJSON(await bodyOf(patch('"2"', [{ op: 'remove', path: '/missing' }])));
const foreign = await failureOf(states.readPublicState({ ...where, slug: target.otherSlug }));
const usage = await new api.AccountsApi(developer).readUsage({ accountId });
const token = await bodyOf(
  new api.SignInApi(new api.Configuration({ basePath })).exchangeToken({
    grantType: 'refresh_token',
    clientId: 'svc-developer',
    refreshToken: 'none',
  }),
);

report({
  created: created.version,
  read: read.version,
  theme: read.state.theme,
  patched: patched.version,
  conflict: stale.currentVersion,
  refused: refused.error,
  forbidden: foreign.status,
  requests: usage.apiRequests.used > 0,
  token: api.TokenErrorBodyFromJSON(token).error,
});
