/** Publishes missing packages of a release to npm's configured registry, libraries first. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../tooling/programs.ts';
import { type Piece, planOf } from './plan.ts';

/** The packages in an order that keeps them installable at any moment in between. */
export const packageNames = ['@holdfast/json', '@holdfast/contract', '@holdfast/client', 'holdfast'] as const;

export interface PackageFile extends Piece {
  readonly file: string;
  /** The name of the package; `name` includes the version. */
  readonly package: string;
}

/** The hash of a file in npm's format. */
const integrityOf = (file: string): string => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

/** Returns the files of the packages in a folder, in the order of `packageNames`. Throws if one is missing. */
export function packagesIn(folder: string, version: string): readonly PackageFile[] {
  const files = globSync('*.tgz', { cwd: folder });
  return packageNames.map((name) => {
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    if (!files.includes(file)) throw new Error(`there is no ${file} in ${folder}`);
    const path = join(folder, file);
    return { name: `${name}@${version}`, package: name, file: path, integrity: integrityOf(path) };
  });
}

export interface Registry {
  /** Returns the integrity of each version of a package; undefined if there is no such package. Rejects without an answer. */
  versions(name: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** Rejects with npm's message if it fails. */
  publish(file: string): Promise<void>;
}

/** The registry of npm's own configuration, in `environment`. */
export function npmRegistry(environment: NodeJS.ProcessEnv = process.env): Registry {
  const base = run('npm', ['config', 'get', 'registry'], '.', environment).trim().replace(/\/$/, '');
  return {
    async versions(name) {
      const response = await fetch(`${base}/${name.replace('/', '%2f')}`, { headers: { 'Cache-Control': 'no-cache' } });
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`the registry answers ${response.status} about ${name}`);
      const { versions }: Document = JSON.parse(await response.text());
      return new Map(Object.entries(versions).map(([version, { dist }]) => [version, dist.integrity]));
    },
    async publish(file) {
      const { status, stdout, stderr } = spawnSync('npm', ['publish', file, '--access', 'public'], {
        env: environment,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`npm could not publish ${file}:\n${stdout}${stderr}`);
    },
  };
}

interface Document {
  readonly versions: Readonly<Record<string, { readonly dist: { readonly integrity: string } }>>;
}

export interface PublishOptions {
  /** Whether new packages may be created. A trusted publisher cannot do that. */
  readonly first: boolean;
  /** Receives each package, with its outcome. */
  readonly tell: (line: string) => void;
}

/**
 * Publishes what the registry lacks. Rejects before anything is sent if a version is published with different content, or if a package does
 * not exist and `first` is false. Can be repeated after an incomplete publication.
 */
export async function publishPackages(
  files: readonly PackageFile[],
  registry: Registry,
  { first, tell }: PublishOptions,
): Promise<void> {
  const present = new Map<string, string>();
  const unknown: string[] = [];
  for (const { name, package: of } of files) {
    const versions = await registry.versions(of);
    const integrity = versions?.get(name.slice(of.length + 1));
    if (versions === undefined) unknown.push(of);
    if (integrity !== undefined) present.set(name, integrity);
  }
  const { left, missing } = planOf(files, present);
  if (unknown.length > 0 && !first) throw new Error(firstByHand(unknown));
  for (const { name } of left) tell(`${name} is there already, with the same content`);
  for (const { name, file } of missing) {
    await registry.publish(file);
    tell(`${name} published`);
  }
}

const firstByHand = (names: readonly string[]) =>
  `the registry has no ${names.join(', ')}, and only a person can create a package there; nothing was sent.\n` +
  'docs/releasing.md, "The first publication of a package", says what to type. Then run this again.';
