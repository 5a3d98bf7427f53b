/** Checks of the changelog, dependency updates, the workflow, commits, the glossary, and waits in tests. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../packages/server/src/storage/sqlite/schema/migrations.ts';
import { programVersion } from '../releases/set-version.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('CHANGELOG.md', () => {
  const sections = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

  it('starts with the unreleased changes, and dates every release', () => {
    const [first, ...releases] = sections;
    expect(first).toBe('[Unreleased]');
    expect(releases.filter((title) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(title))).toEqual([]);
  });

  it("has the program's version as its newest release", () => {
    expect(sections[1]).toMatch(`[${programVersion()}]`);
  });

  /** An unreleased migration names the next release, until a commit sets that version. */
  it('has unreleased changes if migrations name a coming release, and only one such release', () => {
    const isToCome = (program: string) => program.localeCompare(programVersion(), 'en', { numeric: true }) > 0;
    const toCome = new Set(migrations.map(({ program }) => program).filter(isToCome));
    expect(toCome.size).toBeLessThanOrEqual(/^## \[Unreleased\]\s+## /m.test(read('CHANGELOG.md')) ? 0 : 1);
  });

  it('sorts changes under the headings of Keep a Changelog', () => {
    const heads = [...read('CHANGELOG.md').matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(heads.filter((title) => !known.includes(title))).toEqual([]);
  });
});

describe('dependencies', () => {
  const runtime: Record<string, string> = manifest.optionalDependencies;

  it('include one version of the runtime on every platform', () => {
    expect(new Set(Object.values(runtime)).size).toBe(1);
  });

  it('of the runtime are updated together', () => {
    const { packageRules } = JSON.parse(read('renovate.json'));
    const rule = packageRules.find(({ groupName }: { groupName?: string }) => groupName === 'node runtime');
    expect([...rule.matchPackageNames].sort()).toEqual(Object.keys(runtime).sort());
  });

  /** npm 9, of Debian 12 and 13, reads no lockfile if the manifest overrides a package by another one. */
  it('are overridden only by versions', () => {
    const values = (overrides: object): unknown[] =>
      Object.values(overrides).flatMap((value) => (typeof value === 'object' ? values(value) : [value]));
    expect(values(manifest.overrides).filter((value) => !/^\d+\.\d+\.\d+$/.test(String(value)))).toEqual([]);
  });

  it('have exact versions', () => {
    const named = Object.entries<string>({ ...manifest.devDependencies, ...runtime });
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  });

  /** A release can be published before its packages with binaries. A lockfile made in between lacks platforms. */
  it('include every package of every platform in the lockfile', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the workflow', () => {
  const workflow = read('.github/workflows/ci.yml');

  it('runs .ci/run', () => {
    expect(workflow).toMatch(/run: \.ci\/run$/m);
  });

  it('names its actions by major version or commit', () => {
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/@(?:v\d+|[0-9a-f]{40})$/.test(action))).toEqual([]);
  });
});

/** Verbs whose imperative looks like another form. */
const imperatives = /^(?:Bring|Embed|Exceed|Feed|Heed|Need|Proceed|Seed|Shed|Speed|Spring|Focus|\w+ss) /;
const isImperative = (subject: string): boolean =>
  /^[A-Z][a-z]+,? .*[^.]$/.test(subject) && (imperatives.test(subject) || !/^\w+(?:ed|ing|s),? /.test(subject));

describe('commit subjects', () => {
  it('are imperatives', () => {
    // A folder unpacked from an archive has no history.
    const { stdout } = spawnSync('git', ['log', '-30', '--no-merges', '--format=%s'], { cwd: root, encoding: 'utf8' });
    const subjects = stdout?.split('\n').filter((subject) => subject !== '') ?? [];
    expect(subjects.filter((subject) => !isImperative(subject))).toEqual([]);
  });

  it('are not imperatives if they narrate, start with a small letter, or end with a full stop', () => {
    for (const subject of [
      'Rejected rules',
      'Rejects rules',
      'Rejecting rules',
      'Added, changed rules',
      'reject rules',
      'Reject rules.',
    ]) {
      expect(isImperative(subject), subject).toBe(false);
    }
    for (const subject of [
      'Reject rules',
      'Add, change and remove rules',
      'Address a fault',
      'Need no key',
      'Bring it back',
    ]) {
      expect(isImperative(subject), subject).toBe(true);
    }
  });
});

describe('the glossary of CONTRIBUTING.md', () => {
  const [, glossary = ''] = /## Glossary\n([\s\S]*?)\n## /.exec(read('CONTRIBUTING.md')) ?? [];
  const terms = [...glossary.matchAll(/^\| ([^|]+?) \|[^|]*\| ([^|]+?) \|$/gm)].slice(2).map(([, term = '']) => term);

  it('defines each term once', () => {
    expect(terms.length).toBeGreaterThan(30);
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });

  it('is in alphabetical order', () => {
    expect(terms).toEqual(terms.toSorted((one, two) => one.localeCompare(two, 'en')));
  });
});

/** If an action failed while its effect is awaited later, the rejected wait would be an error outside of every test. */
const early = /^.*[=>] \w+(?:\.\w+)*\.waitFor(?:Event|Request|Response)\(.*$/gm;

it('a wait for what a page does is awaited together with its cause', () => {
  expect('const asked = page.waitForRequest(/a/);').toMatch(early);
  const files = globSync('{test,scripts}/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('habits.test.ts'));
  const found = files.flatMap((path) => [...read(path).matchAll(early)].map(([line]) => `${path}: ${line.trim()}`));
  expect(found).toEqual([]);
});
