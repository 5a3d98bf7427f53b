/** Checks that the console has its texts in pairs of files, not in code that asks for the language. CONTRIBUTING.md says how to add one. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../packages/console/src');

const rules: readonly (readonly [fault: string, pattern: RegExp])[] = [
  [
    'compares the language',
    /[!=]==? '(?:en|de)'|'(?:en|de)' [!=]==?|(?:languageNow|useLanguage)\(\) [!=]==?|case '(?:en|de)':/,
  ],
  ['reads the language of the page', /documentElement\.lang\b/],
  ['has a text in German beside the one in English', /\bde: /],
  ['loads a component without its texts', /(?<!withTexts\(|typeof )import\('[^']*\.tsx'\)/],
];

/** Returns faults of a file, one line for each. */
const faultsOf = (file: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      rules.filter(([, pattern]) => pattern.test(line)).map(([fault]) => `${file}:${index + 1} ${fault}`),
    );

it('the console asks for the language only in texts/language.ts', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !/^texts\/(?:language|subjects)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

it.each([
  ["return language === 'de' ? 'Strg' : 'Ctrl';", 'compares the language'],
  ["if ('en' !== language) return;", 'compares the language'],
  ["case 'de':", 'compares the language'],
  ['const isSame = useLanguage() === other;', 'compares the language'],
  ['if (document.documentElement.lang === other) return;', 'reads the language of the page'],
  ["{ en: 'largest number', de: 'größte Zahl' }", 'has a text in German beside the one in English'],
  ["const load = () => import('./menus.tsx');", 'loads a component without its texts'],
])('the check sees %s', (line, fault) => {
  expect(faultsOf('page.tsx', line)).toEqual([`page.tsx:1 ${fault}`]);
});

it('the check allows what chooses, passes on and loads', () => {
  const lines = [
    "setLanguage('de')",
    'new Intl.NumberFormat(languageNow())',
    "const load = () => withTexts(import('./menus.tsx'));",
  ];
  expect(faultsOf('page.tsx', lines.join('\n'))).toEqual([]);
});
