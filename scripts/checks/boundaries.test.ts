import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fault, findFaults, ruleMeanings } from './boundaries.ts';

const fixture = join(import.meta.dirname, 'boundaries.fixture');

/** The boundary that each fixture file breaks, as its first line says. */
function announced(): string[] {
  return globSync(['packages/*/src/**/*.*', '{bench,scripts,tooling,torture}/**/*.ts'], { cwd: fixture }).flatMap(
    (file) => {
      const [, rules = ''] = /^\/\/ breaks: (.+)\n/.exec(readFileSync(join(fixture, file), 'utf8')) ?? [];
      return rules
        .split(' ')
        .filter((rule) => rule !== '')
        .map((rule) => `${file} breaks ${rule}`);
    },
  );
}

const found = (faults: readonly Fault[]) => faults.map(({ file, rule }) => `${file} breaks ${rule}`);

describe('import boundaries', () => {
  it('are broken by exactly the announced files of the fixture', () => {
    expect(found(findFaults(fixture)).sort()).toEqual(announced().sort());
  });

  it('each have a file in the fixture that breaks them', () => {
    const broken = new Set(findFaults(fixture).map(({ rule }) => rule));
    expect([...broken].sort()).toEqual(Object.keys(ruleMeanings).sort());
  });
});
