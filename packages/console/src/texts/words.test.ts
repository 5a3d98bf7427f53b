import { describe, expect, it } from 'vitest';
import { de as loginDe } from '../../../server/src/login/texts/de.ts';
import { en as loginEn } from '../../../server/src/login/texts/en.ts';
import { de } from './de.ts';
import { en } from './en.ts';

const other = /\bend[- ]?users?\b|\busers?\b|\b(?:end)?(?:be)?nutzer/i;

/** Every text below `value`; functions are called with a letter for each parameter. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'function') return textsOf(value(...Array.from({ length: value.length }, () => 'x')));
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  return typeof value === 'string' ? [value] : [];
}

describe('players', () => {
  it.each(Object.entries({ en, de, loginEn, loginDe }))('have only one name in %s', (_, texts) => {
    const all = textsOf(texts);
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((text) => other.test(text))).toEqual([]);
  });
});
