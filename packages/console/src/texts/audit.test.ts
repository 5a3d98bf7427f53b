import { auditActions } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

it.each(Object.entries({ en, de }))('every action of the audit trail has its words in %s, and no other', (_, { audit }) => {
  expect(Object.keys(audit.actions).sort()).toEqual(Object.keys(auditActions).sort());
});
