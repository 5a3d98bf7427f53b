import { expect, it } from 'vitest';
import { texts as en } from '../texts/console-en.ts';
import { shownOf, targetOf, titlesIn } from './audit-target.ts';

const at = '2026-11-27T00:00:00.000Z';
const member = {
  memberId: 'mem_1',
  name: 'Ada Byron',
  email: 'ada@example.com',
  role: 'editor',
  environments: null,
} as const;
const known = {
  projects: [{ slug: 'glass', name: 'Sea of Glass' }],
  members: [{ ...member, joinedAt: at, lastSeenAt: null }],
  serviceAccounts: [{ id: 'sa_1', name: 'Deploy' }],
} as unknown as Parameters<typeof targetOf>[2];

it.each([
  ['members/mem_1', 'Ada Byron', '/team'],
  ['members/mem_gone', 'Grace', '/team', { name: { from: 'Grace', to: null } }],
  ['members/mem_gone', 'mem_gone', '/team'],
  ['invitations/inv_1', 'grace@example.com', '/team', { email: { to: 'grace@example.com' } }],
  ['invitations/inv_1', 'Anybody with the link', '/team'],
  ['service-accounts/sa_1', 'Deploy', '/service-accounts'],
  ['projects/glass', 'Sea of Glass', '/p/glass'],
  ['projects/gone', 'gone', undefined],
  ['projects/glass/players/a%2Fb', 'a/b · Sea of Glass', '/p/glass/production/players/a%2Fb'],
  ['projects/gone/players/ada', 'ada · gone', undefined],
  ['projects/glass/public-state/staging', 'Sea of Glass (Staging)', '/p/glass/staging/history'],
  ['projects/glass/public-state/staging/proposals/prop_1', 'Sea of Glass (Staging)', undefined],
  [
    'projects/glass/schemas/production/user-state',
    'Sea of Glass (Production, Saves)',
    '/p/glass/production/schemas?user-state',
  ],
  ['projects/glass/api-keys/key_1', 'Build · Sea of Glass', '/p/glass/keys', { name: { to: 'Build' } }],
  ['projects/glass/webhooks/wh_1', 'wh_1 · Sea of Glass', '/p/glass/webhooks/wh_1'],
  [
    'projects/glass/webhooks/wh_1',
    'Release chat · Sea of Glass',
    '/p/glass/webhooks/wh_1',
    { description: { to: 'Release chat' } },
  ],
  ['projects/glass/auth/end-user/config', 'Sea of Glass', '/p/glass/sign-in'],
  ['identity-providers/oidc.company', 'oidc.company', undefined],
  ['users/usr_1', 'usr_1', undefined],
  ['acc_1', 'acc_1', undefined],
])('the target %s is shown as %s', (target, text, path, detail = {}) => {
  const found = targetOf(en, { target, detail: detail as Parameters<typeof targetOf>[1]['detail'] }, known);
  expect([found.text, found.search ? `${found.path}?${found.search.kind}` : found.path]).toEqual([text, path]);
});

it('a proposal has its page, and the newest title in any of its records', () => {
  const target = (id: string) => `projects/glass/public-state/staging/proposals/${id}`;
  expect(targetOf(en, { target: target('prop_1'), detail: {} }, known).proposal).toBe('/p/glass/staging/proposals/prop_1');
  const records = [
    { action: 'proposal.apply', target: target('prop_1'), detail: { comment: { to: 'Now' } } },
    { action: 'proposal.approve', target: target('prop_1'), detail: { comment: { to: 'LGTM' } } },
    { action: 'proposal.edit', target: target('prop_1'), detail: { comment: { from: 'Six', to: 'Eight' } } },
    { action: 'proposal.create', target: target('prop_1'), detail: { comment: { to: 'Six' } } },
    { action: 'proposal.create', target: target('prop_2'), detail: { comment: { to: null } } },
    { action: 'proposal.override', target: target('prop_2'), detail: { comment: { to: 'Urgent' } } },
  ] as unknown as Parameters<typeof titlesIn>[0];
  expect([...titlesIn(records)]).toEqual([[target('prop_1'), 'Eight']]);
});

const shown = (action: string, detail: object, name?: string, title?: string) => {
  const { comment, details } = shownOf({ action, detail } as unknown as Parameters<typeof shownOf>[0], name, title);
  return [comment, details.map(([field]) => field)];
};

it('a comment is shown, except one that is the title of its proposal', () => {
  const detail = { revision: { to: 2 }, comment: { to: 'Six' } };
  expect(shown('proposal.approve', detail, 'Glass', 'Eight')).toEqual(['Six', ['revision']]);
  expect(shown('proposal.apply', detail, 'Glass', 'Six')).toEqual(['Six', ['revision']]);
  expect(shown('proposal.create', detail, 'Glass', 'Eight')).toEqual(['Six', ['revision']]);
  expect(shown('proposal.create', detail, 'Glass', 'Six')).toEqual([undefined, ['revision']]);
  expect(shown('proposal.edit', { comment: { from: 'Six', to: 'Eight' } }, 'Glass', 'Eight')).toEqual([
    undefined,
    ['comment'],
  ]);
});

it('a field is left out if it is the name in the sentence, or was empty at creation', () => {
  const detail = { name: { to: 'editor' }, role: { to: 'editor' }, environments: { to: null } };
  expect(shown('service_account.create', detail, 'editor')).toEqual([undefined, ['role']]);
  expect(shown('service_account.create', detail)).toEqual([undefined, ['name', 'role']]);
  expect(shown('api_key.create', { name: { to: 'Build' } }, 'Build · Sea of Glass')).toEqual([undefined, []]);
  expect(shown('api_key.create', { name: { to: 'Build' } }, 'Builder · Sea of Glass')).toEqual([undefined, ['name']]);
  expect(shown('project.update', { name: { from: 'Sea', to: 'Glass' } }, 'Glass')).toEqual([undefined, ['name']]);
});
