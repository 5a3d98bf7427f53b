import { auditActions } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

it.each(Object.entries({ en, de }))('exactly the actions of the audit trail have words in %s', (_, { audit }) => {
  expect(Object.keys(audit.actions).sort()).toEqual(Object.keys(auditActions).sort());
});
