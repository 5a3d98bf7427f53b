/**
 * Style sheets take colours, sizes, weights, corners, least heights and layers from the tokens of the kit, and change at the widths that it names.
 * Those of the kit and the console also take distances from them.
 */
import { withoutComments } from './lines.ts';

/** The file with the tokens. */
export const tokensFile = 'packages/kit/src/tokens.css';

/** What a property takes: the start of its tokens, and what a raw value looks like. */
interface Scale {
  readonly property: RegExp;
  readonly tokens: readonly string[];
  readonly isRaw: RegExp;
  /** The raw values, in pixels, that are not steps of the scale. */
  readonly isFree?: (pixels: number) => boolean;
  /** The sheets that it applies to, if not all. */
  readonly sheets?: RegExp;
}

/** A line is no higher than this. */
const linePixels = 2;
/** Longer distances keep room for what floats over the page. */
const distancePixelsMax = 64;

/** Sizes in `em` follow the text around; heights in `em` the text inside; percentages and parts of the window are no steps of a scale. */
const scales: readonly Scale[] = [
  { property: /^font(?:-size)?$/, tokens: ['--size-'], isRaw: /^[\d.]+(?:px|rem|pt)$/ },
  { property: /^font(?:-weight)?$/, tokens: ['--weight-'], isRaw: /^(?:[1-9]\d{2,3}|normal|bold|bolder|lighter)$/ },
  { property: /^border-(?:[a-z]+-){0,2}radius$/, tokens: ['--radius-'], isRaw: /^[\d.]+(?:px|rem|%)$/ },
  {
    property: /^min-(?:height|block-size)$/,
    tokens: ['--height-', '--control', '--pane-'],
    isRaw: /^[\d.]+(?:px|rem)$/,
    isFree: (pixels) => pixels <= linePixels,
  },
  {
    property: /^(?:(?:row-|column-)?gap|(?:scroll-)?(?:padding|margin)(?:-[a-z]+)*)$/,
    tokens: ['--space-'],
    isRaw: /^-?[\d.]+(?:px|rem)$/,
    isFree: (pixels) => pixels < linePixels || pixels > distancePixelsMax,
    sheets: /^packages\/(?:console|kit)\//,
  },
  { property: /^z-index$/, tokens: ['--layer-'], isRaw: /^-?\d+$/ },
];

/** A colour without a variable in it: digits, a function or a name. */
const rawColour =
  /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\([^()]*\)|(?<![\w-])(?:white|black|gr[ae]y|silver|red|maroon|orange|yellow|gold|olive|lime|green|teal|aqua|cyan|blue|navy|fuchsia|magenta|purple|pink|brown)(?![\w-])/gi;

/** Returns the value of each token by its name. */
export const tokensOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    declarations(withoutComments(tokensFile, text))
      .filter(({ name }) => name.startsWith('--'))
      .map(({ name, value }) => [name, value]),
  );

/** Returns what a style sheet writes instead of a token or a named width, one line for each. */
export function rawStyles(file: string, text: string, tokens: ReadonlyMap<string, string>): string[] {
  // The face of a font says what its file contains.
  const css = withoutComments(file, text).replace(/@font-face\s*\{[^}]*\}/g, (face) => face.replaceAll(/[^\n]/g, ' '));
  const at = (index: number) => `${file}:${css.slice(0, index).split('\n').length}`;
  const values = declarations(css).flatMap(({ name, value, index }) =>
    scales
      .filter(({ property, sheets }) => property.test(name) && (sheets === undefined || sheets.test(file)))
      .flatMap((scale) =>
        wordsOf(value)
          .filter((word) => isRaw(scale, word))
          .map((word) => [word, scale] as const),
      )
      .map(([word, scale]) => `${at(index)}: write ${nearest(word, scale.tokens, tokens)} instead of ${word} in ${name}`),
  );
  const widths = [...css.matchAll(/@(media|container)[^{]*/g)].flatMap(({ 0: query, 1: kind, index }) =>
    unnamedWidths(query, kind === 'media' ? '--window-' : '--room-', tokens).map((fault) => `${at(index)}: ${fault}`),
  );
  return [...values, ...widths];
}

