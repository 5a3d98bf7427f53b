/**
 * Builds the npm packages: `npm run build -- packages` writes the folders `build/packages/*`, each ready for `npm publish`, and packs each
 * into a file of `build/tarballs` for `npm install`. In the repository the sources run directly; Node refuses TypeScript below
 * `node_modules`, so packages contain JavaScript and declarations.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, posix, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { buildClient } from './build/client.ts';
import { buildCommand, root } from './build/server.ts';

/** The used parts of a manifest. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

export const packagesFolder = join(root, 'build/packages');
const tarballsFolder = join(root, 'build/tarballs');

/** The path of a program among the installed packages. */
export const installed = (name: string): string => join(root, 'node_modules/.bin', name);

/** Libraries of the repository without a separate build. */
const libraries = ['json', 'contract'];

/** The oldest Node for the packages. The service needs `crypto.argon2`. */
const nodeMin = { library: '>=22', service: '>=24.7.0' } as const;

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

/** Rebuilds every package and returns their folders. */
export async function buildPackages(): Promise<readonly string[]> {
  rmSync(packagesFolder, { recursive: true, force: true });
  for (const name of libraries) await buildLibrary(name);
  const client = join(packagesFolder, 'client');
  await buildClient(client);
  writeManifest(client, JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')));
  await buildService();
  return [...libraries, 'client', 'holdfast'].map((name) => join(packagesFolder, name));
}

async function buildLibrary(name: string): Promise<void> {
  const manifest = manifestOf(name);
  const entries = Object.entries(manifest.exports ?? {}).map(([subpath, source]) => ({
    subpath,
    source,
    built: basename(source, '.ts'),
  }));
  const folder = join(packagesFolder, name);
  const others = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const bundle = await rolldown({
    cwd: join(root, 'packages', name),
    platform: 'neutral',
    input: Object.fromEntries(entries.map(({ built, source }) => [built, source])),
    external: (id) => id.startsWith('node:') || others.some((other) => id === other || id.startsWith(`${other}/`)),
  });
  await bundle.write({ dir: join(folder, 'dist'), format: 'esm', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  const typesOf = writeDeclarations(name, join(folder, 'dist/types'));
  const { devDependencies: _, private: __, scripts: ___, ...rest } = manifest;
  writeManifest(folder, {
    ...rest,
    engines: { node: nodeMin.library, ...(manifest.engines as object | undefined) },
    exports: {
      ...Object.fromEntries(
        entries.map(({ subpath, source, built }) => [
          subpath,
          { types: `./dist/types/${typesOf(source)}`, default: `./dist/${built}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    files: ['dist'],
  });
  copyTexts(name, folder);
}

/** Writes the declarations of a package. Returns a function from a source to its declaration's path. */
function writeDeclarations(name: string, folder: string): (source: string) => string {
  const config = join(packagesFolder, `${name}.tsconfig.json`);
  const src = join(root, 'packages', name, 'src');
  const base = join(root, 'packages', name, 'tsconfig.json');
  mkdirSync(packagesFolder, { recursive: true });
  const written = {
    extends: existsSync(base) ? base : join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: folder, rootDir: src },
    include: [src],
    exclude: ['test', 'oracle', 'fixture'].map((kind) => join(src, `**/*.${kind}.*`)),
  };
  writeFileSync(config, JSON.stringify(written));
  const { status, stdout } = spawnSync(installed('tsc'), ['-p', config], { cwd: root, encoding: 'utf8' });
  rmSync(config);
  if (status !== 0) throw new Error(`the declarations of ${name} could not be written:\n${stdout}`);
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'));
  }
  for (const file of globSync('**/*.d.ts', { cwd: src })) cpSync(join(src, file), join(folder, file));
  return (source) => posix.relative('src', source).replace(/\.ts$/, '.d.ts');
}

async function buildService(): Promise<void> {
  const folder = join(packagesFolder, 'holdfast');
  await buildCommand(folder);
  const { dependencies, exports: _, private: __, ...manifest } = manifestOf('server');
  const others = Object.entries(dependencies ?? {}).filter(([name]) => !name.startsWith('@holdfast/'));
  writeManifest(folder, {
    ...manifest,
    name: 'holdfast',
    dependencies: Object.fromEntries(others),
    engines: { node: nodeMin.service },
    exports: { './package.json': './package.json' },
    files: ['bin', 'dist'],
  });
  copyTexts('server', folder);
}

/** A package in one file. */
export interface Tarball {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
}

/** Packs package folders again, as the registry would receive them. */
export function packPackages(folders: readonly string[]): readonly Tarball[] {
  rmSync(tarballsFolder, { recursive: true, force: true });
  mkdirSync(tarballsFolder, { recursive: true });
  return folders.map((folder) => {
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', tarballsFolder], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm could not pack ${folder}:\n${stderr}`);
    const [{ filename, size, files }] = JSON.parse(stdout);
    return { file: join(tarballsFolder, filename), bytes: size, files: files.length };
  });
}

/** Writes the published manifest. `HOLDFAST_REPOSITORY` is the public address of the source, which provenance requires. */
function writeManifest(folder: string, manifest: object): void {
  const { HOLDFAST_REPOSITORY: url } = process.env;
  const repository = url === undefined ? {} : { repository: { type: 'git', url: `git+${url}.git` }, homepage: url };
  const published = { publishConfig: { access: 'public' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, ...repository, ...published }, null, 2)}\n`);
}

function copyTexts(name: string, folder: string): void {
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(root, 'packages', name, 'README.md'), join(folder, 'README.md'));
}

if (import.meta.main)
  for (const { file } of packPackages(await buildPackages())) console.log(relative(process.cwd(), file));
