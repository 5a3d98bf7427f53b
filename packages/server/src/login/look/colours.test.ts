import { expect, it } from 'vitest';
import { expectVisible } from './colours.fixture.ts';
import { contrast, paletteOf, paletteStyle } from './colours.ts';

it('every brand gets text and edges that are visible on their background, in either scheme', () => expectVisible(300));

it('an all-white brand keeps its white background, with dark text and a visible button', () => {
  const white = { primary: '#ffffff', surface: '#ffffff', background: '#ffffff' };
  const palette = paletteOf(white, 'light');
  expect(palette.raised).toBe('#ffffff');
  expect(contrast(palette.text, '#ffffff')).toBeGreaterThan(12);
  expect(contrast(palette.primary, '#ffffff')).toBeGreaterThan(4.5);
});

it('colours with good contrast are used unchanged', () => {
  const palette = paletteOf({ primary: '#7a2e8e', surface: '#fffaf5', background: '#f3d9c9' }, 'light');
  expect(palette).toMatchObject({ primary: '#7a2e8e', raised: '#fffaf5', bg: '#f3d9c9', 'on-primary': '#ffffff' });
});

it('a light brand is dark in the dark scheme, and a dark one stays unchanged', () => {
  const light = paletteOf({ primary: '#7a2e8e', surface: '#ffffff', background: '#ffffff' }, 'dark');
  expect(contrast(light.raised, '#000000')).toBeLessThan(2);
  const dark = { primary: '#ffcc33', surface: '#17131f', background: '#0b0911' };
  expect(paletteOf(dark, 'dark')).toMatchObject({ raised: '#17131f', bg: '#0b0911' });
});

it('black on white has contrast 21, and only colours get into a style sheet', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  const injected = { primary: '#fff;}body{display:none', surface: null, background: null };
  expect(() => paletteOf(injected, 'light')).toThrow(/not a colour/);
  const palette = paletteOf({ primary: null, surface: null, background: null }, 'light');
  expect(paletteStyle(palette, palette)).toMatch(/^[:{};@()a-z0-9# -]+$/);
});
