import { describe, expect, it } from 'vitest';
import { chooseLanguage, duration, languages, textsOf } from './language.ts';

describe('the language of a page', () => {
  it.each([
    ['de', 'en', 'de'],
    ['fr de-CH en', 'en', 'de'],
    ['fr', 'de;q=0.8, en;q=0.9', 'en'],
    [undefined, 'fr, de-AT;q=0.5', 'de'],
    [undefined, 'de;q=0, en-GB;q=0.1', 'en'],
    [undefined, 'DE-de', 'de'],
    [undefined, 'fr, *;q=0.1', 'en'],
    [undefined, undefined, 'en'],
    ['', 'de', 'de'],
  ])('with ui_locales %j and Accept-Language %j is %s', (uiLocales, acceptLanguage, expected) => {
    expect(chooseLanguage(uiLocales, acceptLanguage)).toBe(expected);
  });

  it.each([
    ['ui_locales', `${'fr '.repeat(300)}   de`, `${'fr '.repeat(400)}de`],
    ['Accept-Language', `${'fr,'.repeat(300)}de`, `${'fr,'.repeat(400)}de`],
  ])('is read only from the start of a long %s', (name, short, long) => {
    const choose = (wishes: string) =>
      name === 'ui_locales' ? chooseLanguage(wishes, undefined) : chooseLanguage(undefined, wishes);
    expect(choose(short)).toBe('de');
    expect(choose(long)).toBe('en');
  });

  it('gives durations in whole minutes, and at least a second', () => {
    expect(duration('en', 720)).toBe('12 minutes');
    expect(duration('de', 61)).toBe('2 Minuten');
    expect(duration('en', 59)).toBe('59 seconds');
    expect(duration('de', 0)).toBe('1 Sekunde');
  });

  it('has a text under every key, in every language', () => {
    const keys = Object.keys(textsOf('en')).sort();
    for (const language of languages) {
      expect(Object.keys(textsOf(language)).sort()).toEqual(keys);
      for (const text of Object.values(textsOf(language))) {
        const texts = typeof text === 'object' ? Object.values(text) : [typeof text === 'string' ? text : text('value')];
        for (const one of texts) expect(one).toMatch(/\S/);
      }
    }
  });
});
