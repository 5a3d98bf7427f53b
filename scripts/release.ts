/**
 * A release, step by step: `node scripts/release.ts STEP`, or all of it against a registry on loopback: `node scripts/release.ts --rehearse`.
 * The workflow runs the same steps. docs/releasing.md explains them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build/server.ts';
import { filesOf, releaseFolder, writeChecksums } from './releases/artefacts.ts';
import { buildExecutable, buildPackageFiles } from './releases/build-release.ts';
import { sectionOf } from './releases/changelog.ts';
import { prepare, wantedVersion } from './releases/prepare.ts';
import { npmRegistry, packagesIn, publishPackages } from './releases/publish-packages.ts';
import { gh, publishPage } from './releases/publish-page.ts';
import { rehearse } from './releases/rehearse.ts';
import { buildReleaseImage, pushImages } from './releases/release-image.ts';
import { programVersion } from './releases/set-version.ts';
import { tryDeb } from './releases/try-deb.ts';
import { verify } from './releases/verify.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rehearse: { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
    untried: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    version: { type: 'string' },
    date: { type: 'string' },
    tag: { type: 'string' },
    repository: { type: 'string' },
    work: { type: 'string' },
    only: { type: 'string' },
    bases: { type: 'string' },
    to: { type: 'string' },
    'on-loopback': { type: 'boolean', default: false },
  },
});

const today = () => new Date().toISOString().slice(0, 10);

/** Each throws if the release cannot continue. */
const steps: Readonly<Record<string, () => void | Promise<void>>> = {
  prepare: () => prepare(values.version ?? wantedVersion(), values.date ?? today()),
  verify() {
    const faults = verify(values.tag, values.repository);
    if (faults.length > 0) throw new Error(`this cannot be released:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    console.log(`${programVersion()} can be released`);
  },
  packages: () => buildPackageFiles(!values.untried),
  executable: () => buildExecutable(!values.untried),
  deb: async () => {
    const debs = filesOf(releaseFolder).filter((name) => name.endsWith('.deb'));
    if (debs.length === 0)
      throw new Error(`there is no Debian package in ${releaseFolder}; the step "executable" makes it`);
    for (const name of debs) await tryDeb(join(releaseFolder, name));
  },
  checksums: () => void process.stdout.write(writeChecksums(releaseFolder)),
  publish: () => {
    const files = packagesIn(releaseFolder, programVersion());
    return publishPackages(files, npmRegistry(), { first: values.first, tell: console.log });
  },
  image: () => buildReleaseImage(values.bases === 'debian' ? 'debian' : 'registry', !values.untried),
  push: () => pushImages(releaseFolder, demanded('to'), programVersion(), !values['on-loopback']),
  page: () => publishPage(releaseFolder, demanded('tag'), notes(), gh),
  notes: () => console.log(notes()),
};

const notes = () => sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), programVersion())?.text ?? '';

function demanded(name: 'to' | 'tag'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`this step needs --${name}`);
  return value;
}

const usage = `usage: node scripts/release.ts ${Object.keys(steps).join('|')}
       node scripts/release.ts --rehearse [--version 0.2.0] [--skip-tests] [--work FOLDER [--only STAGE,…]]`;

if (values.rehearse) {
  await rehearse({ ...values, skipTests: values['skip-tests'] });
} else {
  const step = steps[positionals[0] ?? ''];
  if (step === undefined) {
    console.error(usage);
    process.exitCode = 2;
  } else {
    try {
      await step();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
}
