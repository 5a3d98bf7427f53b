import { expect, it } from 'vitest';
import { changesOf, type SettingsDraft } from './settings-draft.ts';

const project: Parameters<typeof changesOf>[0] = {
  name: 'Skylark',
  protectedEnvironments: ['production'],
  requiredApprovals: { development: 0, staging: 0, production: 1 },
  publicStateHistory: { versions: 100, days: 30 },
};
const changed = (draft: SettingsDraft) => changesOf(project, draft);

it.each<[string, SettingsDraft]>([
  ['nothing', {}],
  ['what is saved', { name: 'Skylark ', protectedEnvironments: ['production'], requiredApprovals: { production: 1 } }],
])('a draft of %s changes nothing', (_name, draft) => {
  expect(changed(draft)).toEqual({ body: {}, before: {}, fields: [], isValid: true, isDeleting: false });
});

it('all fields are saved and put back in the order of the page', () => {
  const draft: Required<SettingsDraft> = {
    publicStateHistory: null,
    requiredApprovals: { staging: 1, production: 1 },
    protectedEnvironments: ['production', 'staging'],
    name: ' Skylark 2 ',
  };
  expect(changed(draft)).toEqual({
    body: {
      name: 'Skylark 2',
      protectedEnvironments: ['staging', 'production'],
      requiredApprovals: { staging: 1 },
      publicStateHistory: null,
    },
    before: {
      name: 'Skylark',
      protectedEnvironments: ['production'],
      requiredApprovals: { staging: 0 },
      publicStateHistory: { versions: 100, days: 30 },
    },
    fields: ['name', 'protectedEnvironments', 'requiredApprovals', 'publicStateHistory'],
    isValid: true,
    isDeleting: false,
  });
});

it.each<[string, SettingsDraft, boolean]>([
  ['an empty name', { name: ' ' }, false],
  ['versions that are no number', { publicStateHistory: { versions: 'x', days: '30' } }, false],
  ['fewer versions', { publicStateHistory: { versions: '50', days: '30' } }, true],
])('%s: whether it can be saved, and deletes', (_name, draft, isValid) => {
  expect(changed(draft)).toMatchObject({ isValid, isDeleting: isValid });
});
