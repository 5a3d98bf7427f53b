import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cut, nextVersion, sectionOf, sections } from './changelog.ts';

const changelog = `# Changelog

## [Unreleased]

### Added

- A thing, see [0.1.0].

## [0.1.0] - 2026-11-23

The first release.
`;

describe('the changelog', () => {
  it('has sections with a date, except for unreleased changes', () => {
    expect(sections(changelog)).toEqual([
      { name: 'Unreleased', date: undefined, text: '### Added\n\n- A thing, see [0.1.0].' },
      { name: '0.1.0', date: '2026-11-23', text: 'The first release.' },
    ]);
    expect(sectionOf(changelog, '0.2.0')).toBeUndefined();
  });

  it('is cut once by a release', () => {
    const released = cut(changelog, '0.2.0', '2026-12-01');
    expect(sections(released).map(({ name, date, text }) => [name, date, text.length > 0])).toEqual([
      ['Unreleased', undefined, false],
      ['0.2.0', '2026-12-01', true],
      ['0.1.0', '2026-11-23', true],
    ]);
    expect(() => cut(released, '0.3.0', '2026-12-02')).toThrow('nothing unreleased');
    expect(() => cut(changelog, '0.1.0', '2026-12-02')).toThrow('has a section 0.1.0 already');
  });

  it('of this repository is readable', () => {
    const own = sections(readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8'));
    expect(own[0]?.name).toBe('Unreleased');
    expect(own.slice(1).map(({ date }) => /^\d{4}-\d\d-\d\d$/.test(date ?? ''))).not.toContain(false);
    expect(own.length).toBeGreaterThan(1);
  });
});

describe('the next release number', () => {
  it.each([
    ['0.1.0', ['Fixed', 'Security'], '0.1.1'],
    ['0.1.9', ['Added', 'Fixed'], '0.2.0'],
    ['0.9.0', ['Removed'], '0.10.0'],
    ['1.4.2', ['Changed'], '1.5.0'],
    ['1.4.2', ['Added', 'Removed'], '2.0.0'],
  ])('after %s, with %j, is %s', (current, parts, next) => {
    expect(nextVersion(current, parts.map((part) => `### ${part}\n\n- x`).join('\n\n'))).toBe(next);
  });

  it('does not exist without unreleased changes', () => {
    expect(() => nextVersion('0.1.0', '')).toThrow('nothing to release');
  });
});
