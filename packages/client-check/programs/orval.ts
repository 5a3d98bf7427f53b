/** The round of calls with orval's functions over fetch. */
import * as api from './generated/client.js';
import { report, target } from './round.js';

const { accountId, slug } = target;
const bearer = { headers: { Authorization: `Bearer ${target.developerToken}` } };

const project = await api.createProject(accountId, { slug }, bearer);
if (project.status !== 201) throw new Error(`no project: ${project.status}`);
const key = await api.createApiKey(accountId, slug, { name: 'round', access: 'write' }, bearer);
if (key.status !== 201) throw new Error(`no key: ${key.status}`);
const withKey = (headers: Record<string, string> = {}): RequestInit => ({
  headers: { Authorization: `ApiKey ${key.data.apiKey}`, ...headers },
});

const created = await api.replacePublicState(
  accountId,
  slug,
  'development',
  { state: { theme: 'dark', old: true } },
  withKey({ 'If-None-Match': '*' }),
);
const read = await api.readPublicState(accountId, slug, 'development', withKey());
const patch = (version: string, ops: (typeof target)['ops']) =>
  api.patchPublicState(accountId, slug, 'development', { ops }, withKey({ 'If-Match': version }));
const patched = await patch('"1"', target.ops);
const stale = await patch('"1"', target.ops);
const refused = await patch('"2"', [{ op: 'remove', path: '/missing' }]);
const foreign = await api.readPublicState(accountId, target.otherSlug, 'development', withKey());
const usage = await api.readUsage(accountId, bearer);
const token = await api.exchangeToken({
  grant_type: 'refresh_token',
  client_id: 'svc-developer',
  refresh_token: 'none',
});

report({
  created: created.status === 200 ? created.data.version : created.status,
  read: read.status === 200 ? read.data.version : read.status,
  theme: read.status === 200 ? read.data.state.theme : undefined,
  patched: patched.status === 200 ? patched.data.version : patched.status,
  conflict: stale.status === 412 ? stale.data.currentVersion : stale.status,
  refused: refused.status === 400 ? refused.data.error : refused.status,
  forbidden: foreign.status,
  requests: usage.status === 200 && usage.data.apiRequests.used > 0,
  token: token.status === 400 ? token.data.error : token.status,
});
