/** The round of calls with openapi-typescript and its client. */
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/schema.js';
import { demand, report, target } from './round.js';

const client = (authorization: string): Client<paths> =>
  createClient<paths>({ baseUrl: target.url, headers: { Authorization: authorization } });
const developer = client(`Bearer ${target.developerToken}`);
const { accountId, slug } = target;

demand(await developer.POST('/v1/{accountId}/projects', { params: { path: { accountId } }, body: { slug } }));
const { data: key } = demand(
  await developer.POST('/v1/{accountId}/projects/{slug}/api-keys', {
    params: { path: { accountId, slug } },
    body: { name: 'round', access: 'write' },
  }),
);
const path = { accountId, slug, env: 'development' } as const;
const state = '/v1/{accountId}/projects/{slug}/public-state/{env}';
const project = client(`ApiKey ${key.apiKey}`);
const { data: created } = demand(
  await project.PUT(state, {
    params: { path, header: { 'If-None-Match': '*' } },
    body: { state: { theme: 'dark', old: true } },
  }),
);
const { data: read } = demand(await project.GET(state, { params: { path } }));
const patch = (version: string, ops: (typeof target)['ops']) =>
  project.PATCH(state, { params: { path, header: { 'If-Match': version } }, body: { ops } });
const { data: patched } = demand(await patch('"1"', target.ops));
const stale = await patch('"1"', target.ops);
const refused = await patch('"2"', [{ op: 'remove', path: '/missing' }]);
const foreign = await project.GET(state, { params: { path: { ...path, slug: target.otherSlug } } });
const { data: usage } = demand(await developer.GET('/v1/{accountId}/usage', { params: { path: { accountId } } }));
const token = await developer.POST('/v1/auth/token', {
  body: { grant_type: 'refresh_token', client_id: 'svc-developer', refresh_token: 'none' },
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});

report({
  created: created.version,
  read: read.version,
  theme: read.state.theme,
  patched: patched.version,
  conflict: stale.error && 'currentVersion' in stale.error ? stale.error.currentVersion : undefined,
  refused: refused.error && 'error' in refused.error ? refused.error.error : undefined,
  forbidden: foreign.response.status,
  requests: usage.apiRequests.used > 0,
  token: token.error?.error,
});
