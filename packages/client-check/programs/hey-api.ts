/** The round of calls with hey-api's client. */
import { createClient } from './generated/client/index.js';
import * as api from './generated/index.js';
import { demand, report, target } from './round.js';

const developer = createClient({ baseUrl: target.url, auth: target.developerToken });
const { accountId, slug } = target;

demand(await api.createProject({ client: developer, path: { accountId }, body: { slug } }));
const { data: key } = demand(
  await api.createApiKey({ client: developer, path: { accountId, slug }, body: { name: 'round', access: 'write' } }),
);
const project = createClient({
  baseUrl: target.url,
  auth: (scheme) => (scheme.type === 'apiKey' ? `ApiKey ${key.apiKey}` : undefined),
});
const path = { accountId, slug, env: 'development' } as const;
const { data: created } = demand(
  await api.replacePublicState({
    client: project,
    path,
    headers: { 'If-None-Match': '*' },
    body: { state: { theme: 'dark', old: true } },
  }),
);
const { data: read } = demand(await api.readPublicState({ client: project, path }));
if (read === undefined) throw new Error('the document is not there');
const patch = (version: string, ops: (typeof target)['ops']) =>
  api.patchPublicState({ client: project, path, headers: { 'If-Match': version }, body: { ops } });
const { data: patched } = demand(await patch('"1"', target.ops));
const stale = await patch('"1"', target.ops);
const refused = await patch('"2"', [{ op: 'remove', path: '/missing' }]);
const foreign = await api.readPublicState({ client: project, path: { ...path, slug: target.otherSlug } });
const { data: usage } = demand(await api.readUsage({ client: developer, path: { accountId } }));
const token = await api.exchangeToken({
  client: developer,
  body: { grant_type: 'refresh_token', client_id: 'svc-developer', refresh_token: 'none' },
});

report({
  created: created.version,
  read: read.version,
  theme: read.state.theme,
  patched: patched.version,
  conflict: isConflict(stale.error) ? stale.error.currentVersion : undefined,
  refused: isCoded(refused.error) ? refused.error.error : undefined,
  forbidden: foreign.response?.status,
  requests: usage.apiRequests.used > 0,
  token: isCoded(token.error) ? token.error.error : undefined,
});

function isConflict(error: unknown): error is api.ConflictBody {
  return isCoded(error) && error.error === 'version_conflict';
}

function isCoded(error: unknown): error is { error: string } {
  return typeof error === 'object' && error !== null && 'error' in error;
}
