import { expect, it } from 'vitest';
import { projectSettingsExample } from '../../../contract/src/schemas/project-settings.ts';
import { changesOf, isValidText, type SettingsDraft, textSettingNames, textSettings } from './settings-draft.ts';

/** A text for each field that is one. */
const texts = (textOf: (field: (typeof textSettingNames)[number]) => string) =>
  Object.fromEntries(textSettingNames.map((field) => [field, textOf(field)])) as Record<
    (typeof textSettingNames)[number],
    string
  >;
const project: Parameters<typeof changesOf>[0] = {
  ...texts(() => 'Skylark'),
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
    ...texts((field) => ` ${projectSettingsExample[field]} `),
  };
  expect(changed(draft)).toEqual({
    body: {
      ...texts((field) => projectSettingsExample[field]),
      protectedEnvironments: ['staging', 'production'],
      requiredApprovals: { staging: 1 },
      publicStateHistory: null,
    },
    before: {
      ...texts(() => 'Skylark'),
      protectedEnvironments: ['production'],
      requiredApprovals: { staging: 0 },
      publicStateHistory: { versions: 100, days: 30 },
    },
    fields: [...textSettingNames, 'protectedEnvironments', 'requiredApprovals', 'publicStateHistory'],
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

it.each(textSettingNames)('%s is a text of at most so many characters', (field) => {
  expect(isValidText(field, projectSettingsExample[field])).toBe(true);
  expect(isValidText(field, 'x'.repeat(textSettings[field].charactersMax + 1))).toBe(false);
});
