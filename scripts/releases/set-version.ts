/**
 * The version of the program: `node scripts/releases/set-version.ts 0.2.0` writes it everywhere it is named. The `package.json` at the root
 * has the original; all others are copies.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

interface Place {
  readonly path: string;
  /** Every occurrence of the program's version in this file, as the second group. */
  readonly pattern: RegExp;
}

const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: repository })];

const places: readonly Place[] = [
  ...manifests.flatMap((path) => [
    { path, pattern: /^( {2}"version": ")([^"]+)(?=")/gm },
    { path, pattern: /^( +"@holdfast\/[a-z]+": ")(\d[^"]*)(?=")/gm },
  ]),
  ...globSync('examples/*/package.json', { cwd: repository }).map((path) => ({
    path,
    pattern: /^( +"@holdfast\/[a-z]+": ")(\d[^"]*)(?=")/gm,
  })),
  { path: 'Dockerfile', pattern: /^(ARG VERSION=)(\S+)/gm },
  { path: 'compose.yaml', pattern: /^( +image: ghcr\.io\/holdfast\/holdfast:)(\S+)/gm },
  { path: 'deploy/compose.postgres.yaml', pattern: /^( +image: ghcr\.io\/holdfast\/holdfast:)(\S+)/gm },
  { path: 'deploy/kubernetes/holdfast.yaml', pattern: /^( +image: ghcr\.io\/holdfast\/holdfast:)(\S+)/gm },
  { path: 'deploy/kubernetes/postgres.yaml', pattern: /^( +image: ghcr\.io\/holdfast\/holdfast:)(\S+)/gm },
];

/** The version in the `package.json` at the root. */
export function programVersion(): string {
  return JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).version;
}

/** Every occurrence of the program's version and its value, including the lockfile. */
export function namedVersions(): { readonly path: string; readonly version: string }[] {
  const inFiles = places.flatMap(({ path, pattern }) =>
    [...readFileSync(join(repository, path), 'utf8').matchAll(pattern)].map(([, , version = '']) => ({ path, version })),
  );
  const { packages } = readLockfile();
  const inLockfile = Object.entries(packages)
    .filter(([name]) => isOurs(name))
    .flatMap(([name, { version = '' }]) => [{ path: `package-lock.json ${name}`, version }]);
  return [...inFiles, ...inLockfile];
}

interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
}

function readLockfile(): { version: string; packages: Record<string, LockedPackage> } {
  return JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
}

const isOurs = (name: string) => name === '' || (name.startsWith('packages/') && !name.includes('/node_modules/'));

function setVersion(version: string): void {
  for (const { path, pattern } of places) {
    const file = join(repository, path);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(pattern, (_, before: string) => `${before}${version}`),
    );
  }
  const lockfile = readLockfile();
  lockfile.version = version;
  for (const [name, locked] of Object.entries(lockfile.packages).filter(([name]) => isOurs(name))) {
    locked.version = version;
    for (const dependency of Object.keys(locked.dependencies ?? {}).filter((each) => each.startsWith('@holdfast/'))) {
      Object.assign(locked.dependencies as object, { [dependency]: version });
    }
    lockfile.packages[name] = locked;
  }
  writeFileSync(join(repository, 'package-lock.json'), `${JSON.stringify(lockfile, null, 2)}\n`);
}

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2);
  if (/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version)) setVersion(version);
  else {
    console.error('usage: node scripts/releases/set-version.ts VERSION, such as 0.2.0');
    process.exitCode = 2;
  }
}
