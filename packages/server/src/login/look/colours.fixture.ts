import fc from 'fast-check';
import { expect } from 'vitest';
import { contrast, type Palette, paletteOf } from './colours.ts';

/** Pairs of foreground and background, with their minimum contrast. */
const pairs: readonly (readonly [keyof Palette, keyof Palette, number])[] = [
  ['text', 'raised', 4.5],
  ['text', 'field', 4.5],
  ['text', 'note', 4.5],
  ['text', 'danger-soft', 4.5],
  ['muted', 'raised', 4.5],
  ['link', 'raised', 4.5],
  ['link', 'field', 4.5],
  ['link', 'note', 4.5],
  ['danger', 'raised', 4.5],
  ['on-primary', 'primary', 4.5],
  ['on-primary', 'primary-hover', 4.5],
  ['line', 'raised', 3],
  ['primary-line', 'raised', 3],
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

/** Checks the palettes of this many random brands: text and edges are visible on their background, in either scheme. */
export function expectVisible(numRuns: number): void {
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
    { numRuns },
  );
}
