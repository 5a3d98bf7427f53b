import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de as loginDe } from '../../../server/src/login/texts/de.ts';
import { en as loginEn } from '../../../server/src/login/texts/en.ts';

const other = /\bend[- ]?users?\b|\busers?\b|\b(?:end)?(?:be)?nutzer/i;

/** Every text below `value`; functions are called with a letter for each parameter. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'function') return textsOf(value(...Array.from({ length: value.length }, () => 'x')));
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  return typeof value === 'string' ? [value] : [];
}

const files = globSync('*-{en,de}.ts', { cwd: import.meta.dirname }).sort();
const modules = files.map(async (file) => [file, (await import(join(import.meta.dirname, file))).texts] as const);
const ofConsole = Object.fromEntries(await Promise.all(modules));

describe('players', () => {
  it.each(Object.entries({ ...ofConsole, loginEn, loginDe }))('have only one name in %s', (_, texts) => {
    expect(textsOf(texts).filter((text) => other.test(text))).toEqual([]);
  });

  it('are looked for in every file of texts', () => {
    expect(textsOf(ofConsole).length).toBeGreaterThan(2_000);
  });
});
