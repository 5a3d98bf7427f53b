import { describe, expect, it } from 'vitest';
import { isSubject } from './player-id.ts';

describe('a subject that may sign in', () => {
  it.each(['u', 'auth0|5f7c', 'a b', 'ключ', '😀', '/', '%2F', '..', 'x'.repeat(512)])('is %s', (subject) => {
    expect(isSubject(subject)).toBe(true);
  });

  it.each([
    ['empty', ''],
    ['white space', '   '],
    ['with leading white space', ' u'],
    ['with trailing white space', 'u\u00a0'],
    ['longer than 512 characters', 'x'.repeat(513)],
    ['with a tab', 'u\tv'],
    ['with NUL', 'u\u0000'],
    ['with DEL', 'u\u007fv'],
    ['with a C1 control', 'u\u0085v'],
    ['with half a surrogate pair', 'u\ud83d'],
  ])('is not %s', (_, subject) => {
    expect(isSubject(subject)).toBe(false);
  });
});
