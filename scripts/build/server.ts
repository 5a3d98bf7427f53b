/** Turns the service into plain JavaScript: files of a package, or scripts of a single executable. */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { commitAt } from '../../packages/server/src/common/program/commit-at.ts';
import type { Site } from '../../packages/server/src/http/routes/documentation.ts';

export const root = join(import.meta.dirname, '../..');
const server = join(root, 'packages/server');
const main = 'packages/server/src/cli/main.ts';

/** Modules that run as threads, as paths in the repository. */
const threads: readonly string[] = globSync('packages/server/src/**/*{writer,worker}.ts', { cwd: root })
  .filter((path) => /\/(?:writer|[a-z-]+-worker)\.ts$/.test(path))
  .sort();

const manifest = 'packages/server/package.json';

/** Files that the program reads at run time, as paths in the repository. */
const files = [
  manifest,
  ...globSync(
    ['packages/server/src/login/{*.css,browser.js}', 'packages/kit/src/*.{css,svg}', 'packages/server/src/**/*.sql'],
    { cwd: root },
  ),
  ...globSync(['packages/console/dist/{index.html,files.json}', 'packages/console/dist/assets/*'], { cwd: root }),
  'packages/client/bundle/client.js',
  ...globSync(['packages/site/dist/{*,*/*}.{html,json,js,css,woff2}'], { cwd: root }),
  ...sourcesOfSite(),
].sort();

/** Markdown and pictures of the documentation, served unchanged. */
function sourcesOfSite(): string[] {
  const { home, groups, images } = JSON.parse(readFileSync(join(root, 'packages/site/dist/site.json'), 'utf8')) as Site;
  return [...[home, ...groups.flatMap(({ pages }) => pages)].map(({ source }) => source), ...images];
}

/** Replaces `import.meta.url` by the path of each module, and uses the suitable form of program-files.ts. */
function programFiles(form: 'built' | 'single'): Plugin {
  return {
    name: 'program-files',
    resolveId(source, importer) {
      if (importer === undefined || !source.endsWith('/program-files.ts')) return null;
      return join(dirname(importer), source.replace(/program-files\.ts$/, `program-files.${form}.ts`));
    },
    transform(code, id) {
      if (!id.startsWith(server) || id.endsWith('/program-files.built.ts') || !code.includes('import.meta')) return null;
      if (/import\.meta(?!\.url)/.test(code)) throw new Error(`${id} uses import.meta for something else than its address`);
      const path = relative(root, id).replaceAll('\\', '/');
      return { code: code.replaceAll('import.meta.url', JSON.stringify(`holdfast:///${path}`)) };
    },
  };
}

/** Third-party packages are installed beside the package, but included in an executable. The compiler's helpers always are. */
const isOther = (id: string) => !/^(?:\.|\/|[A-Za-z]:|@holdfast\/|@oxc-project\/runtime\/)/.test(id);

/** Writes the service as files of a package: its code, and files read by path below `files`. `external` are packages beside it. */
async function bundleFiles(folder: string, external = isOther): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: {
      main,
      ...Object.fromEntries(threads.map((path) => [join('files', path).replace(/\.ts$/, ''), path])),
    },
    external,
    plugins: [programFiles('built')],
  });
  await bundle.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js', entryFileNames: '[name].js' });
  await bundle.close();
  for (const path of files) {
    const target = join(folder, 'files', path);
    mkdirSync(dirname(target), { recursive: true });
    if (path === manifest) writeFileSync(target, builtManifest());
    else copyFileSync(join(root, path), target);
  }
}

/** Writes the `holdfast` command into a folder: `bin/holdfast.mjs`, and its imports below `dist`. */
export async function buildCommand(folder: string, external?: typeof isOther): Promise<void> {
  await bundleFiles(join(folder, 'dist'), external);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(join(root, 'scripts/build/holdfast.mjs'), join(folder, 'bin/holdfast.mjs'));
}

/** Writes each thread's module as one file, at its path in the repository with `.js`. Third-party code is imported. */
export async function bundleThreads(folder: string): Promise<void> {
  const input = Object.fromEntries(threads.map((path) => [path.replace(/\.ts$/, ''), path]));
  const bundle = await rolldown({ cwd: root, platform: 'node', input, external: isOther });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
}

/** The parts of the manifest in a package: its version, and that its files are modules. Nothing inside is imported by name. */
function builtManifest(): string {
  const { name, version, type } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
  // Left out if the sources are not a clone.
  const commit = commitAt(root);
  return `${JSON.stringify({ name, version, commit, private: true, type }, null, 2)}\n`;
}

export interface Scripts {
  /** The script that the executable runs. */
  readonly main: string;
  /** The path of each asset by its key. */
  readonly assets: Readonly<Record<string, string>>;
}

/** Writes the service as one script, and one per thread, including everything outside the runtime. */
export async function bundleScripts(folder: string): Promise<Scripts> {
  const bundleOne = async (path: string): Promise<string> => {
    const file = join(folder, path.replace(/\.ts$/, '.cjs'));
    const bundle = await rolldown({ cwd: root, platform: 'node', input: path, plugins: [programFiles('single')] });
    await bundle.write({
      file,
      format: 'cjs',
      codeSplitting: false,
      minify: { compress: false, mangle: false, codegen: true },
    });
    await bundle.close();
    return file;
  };
  const assets: Record<string, string> = Object.fromEntries(files.map((path) => [path, join(root, path)]));
  for (const path of threads) assets[path] = await bundleOne(path);
  return { main: await bundleOne(main), assets };
}
