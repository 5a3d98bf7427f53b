/**
 * Builds the published form of `@holdfast/client`: JavaScript and declarations in `packages/client/dist`, with a separate manifest. It has
 * modules, and CommonJS in `cjs`. In the repository the sources run directly; Node does not run TypeScript below `node_modules`. `npm pack
 * ./packages/client/dist` makes the package.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'packages/client');

interface Manifest extends Record<string, unknown> {
  /** A file, or files by condition. */
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Builds the package into a folder, which is emptied first. */
export async function buildClient(folder = join(source, 'dist')): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const entries = Object.values(manifest.exports)
    .flatMap((given) => (typeof given === 'string' ? [given] : Object.values(given)))
    .map(nameOf);
  await bundle(entries, folder, 'esm');
  declare(folder);
  const common = join(folder, 'cjs');
  await bundle(entries, common, 'cjs');
  for (const file of globSync('**/*.d.ts', { cwd: folder })) cpSync(join(folder, file), join(common, file));
  writeFileSync(join(common, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
  cpSync(join(source, 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Writes the JavaScript, as modules or as CommonJS. Our own packages are included; dependencies are not. */
async function bundle(entries: readonly string[], folder: string, format: 'esm' | 'cjs'): Promise<void> {
  const built = await rolldown({
    input: Object.fromEntries([...entries, 'react/query'].map((name) => [name, join(source, 'src', `${name}.ts`)])),
    external: [/^node:/, /^react(?:$|\/)/, 'eventsource-parser', '@openfeature/web-sdk'],
    platform: 'neutral',
    transform: { target: 'es2022' },
  });
  await built.write({ dir: folder, format, chunkFileNames: 'shared-[hash].js', entryFileNames: '[name].js' });
  await built.close();
  divideReact(folder, format);
}

/**
 * Marks the hooks as browser programs. Server components import a file that names the marked one, since a bundler would include the hooks
 * in it without the mark.
 */
function divideReact(folder: string, format: 'esm' | 'cjs'): void {
  const react = join(folder, 'react.js');
  writeFileSync(react, `'use client';\n${readFileSync(react, 'utf8')}`);
  const forServers = {
    esm: "export * from './react.js';\nexport { queryOptions } from './react/query.js';\n",
    cjs: "module.exports = { ...require('./react.js'), queryOptions: require('./react/query.js').queryOptions };\n",
  };
  writeFileSync(join(folder, 'react-server.js'), forServers[format]);
}

/** The name of an entry by its source. */
const nameOf = (path: string): string => path.replace(/^\.\/src\/(.*)\.ts$/, '$1');

/** Writes the declarations, with imports that name the written files. */
function declare(folder: string): void {
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', folder];
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const tsc = spawnSync('tsc', ['-p', join(source, 'tsconfig.build.json'), ...options], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
    shell: process.platform === 'win32',
  });
  if (tsc.status !== 0) throw new Error(`cannot write declarations: ${tsc.stdout}${tsc.stderr}`);
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const json = `'${file.includes('/') || file.includes('\\') ? '../' : './'}json.js'`;
    const named = text
      .replaceAll(/(from '|import\(")(\.[^'"]*)\.ts(['"])/g, '$1$2.js$3')
      .replaceAll("'@holdfast/json'", json);
    writeFileSync(join(folder, file), named);
  }
  writeFileSync(join(folder, 'json.d.ts'), jsonTypes);
}

/** The parts of `@holdfast/json` that the declarations need; its JavaScript is included. */
const jsonTypes = `export interface JsonObject {
  readonly [name: string]: JsonValue;
}
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
`;

function published({ exports, devDependencies: _, ...manifest }: Manifest): Record<string, unknown> {
  const files = (path: string) => {
    const name = nameOf(path);
    return {
      import: { types: `./${name}.d.ts`, default: `./${name}.js` },
      require: { types: `./cjs/${name}.d.ts`, default: `./cjs/${name}.js` },
    };
  };
  const entry = (given: string | Readonly<Record<string, string>>) => {
    if (typeof given === 'string') return files(given);
    const { default: usual = '', ...others } = given;
    return { ...Object.fromEntries(Object.entries(others).map(([name, path]) => [name, files(path)])), ...files(usual) };
  };
  return {
    ...manifest,
    exports: {
      ...Object.fromEntries(Object.entries(exports).map(([name, path]) => [name, entry(path)])),
      './package.json': './package.json',
    },
  };
}

if (import.meta.main) await buildClient();
