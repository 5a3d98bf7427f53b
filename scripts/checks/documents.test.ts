import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../packages/server/src/cli/program/program.ts';
import { settings } from '../../packages/server/src/config/config.ts';
import { generatedPages, withGeneratedParts } from '../generate-docs.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('CONTRIBUTING.md');
const { scripts } = JSON.parse(read('package.json'));
const quotedIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');

it('CONTRIBUTING.md names existing npm scripts', () => {
  const verbs = quotedIn(page).flatMap((text) => /^npm (?:run )?([a-z]+)/.exec(text)?.[1] ?? []);
  expect(verbs.length).toBeGreaterThan(4);
  expect(verbs.filter((verb) => !(verb in scripts))).toEqual([]);
});

it('CONTRIBUTING.md names existing files', () => {
  const folders = ['', 'packages/contract/src', 'packages/server/src'];
  const files = quotedIn(page).flatMap((text) => /(?:^|node )((?:[\w-]+\/)*[\w.-]+\.ts|\.ci\/run)$/.exec(text)?.[1] ?? []);
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !folders.some((folder) => existsSync(join(root, folder, file))))).toEqual([]);
});

it('the bounds in ARCHITECTURE.md name existing files', () => {
  const [, bounds = ''] = read('ARCHITECTURE.md').split(/^## What a stranger can make it keep or compute$/m);
  const table = bounds
    .slice(0, bounds.indexOf('\n## '))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  const files = table.map((row) => quotedIn(row.slice(row.lastIndexOf('|', row.length - 2))));
  expect(files.length).toBeGreaterThan(20);
  for (const [n, names] of files.entries()) expect(names, table[n]).not.toEqual([]);
  expect(files.flat().filter((file) => !existsSync(join(root, 'packages/server/src', file)))).toEqual([]);
});

const workflows = globSync('.github/workflows/*.yml', { cwd: root });
const pages = ['README.md', ...globSync(['docs/**/*.md', 'packages/*/README.md'], { cwd: root })]
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

it('pages, workflows and the image name existing scripts', () => {
  const others = ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'Dockerfile', '.dockerignore', '.ci/run', ...workflows];
  const named = [...pages, ...others].flatMap((path) =>
    [...read(path).matchAll(/\bscripts\/[\w./-]+\.(?:ts|mjs)\b/g)].map(([script]) => `${path}: ${script}`),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !existsSync(join(root, name.split(': ')[1] ?? '')))).toEqual([]);
});

describe('the generated parts', () => {
  it.each(generatedPages)('of %s equal the output of `node scripts/generate-docs.ts`', (path) => {
    expect(withGeneratedParts(path, read(path))).toBe(read(path));
  });
});

describe.each(pages)('%s', (path) => {
  const text = read(path);

  it('links to existing files and headings', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)];
    const broken = links.filter(([, file = '', heading]) => {
      const target = file === '' ? path : posix.join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(read(target)).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names existing settings', () => {
    const known: readonly string[] = Object.values(settings).map(({ env }) => env);
    const named = [...text.matchAll(/\bSVC_[A-Z_]*[A-Z]\b(?!_?…)/g)].map(([name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('reads only variables in commands that the page or dev.env sets', () => {
    const shell = shellIn(text).join('\n');
    const read = [...shell.matchAll(/\$\{?([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name);
    const isSet = (name: string) => demoVariables.includes(name) || new RegExp(`\\b${name}=`).test(shell);
    const isTold = (name: string) => quotedIn(text).includes(name);
    expect([...new Set(read)].filter((name) => !isSet(name) && !isTold(name))).toEqual([]);
  });

  it('names existing commands and options', () => {
    expect(commandsIn(text).flatMap((command) => faultOf(command) ?? [])).toEqual([]);
  });

  it('names existing files of the repository', () => {
    const folders = 'deploy|docs|scripts|packages|test|bench|torture|tooling';
    const code = [...quotedIn(text), ...shellIn(text)].join('\n');
    const named = [...code.matchAll(new RegExp(`(?<![\\w/.<$}-])(?:/opt/holdfast/)?((?:${folders})/[\\w./-]*\\w)`, 'g'))];
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

/** The variables in `data/dev.env`. */
const demoVariables = [...read('packages/server/src/cli/serve/demo.ts').matchAll(/^ {4}(HOLDFAST_[A-Z_]+): /gm)].map(
  ([, name]) => name,
);

const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-')}`,
  );

/** The lines of shell blocks, with continued lines joined. */
const shellIn = (text: string) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'));

/** Every call of the command, in shell blocks and quoted in text, as words. */
function commandsIn(text: string): string[][] {
  const lines = [...shellIn(text), ...quotedIn(text)].map((line) => line.replace(/(^|\s)#.*/, ''));
  return lines
    .flatMap((line) => [
      ...line.matchAll(/(?:^|[;&|(]\s*|\b(?:npx|exec holdfast|[A-Z_]+=\S+) )holdfast ((?:[^;&|)"]|"[^"]*")+)/g),
    ])
    .map(([, words = '']) => words.trim().split(/\s+/));
}

/** Returns the first of these words that the tree of commands does not know. */
function faultOf(words: readonly string[]): string | undefined {
  let command: ReturnType<typeof createProgram> = createProgram();
  const known = () => ['--help', '--version', '--env-file', ...command.options.map(({ long }) => long)];
  for (const [index, word] of words.entries()) {
    const next = command.commands.find((each) => each.name() === word);
    if (next !== undefined) command = next;
    else if (word.startsWith('--') && !known().includes(word.split('=')[0] ?? '')) return `${words.join(' ')}: no ${word}`;
    else if (index === 0 && /^[a-z]+$/.test(word) && word !== 'help') return `${words.join(' ')}: no command ${word}`;
    else if (index === 1 && command.commands.length > 0 && /^[a-z]+$/.test(word) && words[0] !== 'help') {
      return `${words.join(' ')}: no command ${word}`;
    }
  }
  return undefined;
}
