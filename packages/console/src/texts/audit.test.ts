import { auditActions } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { auditDe } from './audit-de.ts';
import { auditEn } from './audit-en.ts';

it.each(Object.entries({ English: auditEn, German: auditDe }))(
  'exactly the actions of the audit trail have words in %s',
  (_, { actions }) => {
    expect(Object.keys(actions).sort()).toEqual(Object.keys(auditActions).sort());
  },
);
