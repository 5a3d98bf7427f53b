import { describe, expect, it } from 'vitest';
import { countLines, longFunctions, longStyle } from './lines.ts';

describe('counted lines', () => {
  it('are neither blank nor comments only', () => {
    const code = '/** What\n * it is. */\nexport const a = `\n\n// text\n`; // why\n\n// nothing\n';
    expect(countLines('a.ts', code)).toBe(3);
    expect(countLines('a.tsx', 'export const b = (\n  <p>\n    {/* as\n it is */}\n    {b}\n  </p>\n);\n')).toBe(5);
    expect(countLines('a.css', '/* What\n it is. */\np {\n  color: red; /* why */\n}\n')).toBe(3);
    expect(countLines('a.sql', '-- What it is.\nSELECT 1; -- why\n')).toBe(1);
  });
});

describe('a component', () => {
  const component = (lines: number, about = '') =>
    `export function Page() {\n${about}  return (\n    <ul>\n${'      <li />\n'.repeat(lines - 6)}    </ul>\n  );\n}\n`;

  it('has 75 lines at most, including its markup', () => {
    expect(longFunctions('page.tsx', component(75))).toEqual([]);
    expect(longFunctions('page.tsx', component(76))).toEqual([{ file: 'page.tsx', name: 'Page', lines: 76, max: 75 }]);
  });

  it('may have additional comments', () => {
    expect(longFunctions('page.tsx', component(75, '\n  // a list\n  /* of\n items */\n'))).toEqual([]);
  });

  it('is found in every form', () => {
    const arrow = component(76).replace('export function Page()', 'export const Page = () =>');
    const named = component(76).replace('export function Page()', 'export const page = memo(function Page()');
    expect(longFunctions('page.tsx', arrow)).toMatchObject([{ lines: 76 }]);
    expect(longFunctions('page.tsx', `${named})`)).toMatchObject([{ name: 'Page', lines: 76 }]);
  });
});

it('a style sheet has 300 lines at most, not counting comments', () => {
  const style = (lines: number) => `/* What\n it is. */\np {\n${'  color: red;\n'.repeat(lines - 2)}}\n`;
  expect(longStyle('page.css', style(300))).toBe('');
  expect(longStyle('page.css', style(301))).toBe('page.css has 301 lines, and may have 300');
});
