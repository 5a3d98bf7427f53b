import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrast, type Palette, paletteOf, paletteStyle } from './colours.ts';

/** Pairs of foreground and background, with their minimum contrast. */
const pairs: readonly (readonly [keyof Palette, keyof Palette, number])[] = [
  ['text', 'surface', 4.5],
  ['text', 'field', 4.5],
  ['text', 'note-surface', 4.5],
  ['text', 'danger-surface', 4.5],
  ['muted', 'surface', 4.5],
  ['link', 'surface', 4.5],
  ['link', 'field', 4.5],
  ['link', 'note-surface', 4.5],
  ['danger', 'surface', 4.5],
  ['on-primary', 'primary', 4.5],
  ['on-primary', 'primary-hover', 4.5],
  ['line', 'surface', 3],
  ['primary-line', 'surface', 3],
];

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const hostile = fc.constantFrom(
  '#ffffff',
  '#000000',
  '#808080',
  '#767676',
  '#777777',
  '#ffff00',
  '#ff0000',
  '#0000ff',
  '#00ff00',
);
const any = fc.option(fc.oneof(colour, hostile), { nil: null });

it('every brand gets text and edges that are visible on their background, in either scheme', () => {
  fc.assert(
    fc.property(
      any,
      any,
      any,
      fc.constantFrom('light' as const, 'dark' as const),
      (primary, surface, background, scheme) => {
        const palette = paletteOf({ primary, surface, background }, scheme);
        for (const [over, under, least] of pairs) {
          expect(contrast(palette[over], palette[under]), `${over} on ${under}`).toBeGreaterThanOrEqual(least);
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

it('an all-white brand keeps its white background, with dark text and a visible button', () => {
  const white = { primary: '#ffffff', surface: '#ffffff', background: '#ffffff' };
  const palette = paletteOf(white, 'light');
  expect(palette.surface).toBe('#ffffff');
  expect(contrast(palette.text, '#ffffff')).toBeGreaterThan(12);
  expect(contrast(palette.primary, '#ffffff')).toBeGreaterThan(4.5);
});

it('colours with good contrast are used unchanged', () => {
  const palette = paletteOf({ primary: '#7a2e8e', surface: '#fffaf5', background: '#f3d9c9' }, 'light');
  expect(palette).toMatchObject({ primary: '#7a2e8e', surface: '#fffaf5', bg: '#f3d9c9', 'on-primary': '#ffffff' });
});

it('a light brand is dark in the dark scheme, and a dark one stays unchanged', () => {
  const light = paletteOf({ primary: '#7a2e8e', surface: '#ffffff', background: '#ffffff' }, 'dark');
  expect(contrast(light.surface, '#000000')).toBeLessThan(2);
  const dark = { primary: '#ffcc33', surface: '#17131f', background: '#0b0911' };
  expect(paletteOf(dark, 'dark')).toMatchObject({ surface: '#17131f', bg: '#0b0911' });
});

it('black on white has contrast 21, and only colours get into a style sheet', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  const injected = { primary: '#fff;}body{display:none', surface: null, background: null };
  expect(() => paletteOf(injected, 'light')).toThrow(/no colour/);
  const palette = paletteOf({ primary: null, surface: null, background: null }, 'light');
  expect(paletteStyle(palette, palette)).toMatch(/^[:{};@()a-z0-9# -]+$/);
});
