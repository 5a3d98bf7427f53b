import { auditActions } from '@holdfast/contract';
import { components } from '@holdfast/contract/schemas';
import { expect, it } from 'vitest';
import { texts as auditDe } from './audit-de.ts';
import { texts as auditEn } from './audit-en.ts';

it.each(Object.entries({ English: auditEn, German: auditDe }))(
  'exactly the actions of the audit trail have words in %s',
  (_, { actions }) => {
    expect(Object.keys(actions).sort()).toEqual(Object.keys(auditActions).sort());
  },
);

it('every field of an account and a project has a name in German', () => {
  const bodies = [components.UpdateAccountBody, components.UpdateProjectBody];
  const fields = bodies.flatMap(({ properties }) => Object.keys(properties));
  expect(fields).toContain('requiredApprovals');
  expect(fields.filter((name) => !Object.hasOwn(auditDe.fields, name))).toEqual([]);
});
