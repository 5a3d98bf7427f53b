import { describe, expect, it } from 'vitest';
import { classFaults } from './classes.ts';

const folder = 'packages/console/src';
const faults = (texts: Readonly<Record<string, string>>) =>
  classFaults(new Map(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text])));
const page = (className: string, rest = '') => `${rest}export const Page = ({ kind }) => <p className=${className} />;\n`;

describe('a class of a style sheet', () => {
  it('is found if no component names it', () => {
    expect(faults({ 'a/a.css': '.used, .gone:hover { color: red; }\n', 'a/a.tsx': page('"used"') })).toEqual([
      `${folder}/a/a.css: no component names .gone`,
    ]);
  });

  it('may be a value, start with one that a component names, or be of a library', () => {
    const sheet = '.a .large { top: 0; }\n.a .code-word { top: 0; }\n.a .cm-line { top: 0; }\n';
    const component = page('{`a code-$'.concat('{kind}`}'), "const size = 'large';\n");
    expect(faults({ 'a/a.css': sheet, 'a/a.tsx': component })).toEqual([]);
  });

  it('is none in a string, a number, an address or a comment', () => {
    const sheet = '/* .no */\n.a[data-x=".no"] { background: url("./no.svg"); width: 0.5em; }\n';
    expect(faults({ 'a/a.css': sheet, 'a/a.tsx': page('"a"') })).toEqual([]);
  });
});

describe('a class of a component', () => {
  const sheet = { 'a/a.css': '.a { top: 0; }\n' };

  it.each([
    ['"a bare"', 'no style sheet has .bare'],
    ["{kind === 'x' ? 'a' : 'a bare'}", 'no style sheet has .bare'],
    ['{`a json-$'.concat('{kind}`}'), 'no style sheet has a class that starts with json-'],
  ])('is found without a style in %s', (className, fault) => {
    expect(faults({ ...sheet, 'a/a.tsx': page(className) })).toEqual([`${folder}/a/a.tsx: ${fault}`]);
  });

  it('is found in a member and in markup', () => {
    const component = 'const one = element({ class: "a bare" });\nconst other = html`<p class="a plain">`;\n';
    expect(faults({ ...sheet, 'a/a.ts': component })).toEqual([
      `${folder}/a/a.ts: no style sheet has .bare`,
      `${folder}/a/a.ts: no style sheet has .plain`,
    ]);
  });

  it('may be one by which tests find it', () => {
    expect(faults({ ...sheet, 'a/a.tsx': page('"a parts-list"') })).toEqual([]);
  });
});

describe('the sheet of a page', () => {
  it('is found to style the parts of other pages', () => {
    const texts = {
      'a/a.css': '.a, .a .card, .preview { top: 0; }\ninput[type="color"] { top: 0; }\n',
      'a/a.tsx': page('"a card"'),
      'b/b.tsx': page('"preview card"'),
    };
    expect(faults(texts)).toEqual([
      `${folder}/a/a.css: ".preview" may match on other pages: name a class of this page in it`,
      `${folder}/a/a.css: "input[type="color"]" may match on other pages: name a class of this page in it`,
    ]);
  });

  it('styles components of other folders that import it, and shared ones inside its own', () => {
    const texts = {
      'a/a.css':
        '@layer page {\n  @media (max-width: 1px) {\n    .a > :not(.card, .b) { top: 0; }\n    .b { top: 0; }\n  }\n}\n',
      'a/a.tsx': page('"a"'),
      'b/b.tsx': page('"b"', "import '../a/a.css';\n"),
      'ui/card.tsx': page('"card"'),
      'ui/card.css': '.card, .b { top: 0; }\n',
    };
    expect(faults(texts)).toEqual([]);
  });
});
