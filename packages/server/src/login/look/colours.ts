/**
 * The colours of a page, derived from those of a brand. Touching colours have enough contrast, whatever the brand: 4.5:1 for text, 3:1 for
 * the edges of controls.
 *
 * @see https://www.w3.org/TR/WCAG22/#contrast-minimum and #non-text-contrast
 */

/** `#rrggbb`, or null for the page's own colour. */
export interface BrandColours {
  readonly primary: string | null;
  readonly surface: string | null;
  readonly background: string | null;
}

export type Scheme = 'light' | 'dark';

/** Colours that replace those of the same names in `kit/tokens.css`. */
export type Palette = Readonly<Record<(typeof paletteNames)[number], string>>;
const paletteNames = [
  'bg',
  'raised',
  'text',
  'muted',
  'line',
  'hairline',
  'field',
  'primary',
  'primary-hover',
  'primary-line',
  'on-primary',
  'link',
  'danger',
  'danger-soft',
  'note',
] as const;

const textContrastMin = 4.5;
const edgeContrastMin = 3;
const primaryContrastMin = 1.3;

type Rgb = readonly [number, number, number];

/** Returns the palette of a brand for a colour scheme. Throws for a colour that is not `#rrggbb`. */
export function paletteOf(brand: BrandColours, scheme: Scheme): Palette {
  const wanted = brand.primary ?? (scheme === 'dark' ? '#8ab4f8' : '#1f4fbf');
  const { background, surface } = grounds(brand, scheme, wanted);
  // A colour too similar to its background is not used for the main button.
  const primary = contrast(wanted, surface) < primaryContrastMin ? readable(wanted, surface, textContrastMin) : wanted;
  const text = readable(isDark(surface) ? '#f3f5f4' : '#16201f', surface, 12);
  const onPrimary =
    contrast('#ffffff', primary) >= textContrastMin ? '#ffffff' : readable('#0c1514', primary, textContrastMin);
  const line = readable(mix(surface, text, 0.3), surface, edgeContrastMin);
  const dangerSurface = under(text, mix(surface, '#c9342b', isDark(surface) ? 0.18 : 0.07));
  const field = under(text, mix(surface, isDark(surface) ? '#000000' : '#ffffff', isDark(surface) ? 0.2 : 0.6));
  const noteSurface = under(text, mix(surface, primary, 0.08));
  return {
    bg: background,
    raised: surface,
    text,
    muted: readable(mix(surface, text, 0.65), surface, textContrastMin),
    line,
    hairline: mix(surface, text, 0.14),
    field,
    primary,
    'primary-hover': mix(primary, onPrimary === '#ffffff' ? '#000000' : '#ffffff', 0.12),
    'primary-line': contrast(primary, surface) >= edgeContrastMin ? primary : line,
    'on-primary': onPrimary,
    link: readableOnAll(primary, [surface, noteSurface, field]),
    danger: readableOnAll('#c0322a', [surface, dangerSurface]),
    'danger-soft': dangerSurface,
    note: noteSurface,
  };
}

/** Returns the palettes of both schemes as custom properties for the style sheet. */
export function paletteStyle(light: Palette, dark: Palette): string {
  const block = (palette: Palette) =>
    `:root{color-scheme:${isDark(palette.raised) ? 'dark' : 'light'};${paletteNames.map((name) => `--${name}:${palette[name]}`).join(';')}}`;
  return `${block(light)}@media (prefers-color-scheme:dark){${block(dark)}}`;
}

/** A dark brand keeps its colours in the dark scheme. A light one gets a dark background with a tint of its colour. */
function grounds({ background, surface }: BrandColours, scheme: Scheme, primary: string) {
  if (scheme === 'dark') {
    const ground = background !== null && isDark(background) ? background : mix('#0d1112', primary, 0.06);
    return { background: ground, surface: surface !== null && isDark(surface) ? surface : mix(ground, '#ffffff', 0.07) };
  }
  const ground = background ?? surface ?? mix('#f4f5f5', primary, 0.04);
  return { background: ground, surface: surface ?? (isDark(ground) ? mix(ground, '#ffffff', 0.07) : '#ffffff') };
}

/** Returns the contrast ratio of two colours, from 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the colour, moved towards black or white if it lacks contrast with its background. */
function readable(colour: string, ground: string, contrastMin: number): string {
  return readableOnAll(colour, [ground], contrastMin);
}

/** The same for several backgrounds of one text. The first one decides the direction. */
function readableOnAll(
  colour: string,
  grounds: readonly [string, ...string[]],
  contrastMin: number = textContrastMin,
): string {
  const end = isDark(grounds[0]) ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += 0.04) {
    const moved = mix(colour, end, share);
    if (grounds.every((ground) => contrast(moved, ground) >= contrastMin)) return moved;
  }
  return end;
}

/** Returns the background, moved away from the text if they lack contrast. */
function under(text: string, ground: string): string {
  const end = isDark(text) ? '#ffffff' : '#000000';
  let moved = ground;
  for (let share = 0; share < 1 && contrast(text, moved) < textContrastMin; share += 0.04) moved = mix(ground, end, share);
  return moved;
}

/** Whether white text is readable on it. */
function isDark(colour: string): boolean {
  return contrast(colour, '#ffffff') > contrast(colour, '#000000');
}

function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  const hex = a.map((value, i) =>
    Math.round(value + ((b[i] as number) - value) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): Rgb {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new Error(`${JSON.stringify(colour)} is not a colour such as #12ab34`);
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
