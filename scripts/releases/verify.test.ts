import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, unpinnedActions } from './verify.ts';

const changelog = '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- x\n';
const good = { version: '0.2.0', tag: 'v0.2.0', changelog, named: [{ path: 'Dockerfile', version: '0.2.0' }] };

describe('a release', () => {
  it('is valid if tag, version and changelog agree', () => {
    expect(faultsOf(good)).toEqual([]);
    expect(faultsOf({ ...good, tag: undefined })).toEqual([]);
  });

  it.each([
    ['another tag', { tag: 'v0.2.1' }, 'the tag is v0.2.1, and package.json says 0.2.0'],
    ['a version that is not three numbers', { version: '0.2.0-rc.1' }, 'the version is 0.2.0-rc.1; a release has three'],
    ['a place that was forgotten', { named: [{ path: 'Dockerfile', version: '0.1.0' }] }, 'Dockerfile says 0.1.0'],
    [
      'no section',
      { changelog: changelog.replace('[0.2.0]', '[0.1.0]') },
      'the newest section of CHANGELOG.md is 0.1.0, not',
    ],
    ['no day', { changelog: changelog.replace(' - 2026-12-01', '') }, 'the section 0.2.0 of CHANGELOG.md has no day'],
    [
      'an empty section',
      { changelog: changelog.replace('### Added\n\n- x', '') },
      'the section 0.2.0 of CHANGELOG.md is empty',
    ],
    [
      'changes that no section has',
      { changelog: changelog.replace('[Unreleased]', '[Unreleased]\n\n- y') },
      'CHANGELOG.md has changes under',
    ],
  ])('is refused with %s', (_, change, fault) => {
    expect(faultsOf({ ...good, ...change }).some((found) => found.startsWith(fault))).toBe(true);
  });
});

describe('workflow actions', () => {
  it('are reported if they are not pinned to a commit with a version comment', () => {
    const commit = '11bd71901bbe5b1630ceea73d27597364c9af683';
    const workflow = [
      'uses: ./.github/workflows/ci.yml',
      `- uses: actions/checkout@${commit} # v4.2.2`,
      `- uses: actions/checkout@${commit}`,
      '- uses: actions/setup-node@v4',
      `  uses: actions/setup-go@${commit.slice(1)} # v5.0.0`,
    ].join('\n      ');
    expect(unpinnedActions(workflow)).toEqual([
      `actions/checkout@${commit}`,
      'actions/setup-node@v4',
      `actions/setup-go@${commit.slice(1)}`,
    ]);
  });

  const workflows = globSync('.github/workflows/*.yml', { cwd: join(import.meta.dirname, '../..') });

  it.each(workflows)('%s are all pinned', (path) => {
    const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    expect(text).toContain('uses: ');
    expect(unpinnedActions(text)).toEqual([]);
  });
});
