/** Whether a commit can be released: the version, its tag, the changelog, the named images, and the actions of the workflows. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/server.ts';
import { sections } from './changelog.ts';
import { namedVersions, programVersion } from './set-version.ts';

/** The deployment files that name the image of a release. */
export const filesWithImage = [
  'compose.yaml',
  'deploy/compose.postgres.yaml',
  'deploy/kubernetes/holdfast.yaml',
  'deploy/kubernetes/postgres.yaml',
] as const;

export interface Release {
  readonly version: string;
  /** The tag to release, if any. */
  readonly tag?: string | undefined;
  readonly changelog: string;
  /** Every occurrence of the version, with its value. */
  readonly named: readonly { readonly path: string; readonly version: string }[];
}

/** Returns the obstacles to the release, one sentence each. */
export function faultsOf({ version, tag, changelog, named }: Release): readonly string[] {
  const faults: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version))
    faults.push(`the version is ${version}; a release has three numbers, such as 0.2.0`);
  if (tag !== undefined && tag !== `v${version}`) faults.push(`the tag is ${tag}, and package.json says ${version}`);
  for (const { path, version: other } of named) {
    if (other !== version) faults.push(`${path} says ${other}, and package.json ${version}`);
  }
  const [unreleased, newest] = sections(changelog);
  if (unreleased?.name !== 'Unreleased') faults.push('CHANGELOG.md does not begin with [Unreleased]');
  else if (unreleased.text !== '') faults.push('CHANGELOG.md has changes under [Unreleased], which no release has');
  if (newest?.name !== version) faults.push(`the newest section of CHANGELOG.md is ${newest?.name}, not ${version}`);
  else if (newest.text === '') faults.push(`the section ${version} of CHANGELOG.md is empty`);
  if (newest !== undefined && !/^\d{4}-\d\d-\d\d$/.test(newest.date ?? '')) {
    faults.push(`the section ${newest.name} of CHANGELOG.md has no day`);
  }
  return faults;
}

/** Returns each action of a workflow that is not named by its commit. Files of this repository are part of the commit. */
export function unpinnedActions(workflow: string): readonly string[] {
  const used = [...workflow.matchAll(/^\s*(?:- )?uses:\s*(\S+)(.*)$/gm)];
  return used
    .filter(([, action = '', rest = '']) => {
      if (action.startsWith('./')) return false;
      return !/@[0-9a-f]{40}$/.test(action) || !/^ # v\d+\.\d+\.\d+$/.test(rest);
    })
    .map(([, action = '']) => action);
}

/** Returns the obstacles to releasing this tree. `repository` is the owner and name of the image that the files must name. */
export function verify(tag: string | undefined, repository: string | undefined): readonly string[] {
  const version = programVersion();
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const workflows = globSync('.github/workflows/*.yml', { cwd: root });
  return [
    ...faultsOf({ version, tag, changelog: read('CHANGELOG.md'), named: namedVersions() }),
    ...workflows.flatMap((path) =>
      unpinnedActions(read(path)).map((action) => `${path} does not pin ${action} to a commit`),
    ),
    ...filesWithImage.flatMap((path) => {
      if (repository === undefined || imageOf(read(path)) === `ghcr.io/${repository}:${version}`) return [];
      return [`${path} does not name the image ghcr.io/${repository}:${version}`];
    }),
  ];
}

const imageOf = (text: string) => /^\s+image: (ghcr\.io\/\S+)$/m.exec(text)?.[1];
