import { describe, expect, it } from 'vitest';
import { rawColours, rawStyles, tokensOf, unreadTokens, unsetTokens } from './styles.ts';

const tokens = tokensOf(`
:root {
  --size-s: 13px; /* beside text */
  --size-m: 14px;
  --weight-strong: 600;
  --radius-s: 6px;
  --radius-full: 999px;
  --control: 36px;
  --height-s: 30px;
  --space-s: 8px;
  --space-xl: 16px;
  --layer-menu: 45;
  --window-s: 640px;
  --room-s: 560px;
}
`);
const faults = (text: string) => rawStyles('page.css', text, tokens);

describe('a raw value', () => {
  it.each([
    ['font-size: 13.5px', 'write var(--size-s), which is 13px, instead of 13.5px in font-size'],
    ['font: inherit; font-size: 0.9rem', 'write var(--size-m), which is 14px, instead of 0.9rem in font-size'],
    ['font: 620 var(--size-s) / 1.2 var(--mono)', 'write var(--weight-strong), which is 600, instead of 620 in font'],
    ['font-weight: bold', 'write var(--weight-strong), which is 600, instead of bold in font-weight'],
    ['border-radius: 0 0 7px var(--radius-s)', 'write var(--radius-s), which is 6px, instead of 7px in border-radius'],
    ['border-start-end-radius: 50%', 'write var(--radius-s), which is 6px, instead of 50% in border-start-end-radius'],
    ['min-height: 35px', 'write var(--control), which is 36px, instead of 35px in min-height'],
    ['z-index: 3', 'write var(--layer-menu), which is 45, instead of 3 in z-index'],
  ])('is found with its line in "%s"', (declaration, fault) => {
    expect(faults(`/* Two\nlines */\na {\n  ${declaration};\n}\n`)).toEqual([`page.css:4: ${fault}`]);
  });

  it('is permitted where no scale applies', () => {
    const free = [
      'font-size: 0.9em',
      'font: inherit',
      'font: var(--weight-strong) var(--size-s) / 1.2 var(--mono)',
      'border-radius: 0 var(--radius-s)',
      'border-radius: calc(var(--radius-s) + 2px)',
      'min-height: 100dvh',
      'min-height: 2px',
      'width: 30px',
    ];
    expect(faults(`a {\n${free.map((one) => `  ${one};\n`).join('')}}\n`)).toEqual([]);
    expect(faults('@font-face {\n  font-weight: 300 900;\n}\n')).toEqual([]);
  });
});

it('a query has a named width, of the window or of a part', () => {
  expect(faults('@media (max-width: 640px) {\n}\n@media (min-width: 641px) {\n}\n')).toEqual([]);
  expect(faults('@container table (min-width: 561px) {\n}\n')).toEqual([]);
  expect(faults('\n@container table (max-width: 640px) {\n}\n')).toEqual([
    'page.css:2: "max-width: 640px" matches no --room-… token: max-width takes 560 px, min-width 1 px more',
  ]);
  expect(faults('@media (min-width: 640px) {\n}\n')).toHaveLength(1);
});

describe('a raw distance', () => {
  const distances = (declaration: string, file = 'packages/console/src/ui/page.css') =>
    rawStyles(file, `a {\n  ${declaration};\n}\n`, tokens);

  it.each([
    ['gap: 4px 15px', ['4px', '15px']],
    ['margin: 0 auto 14px -9px', ['14px', '-9px']],
    ['padding-inline-start: 1rem', ['1rem']],
    ['scroll-margin-block: var(--space-s) 24px', ['24px']],
  ])('is found in "%s"', (declaration, words) => {
    expect(distances(declaration).map((fault) => /instead of (\S+)/.exec(fault)?.[1])).toEqual(words);
    expect(distances(declaration, 'packages/site/src/page.css')).toEqual([]);
  });

  it.each([
    'gap: var(--space-s) 1px',
    'margin: calc(-1 * var(--space-xl)) auto 0',
    'padding: 0.5em 12% 96px 0',
    'padding-top: calc(1.5em + var(--space-s))',
    'margin-top: 5vh',
  ])('is not found in "%s"', (declaration) => {
    expect(distances(declaration)).toEqual([]);
  });
});

describe('a raw colour', () => {
  it.each([
    ['background: #fff', '#fff in background'],
    ['border: 1px solid white', 'white in border'],
    ['--start: #000000', '#000000 in --start'],
    ['color: light-dark(var(--text), rgb(255 255 255 / 8%))', 'rgb(255 255 255 / 8%) in color'],
    ['box-shadow: 0 1px 2px oklch(0.9 0.05 120)', 'oklch(0.9 0.05 120) in box-shadow'],
  ])('is found with its line in "%s"', (declaration, fault) => {
    expect(rawColours('page.css', `/* Two\nlines */\na {\n  ${declaration};\n}\n`)).toEqual([
      `page.css:4: write a token of packages/kit/src/tokens.css instead of ${fault}`,
    ]);
  });

  it.each([
    'color: var(--white)',
    'color: oklch(0.36 0.09 var(--hue))',
    'color: oklch(from var(--brand) clamp(0, (0.7 - l) * 100, 1) 0 0)',
    'background: color-mix(in srgb, var(--opaque) 35%, transparent)',
    'background: url("./white.svg#fff")',
    'content: "red"',
    'white-space: nowrap',
    'color: currentcolor',
  ])('is not found in "%s"', (declaration) => {
    expect(rawColours('page.css', `a {\n  ${declaration};\n}\n`)).toEqual([]);
  });
});

it('a token that nothing reads is found', () => {
  const texts = ['a {\n  font: var(--size-s) var(--mono);\n  z-index: var(--layer-menu);\n}', "style={{ '--control': 3 }}"];
  expect(unreadTokens(tokensOf(':root {\n  --size-s: 13px;\n  --size-m: 14px;\n  --window-s: 640px;\n}'), texts)).toEqual([
    'packages/kit/src/tokens.css: nothing reads --size-m',
  ]);
});

it('a token that nothing sets is found', () => {
  const texts = new Map([
    [
      'a.css',
      ':root {\n  --size-s: 13px;\n}\na {\n  font-size: var(--size-s);\n  color: var(--hue);\n  width: var(--wide);\n}\n',
    ],
    ['b.tsx', "style={{ '--hue': 3 }}"],
  ]);
  expect(unsetTokens(texts)).toEqual(['a.css: nothing sets --wide']);
});
