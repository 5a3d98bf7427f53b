/**
 * A rehearsal: the whole release from two clean clones of the last commit, against a registry on loopback. Nothing is sent to the outside,
 * and this repository stays unchanged.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { root } from '../build/server.ts';
import { filesOf, sha256, writeChecksums } from './artefacts.ts';
import { sectionOf } from './changelog.ts';
import { withImageRegistry } from './local-image-registry.ts';
import { wantedVersion } from './prepare.ts';
import { rehearsePublication } from './rehearse-publication.ts';
import { withNode } from './runtimes.ts';
import { programVersion } from './set-version.ts';
import { tryDeb } from './try-deb.ts';

export interface RehearsalOptions {
  /** The version of the release; by default the one that the changelog requires. */
  readonly version?: string | undefined;
  readonly skipTests: boolean;
  /** A folder to keep, so that stages can be run one by one; by default a temporary one. */
  readonly work?: string | undefined;
  /** The stages to run, separated by commas. */
  readonly only?: string | undefined;
}

interface Rehearsal {
  readonly work: string;
  readonly version: string;
  /** Two clones, in folders of different names and depths, since builds must not depend on their location. */
  readonly one: string;
  readonly two: string;
}

type Stage = (rehearsal: Rehearsal) => void | Promise<void>;

/** The steps of the release, in order. Each throws if the release could not continue. */
const stages: Readonly<Record<string, Stage>> = {
  clone: makeClones,
  verify: ({ one, version }) => step(one, 'verify', '--tag', `v${version}`),
  check: ({ one }) => inClone(one, 'npm', 'run', 'check'),
  tests: ({ one }) => inClone(one, 'npm', 'run', 'test:all'),
  packages: ({ one }) => step(one, 'packages'),
  executable: ({ one }) => step(one, 'executable'),
  again({ two }) {
    step(two, 'packages', '--untried');
    step(two, 'executable', '--untried');
  },
  same: compare,
  publish: ({ one, work, version }) => rehearsePublication(join(one, 'build/release'), join(work, 'registry'), version),
  deb: async ({ one }) => {
    for (const name of filesOf(join(one, 'build/release')).filter((each) => each.endsWith('.deb'))) {
      await tryDeb(join(one, 'build/release', name));
    }
  },
  image: ({ one }) => step(one, 'image', '--bases', 'debian'),
  push: pushImage,
};

const testing: readonly string[] = ['check', 'tests'];

/** Runs the stages and prints their times. Rejects at the first failure. */
export async function rehearse({ version, skipTests, work, only }: RehearsalOptions): Promise<void> {
  const place = work === undefined ? mkdtempSync(join(tmpdir(), 'holdfast-rehearsal-')) : resolve(work);
  const chosen = only?.split(',') ?? Object.keys(stages).filter((name) => !(skipTests && testing.includes(name)));
  const rehearsal = {
    work: place,
    version: version ?? versionOfTree(),
    one: join(place, 'one'),
    two: join(place, 'another/place/with-a-longer-name'),
  };
  console.log(`Rehearsing ${rehearsal.version} in ${place}`);
  const begun = performance.now();
  try {
    for (const name of chosen) {
      const stage = stages[name];
      if (stage === undefined) throw new Error(`--only takes ${Object.keys(stages).join(', ')}; not ${name}`);
      console.log(`\n== ${name}`);
      const stageBegun = performance.now();
      await stage(rehearsal);
      console.log(`== ${name}: ${seconds(stageBegun)} s`);
    }
  } finally {
    if (work === undefined) rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(`\nRehearsed ${chosen.join(', ')} of ${rehearsal.version} in ${seconds(begun)} s`);
}

const seconds = (begun: number) => ((performance.now() - begun) / 1000).toFixed(0);

/** The version of this tree if unreleased, otherwise the next one. */
function versionOfTree(): string {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  return sectionOf(changelog, 'Unreleased')?.text ? wantedVersion() : programVersion();
}

/** Clones the last commit, turns it into the release if necessary, and clones that. The commit has the time of its parent. */
function makeClones({ one, two, version }: Rehearsal): void {
  if (existsSync(one)) throw new Error(`there is a clone in ${one} already; remove it or leave out the stage "clone"`);
  clone(root, one);
  inClone(one, 'npm', 'ci', '--no-audit', '--no-fund');
  if (JSON.parse(readFileSync(join(one, 'package.json'), 'utf8')).version !== version) {
    const date = git(one, 'log', '-1', '--format=%cI');
    step(one, 'prepare', '--version', version, '--date', date.slice(0, 10));
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const who = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@example.com'];
    execFileSync('git', ['add', '--all'], { cwd: one });
    execFileSync('git', [...who, 'commit', '--quiet', '--message', `Release ${version}`], { cwd: one, env });
  }
  clone(one, two);
  inClone(two, 'npm', 'ci', '--no-audit', '--no-fund');
  console.log(`both clones are at ${git(two, 'rev-parse', 'HEAD')}`);
}

function clone(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', from, to]);
}

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

/** Runs a step of the release in a clone, like the workflow. */
const step = (folder: string, ...args: readonly string[]) => inClone(folder, 'node', 'scripts/release.ts', ...args);

function inClone(folder: string, program: string, ...args: readonly string[]): void {
  const { PATH, ...environment } = withNode(undefined, folder);
  const env = { ...environment, PATH: [join(folder, 'node_modules/.bin'), PATH].join(delimiter) };
  const { status } = spawnSync(program, args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
  assert.equal(status, 0, `${program} ${args.join(' ')} failed in ${folder}`);
}

/** The image is pushed once, and unchanged the second time. */
function pushImage({ one, work }: Rehearsal): Promise<void> {
  return withImageRegistry(join(work, 'images'), async (address) => {
    for (const _ of ['the first time', 'a second time']) {
      step(one, 'push', '--to', `${address}/holdfast/holdfast`, '--on-loopback');
    }
  });
}

/** Two builds of one commit must be identical, bit by bit. */
function compare({ one, two }: Rehearsal): void {
  const [here, there] = [one, two].map((clone) => join(clone, 'build/release')) as [string, string];
  assert.deepEqual(filesOf(here), filesOf(there));
  const other = filesOf(here).filter((name) => sha256(join(here, name)) !== sha256(join(there, name)));
  assert.deepEqual(other, [], 'these files differ between two builds of one commit');
  process.stdout.write(writeChecksums(here));
  writeChecksums(there);
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: here });
}
