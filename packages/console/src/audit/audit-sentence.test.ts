import { auditActions } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { texts as auditDe } from '../texts/audit-de.ts';
import { texts as auditEn } from '../texts/audit-en.ts';
import { actionText, sentenceOf } from './audit-sentence.ts';

it('a sentence has words before and after its target', () => {
  expect(sentenceOf(auditEn, 'proposal.create')).toEqual(['proposed a change in', '']);
  expect(sentenceOf(auditDe, 'proposal.create')).toEqual(['hat in', ' eine Änderung vorgeschlagen']);
  expect(sentenceOf(auditEn, 'api_key.create')).toEqual(['created the API key', undefined]);
  expect(sentenceOf(auditEn, 'later.action')).toEqual(['later.action', undefined]);
});

it('a list of actions names each without its target', () => {
  expect(actionText(auditEn, 'proposal.approve')).toBe('Approved the proposal, or took the approval back');
  expect(actionText(auditDe, 'proposal.create')).toBe('Eine Änderung vorgeschlagen');
  for (const action of Object.keys(auditActions)) {
    for (const texts of [auditEn, auditDe])
      expect(actionText(texts, action)).not.toMatch(/^[a-zäöü]|[{}]|(?: in| of| von|:)$/);
  }
});
