import { auditActions } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { texts as auditDe } from '../texts/audit-de.ts';
import { texts as auditEn } from '../texts/audit-en.ts';
import { actionText, sentenceOf } from './audit-sentence.ts';

it('a sentence has words before and after its target', () => {
  expect(sentenceOf(auditEn, 'proposal.create')).toEqual({ before: 'proposed a change in', after: '' });
  expect(sentenceOf(auditDe, 'proposal.create')).toEqual({ before: 'hat in', after: ' eine Änderung vorgeschlagen' });
  expect(sentenceOf(auditEn, 'member.join')).toEqual({ before: 'joined the team', after: undefined });
  expect(sentenceOf(auditEn, 'later.action')).toEqual({ before: 'later.action', after: '' });
});

it('a list of actions names each without its target', () => {
  expect(actionText(auditEn, 'proposal.approve')).toBe('Approved a proposal, or took the approval back');
  expect(actionText(auditDe, 'proposal.create')).toBe('Änderung vorgeschlagen');
  expect(actionText(auditEn, 'later.action')).toBe('later.action');
});

it('each action has a label of its own, and names its target in both languages or in none', () => {
  const actions = Object.keys(auditActions);
  for (const texts of [auditEn, auditDe]) {
    const labels = actions.map((action) => actionText(texts, action));
    expect(new Set(labels).size).toBe(actions.length);
    for (const label of labels) expect(label).toMatch(/^[A-ZÄÖÜ][^{}]*$/);
  }
  const named = (texts: typeof auditEn | typeof auditDe) =>
    actions.filter((action) => sentenceOf(texts, action).after !== undefined);
  expect(named(auditDe)).toEqual(named(auditEn));
});
