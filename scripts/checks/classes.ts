/** Each class of a style sheet is one of a component, each class of a component has a style, and no page styles the parts of another. */
import { dirname, extname, join } from 'node:path/posix';
import { parseSync, Visitor } from 'oxc-parser';
import { withoutComments } from './lines.ts';

/** The starts of classes that libraries give to their elements. */
const foreignStarts = ['cm-', 'lucide', 'hljs-'];

/** Classes without a style: tests, pictures and scripts find elements by them. */
const hooks = ['condition', 'mode-choice', 'parts-list', 'path-field', 'scan', 'settled'];

const console = 'packages/console/src/';

/** The folders of the console with sheets for all pages. */
const sharedFolder = /^packages\/console\/src\/(?:page|shell|ui)\//;

/** What a component writes. In a class such as `code-${kind}`, a value follows the start. */
interface Written {
  readonly classes: ReadonlySet<string>;
  readonly starts: ReadonlySet<string>;
  /** The words of all its strings: values may become classes elsewhere. */
  readonly words: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
}

/** Returns faults of classes, one line for each; `texts` are style sheets and components by their path, without tests. */
export function classFaults(texts: ReadonlyMap<string, string>): string[] {
  const sheets = [...texts]
    .filter(([file]) => extname(file) === '.css')
    .map(([file, text]) => [file, selectorsOf(file, text)] as const);
  const written = new Map(
    [...texts].filter(([file]) => extname(file) !== '.css').map(([file, text]) => [file, writtenIn(file, text)]),
  );
  const styled = new Set(sheets.flatMap(([, selectors]) => selectors.flatMap(classesOf)));
  const all = (part: 'words' | 'starts') => new Set([...written.values()].flatMap((one) => [...one[part]]));
  const [words, starts] = [all('words'), [...all('starts'), ...foreignStarts]];
  const unnamed = sheets.flatMap(([file, selectors]) =>
    [...new Set(selectors.flatMap(classesOf))]
      .filter((name) => !words.has(name) && !starts.some((start) => name.startsWith(start)))
      .map((name) => `${file}: no component names .${name}`),
  );
  const unstyled = [...written].flatMap(([file, { classes, starts }]) => [
    ...[...classes]
      .filter((name) => !styled.has(name) && !hooks.includes(name))
      .map((name) => `${file}: no style sheet has .${name}`),
    ...[...starts]
      .filter((start) => ![...styled].some((name) => name.startsWith(start)))
      .map((start) => `${file}: no style sheet has a class that starts with ${start}`),
  ]);
  return [...unnamed, ...unstyled, ...sheets.flatMap(([file, selectors]) => strangeSelectors(file, selectors, written))];
}

/**
 * Returns the selectors of a page's sheet that may match elsewhere once it has loaded: none of their classes is only in components that
 * stand in its folder or import it.
 */
function strangeSelectors(file: string, selectors: readonly string[], written: ReadonlyMap<string, Written>): string[] {
  if (!file.startsWith(console) || sharedFolder.test(file) || file.endsWith('src/kit.css')) return [];
  const isOwn = (name: string) =>
    [...written].every(
      ([component, { classes, imports }]) =>
        !classes.has(name) ||
        !component.startsWith(console) ||
        imports.has(file) ||
        component.startsWith(`${dirname(file)}/`),
    );
  return selectors
    .filter((selector) => !selector.includes('.cm-') && !classesOf(selector).some(isOwn))
    .map((selector) => `${file}: "${selector}" may match on other pages: name a class of this page in it`);
}

/** Returns the selectors of a sheet, each without the parts of a list outside of brackets. */
function selectorsOf(file: string, text: string): string[] {
  const css = withoutComments(file, text).replace(/url\([^)]*\)/g, '');
  return [...css.matchAll(/(?<=[{};]\s*|^\s*)([^{};@\s][^{};]*)\{/g)]
    .map(([, list = '']) => list.trim())
    .filter((list) => !/^(?:from|to|[\d.]+%)/.test(list))
    .flatMap(partsOf);
}

/** Returns the parts of a list, separated by commas outside of brackets. */
function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if ('(['.includes(character)) depth += 1;
    else if (')]'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim());
}

/** Returns the classes of a selector, without those in strings. */
const classesOf = (selector: string): string[] =>
  [...selector.replace(/"[^"]*"/g, '').matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name = '']) => name);

/** Returns what a component writes. Compared values are no classes. */
function writtenIn(file: string, text: string): Written {
  const strings: { readonly start: number; readonly text: string }[] = [];
  const classRanges: (readonly [number, number])[] = [];
  const comparedRanges: (readonly [number, number])[] = [];
  const imports = new Set<string>();
  const isClass = (node: { readonly type: string; readonly name?: unknown }) =>
    node.name === 'class' || node.name === 'className';
  new Visitor({
    ImportDeclaration({ source }) {
      imports.add(join(dirname(file), source.value));
    },
    JSXAttribute({ name, start, end }) {
      if (isClass(name)) classRanges.push([start, end]);
    },
    Property({ key, value }) {
      if (isClass(key)) classRanges.push([value.start, value.end]);
    },
    BinaryExpression({ start, end, operator }) {
      if (/^[!=]==?$/.test(operator)) comparedRanges.push([start, end]);
    },
    Literal({ value, start }) {
      if (typeof value === 'string') strings.push({ start, text: value });
    },
    TemplateLiteral({ quasis, start }) {
      strings.push({ start, text: quasis.map(({ value }) => value.cooked ?? value.raw).join('\0') });
    },
    JSXText({ value, start }) {
      strings.push({ start, text: value });
    },
  }).visit(parseSync(file, text).program);
  const isIn = (ranges: readonly (readonly [number, number])[], at: number) =>
    ranges.some(([start, end]) => at >= start && at < end);
  const lists = strings.flatMap(({ start, text }) =>
    isIn(classRanges, start) && !isIn(comparedRanges, start)
      ? [text]
      : [...text.matchAll(/\bclass="([^"]*)"/g)].map(([, list = '']) => list),
  );
  const named = lists.flatMap((list) => list.split(/\s+/));
  return {
    classes: new Set(named.filter((name) => name !== '' && !name.includes('\0'))),
    starts: new Set(named.filter((name) => /^[\w-]+-\0/.test(name)).map((name) => name.replace(/\0.*/s, ''))),
    words: new Set(strings.flatMap(({ text }) => text.split(/[^\w-]+/))),
    imports,
  };
}