/** Returns the colours that a style sheet writes instead of a token, one line for each. */
export function rawColours(file: string, text: string): string[] {
  const css = withoutComments(file, text);
  return declarations(css).flatMap(({ name, value, index }) =>
    [...value.replace(/url\([^)]*\)|"[^"]*"/g, '').matchAll(rawColour)].map(
      ([colour]) =>
        `${file}:${css.slice(0, index).split('\n').length}: write a token of ${tokensFile} instead of ${colour} in ${name}`,
    ),
  );
}

/** Returns the tokens that no style sheet or script reads. Widths of queries cannot be read. */
export function unreadTokens(tokens: ReadonlyMap<string, string>, texts: readonly string[]): string[] {
  const read = new Set(
    texts.flatMap((text) => [...text.matchAll(/var\((--[\w-]+)|'(--[\w-]+)'/g)].map((one) => one[1] ?? one[2])),
  );
  return [...tokens.keys()]
    .filter((name) => !/^--(?:window|room)-/.test(name) && !read.has(name))
    .map((name) => `${tokensFile}: nothing reads ${name}`);
}

/** Set by the library of menus on its elements. */
const foreignNames = ['--anchor-width'];

/** Returns what style sheets read and nothing sets, one line for each; `texts` are style sheets and scripts by their path. */
export function unsetTokens(texts: ReadonlyMap<string, string>): string[] {
  const set = new Set(
    [...texts.values()].flatMap((text) => [...text.matchAll(/(--[\w-]+)(?::|'|=)/g)].map(([, name]) => name)),
  );
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/var\((--[\w-]+)\)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !set.has(name) && !foreignNames.includes(name))
      .map((name) => `${file}: nothing sets ${name}`),
  );
}

function declarations(css: string): readonly { readonly name: string; readonly value: string; readonly index: number }[] {
  return [...css.matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+)(?=[;}])/g)].map(({ 1: name = '', 2: value = '', index }) => ({
    name,
    value: value.trim(),
    index,
  }));
}

/** Returns the words of a value outside of `var()`; what is calculated from a token is no raw value. */
const wordsOf = (value: string): readonly string[] =>
  /^calc\(.*var\(--/s.test(value) ? [] : value.replace(/var\([^)]*\)/g, ' ').split(/[\s,()/]+/);

const isRaw = ({ isRaw: raw, isFree }: Scale, word: string): boolean =>
  raw.test(word) && Number.parseFloat(word) !== 0 && isFree?.(pixelsOf(word)) !== true;

const pixelsOf = (value: string): number => Math.abs(Number.parseFloat(value)) * (value.endsWith('rem') ? 16 : 1);

/** Returns the token with the nearest value, as it is written. */
function nearest(word: string, starts: readonly string[], tokens: ReadonlyMap<string, string>): string {
  const distance = (value: string) => Math.abs(pixelsOf(value) - pixelsOf(word)) || 0;
  const scale = [...tokens].filter(([name]) => starts.some((start) => name.startsWith(start)));
  const [name, value] = scale.sort(([, one], [, other]) => distance(one) - distance(other))[0] ?? ['a token', ''];
  return `var(${name}), which is ${value},`;
}

function unnamedWidths(query: string, start: string, tokens: ReadonlyMap<string, string>): string[] {
  const named = [...tokens].filter(([name]) => name.startsWith(start)).map(([, value]) => Number.parseFloat(value));
  return [...query.matchAll(/\b(min|max)-width:\s*([\d.]+)(\w*)/g)]
    .filter(([, edge, width, unit]) => unit !== 'px' || !named.includes(Number(width) - (edge === 'min' ? 1 : 0)))
    .map(([found]) => `"${found}" matches no ${start}… token: max-width takes ${named.join(', ')} px, min-width 1 px more`);
}
