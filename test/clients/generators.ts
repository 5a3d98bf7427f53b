/**
 * Clients that others' generators make of the served OpenAPI description. Each is generated, compiled and run against a service: it
 * makes a project and a key, creates a document, reads it, patches it, comes too late with a patch, sends one that is refused, and asks
 * for a project that its key does not reach.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
/** The generators are packages of their own, since they need another compiler than the rest of the repository. */
const home = join(root, 'packages/client-check');
export const programsFolder = join(home, 'programs');

/** Where the service is that the clients call, and who they are. */
export interface Target {
  readonly url: string;
  readonly accountId: string;
  readonly developerToken: string;
  /** A project of the account. */
  readonly slug: string;
}

/** What a program prints about a round in which everything went as described. */
export const expectedFindings = {
  created: 1,
  read: 1,
  theme: 'dark',
  patched: 2,
  conflict: 2,
  refused: 'patch_path_not_found',
  forbidden: 403,
  requests: true,
  token: 'invalid_grant',
} as const;

/** A way to make a client of a description, in a folder of its own that holds the description as `openapi.json`. */
export interface Generator {
  readonly name: string;
  /** Generates the client and compiles it together with its program. Throws with what the tools said. */
  build(folder: string): Promise<void>;
  /** The command that runs the round, in that folder. */
  readonly program: readonly string[];
  /** Commands that the machine needs to have. */
  readonly needs?: readonly string[];
}

/** Generates, compiles and runs a client. Returns what its program printed. Throws when any step fails. */
export async function check(generator: Generator, openApi: string, target: Target): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-client-${generator.name}-`));
  try {
    writeFileSync(join(folder, 'openapi.json'), openApi);
    await generator.build(folder);
    const [command = '', ...args] = generator.program;
    const output = await run(folder, command, args, {
      HOLDFAST_URL: target.url,
      HOLDFAST_ACCOUNT_ID: target.accountId,
      HOLDFAST_DEVELOPER_TOKEN: target.developerToken,
      HOLDFAST_PROJECT: target.slug,
      ROUND_SLUG: `round-${generator.name}`,
    });
    return JSON.parse([...output.matchAll(/^.*?(\{.*\})/gm)].at(-1)?.[1] ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command in the folder and returns what it prints. Throws with all of it when it fails. */
export async function run(
  folder: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { readonly stdout?: string; readonly stderr?: string };
    throw new Error([message, stdout, stderr].filter(Boolean).join('\n'));
  }
}

/** Runs a command of a package that is installed for `owner`, a folder; two folders can have two versions of it. */
async function runPackage(
  owner: string,
  folder: string,
  name: string,
  command: string,
  args: readonly string[],
): Promise<void> {
  const { paths, file } = found(owner, name, command);
  if (file === undefined) throw new Error(`${name} is not installed in any of ${paths.join(', ')}`);
  await run(folder, process.execPath, [file, ...args]);
}

function found(owner: string, name: string, command: string): { paths: string[]; file: string | undefined } {
  const require = createRequire(join(owner, 'package.json'));
  const paths = (require.resolve.paths(name) ?? []).map((path) => join(path, name));
  const home = paths.find((path) => existsSync(join(path, 'package.json')));
  if (home === undefined) return { paths, file: undefined };
  const { bin } = require(join(home, 'package.json')) as { readonly bin: string | Readonly<Record<string, string>> };
  return { paths, file: join(home, typeof bin === 'string' ? bin : (bin[command] ?? '')) };
}

/** Compiles a program and what it imports, as strictly as this repository itself. */
export async function compileTypeScript(folder: string, program: string): Promise<void> {
  const options = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    outDir: 'built',
    rootDir: '.',
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  };
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  copyFileSync(join(programsFolder, `${program}.ts`), join(folder, 'program.ts'));
  copyFileSync(join(programsFolder, 'round.ts'), join(folder, 'round.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
  await runPackage(root, folder, 'typescript', 'tsc', ['-p', '.']);
}

export const compiledProgram = [process.execPath, 'built/program.js'] as const;

/** Those that npm installs. */
export const npmGenerators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    async build(folder) {
      mkdirSync(join(folder, 'generated'));
      await runPackage(home, folder, 'openapi-typescript', 'openapi-typescript', [
        'openapi.json',
        '-o',
        'generated/schema.ts',
      ]);
      await compileTypeScript(folder, this.name);
    },
    program: compiledProgram,
  },
  {
    name: 'orval',
    async build(folder) {
      const output = { target: 'generated/client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } };
      const config = { service: { input: 'openapi.json', output } };
      writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)};\n`);
      await runPackage(home, folder, 'orval', 'orval', ['--config', 'orval.config.mjs']);
      await compileTypeScript(folder, this.name);
    },
    program: compiledProgram,
  },
  {
    name: 'hey-api',
    async build(folder) {
      const config = {
        input: 'openapi.json',
        output: { path: 'generated', module: { extension: '.js' } },
        plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
        logs: { file: false },
      };
      writeFileSync(join(folder, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(config)};\n`);
      await runPackage(home, folder, '@hey-api/openapi-ts', 'openapi-ts', ['-f', 'openapi-ts.config.mjs']);
      await compileTypeScript(folder, this.name);
    },
    program: compiledProgram,
  },
];
