import { type AuditField, auditFields } from '@holdfast/contract';
import { beforeAll, expect, it, vi } from 'vitest';
import { texts as auditDe } from '../texts/audit-de.ts';
import { texts as auditEn } from '../texts/audit-en.ts';
import { texts as de } from '../texts/console-de.ts';
import { texts as en } from '../texts/console-en.ts';

let words: typeof import('./audit-words.ts');

beforeAll(async () => {
  // Another test file may have chosen a language.
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('localStorage', undefined);
  vi.stubGlobal('navigator', { language: 'en-US' });
  words = await import('./audit-words.ts');
});

it.each<[string, unknown, string, string?]>([
  ['name', 'Sea of Glass', 'Sea of Glass'],
  ['suspended', true, 'yes', 'ja'],
  ['version', 1_200, '1,200'],
  ['baseVersion', 3, 'Version 3'],
  ['storageBytes', 2_500_000, '2.5 MB'],
  ['applyAt', '2026-11-27T09:30:00.000Z', 'Nov 27, 2026'],
  ['role', 'editor', 'Editor', 'Bearbeiter'],
  ['role', 'constructor', 'constructor'],
  ['environments', ['staging', 'production'], 'Staging, Production', 'Staging, Produktion'],
  ['environments', null, 'All environments', 'Alle Umgebungen'],
  ['redirectUris', [], '–'],
  ['reason', null, '–'],
  ['reason', '2026-11-27T09:30:00.000Z', '2026-11-27T09:30:00.000Z'],
  ['flagsCheck', 'enforce', 'On', 'Ein'],
  ['mode', 'enforce', 'Block bad changes', 'Fehlerhafte Änderungen ablehnen'],
  ['secret', 'another one', 'a new one', 'ein neues'],
  ['comment', 'secret', 'secret'],
  [
    'requiredApprovals',
    { development: 0, production: 2 },
    'Development: 0, Production: 2',
    'Entwicklung: 0, Produktion: 2',
  ],
  ['publicStateHistory', { versions: 500, days: 90 }, '500 versions, 90 days', '500 Versionen, 90 Tage'],
  ['publicStateHistory', null, 'All versions', 'Alle Versionen'],
  ['mailWords', { greeting: 'Ahoy', footer: null }, 'Greeting: Ahoy, Footer: –', 'Anrede: Ahoy, Fußzeile: –'],
  ['failure', { code: 'forbidden', message: 'the state has changed' }, 'the state has changed'],
  [
    'api_key.create',
    { count: 12, last: 'projects/glass', lastAt: '2026-11-27T09:30:00.000Z' },
    '12 times, last on Nov 27, 2026',
    '12-mal, zuletzt am ',
  ],
  ['later', { some: 1 }, 'some: 1'],
])('the value of %s, %j, is shown as %s', (name, value, english, german = english) => {
  expect(words.valueText(en, auditEn, name, value)).toContain(english);
  expect(words.valueText(de, auditDe, name, value)).toContain(german);
});

it('a field is shown by its label, an action in a summary by its own, and anything else by its name', () => {
  expect(words.fieldText(auditDe, 'requiredApprovals')).toBe('Nötige Genehmigungen');
  expect(words.fieldText(auditDe, 'api_key.create')).toBe('API-Schlüssel erstellt');
  expect(words.fieldText(auditDe, 'constructor')).toBe('constructor');
});

it.each(Object.keys(auditFields) as AuditField[])('the field %s has a label', (name) => {
  for (const { fields } of [auditEn, auditDe]) expect(fields[name]).toMatch(/^\p{Lu}/u);
});
