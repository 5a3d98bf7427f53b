/**
 * Applies the import boundaries of the repository (boundary-rules.ts): reports every import or export statement that crosses a boundary.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { consoleFolderOf, leavesTooling, rules } from './boundary-rules.ts';
import { findCircles, findFolderCircles } from './circles.ts';
import { type ParsedFile, parseImports } from './imports.ts';
import { isTest, kindOf, sourceFiles, toolFiles } from './source-files.ts';

export interface Fault {
  readonly rule: RuleName;
  readonly file: string;
  readonly target: string;
}

const environmentRule = 'one-reader-of-the-environment';
const environmentReader = 'packages/server/src/config/config.ts';
const circleRule = 'no-circle-of-imports';
const folderRule = 'no-circle-of-folders';
const kindRule = 'every-source-is-read';
const toolRule = 'tools-meet-in-tooling';
export type RuleName =
  | keyof typeof rules
  | typeof environmentRule
  | typeof circleRule
  | typeof folderRule
  | typeof kindRule
  | typeof toolRule;

/** The meaning of each rule. */
export const ruleMeanings: Readonly<Record<RuleName, string>> = {
  ...(Object.fromEntries(Object.entries(rules).map(([name, { meaning }]) => [name, meaning])) as Record<
    keyof typeof rules,
    string
  >),
  [environmentRule]: 'only config/config.ts reads the process environment',
  [circleRule]: 'no file imports itself, also not through others and not for its types',
  [folderRule]: 'no folder of the console imports itself through others',
  [kindRule]: 'scripts/checks/source-files.ts says of every extension whether its files are code',
  [toolRule]: 'bench, torture and scripts import tooling, never each other, and tooling imports only itself and packages',
};

/** Returns every crossing of a boundary below `root`, ordered by file. Tests and their fixtures may import anything. */
export function findFaults(root: string): Fault[] {
  const paths = sourceFiles(root).filter((path) => /^packages\/[^/]+\/src\//.test(path));
  const parsed = (all: readonly string[]): ParsedFile[] =>
    all
      .filter((file) => kindOf(file) === 'code' && !isTest(file))
      .map((file) => parseImports(file, readFileSync(join(root, file), 'utf8')));
  const files = parsed(paths);
  const tools = parsed(toolFiles(root));
  const imports = new Map([...files, ...tools].map(({ file, imports: all }) => [file, all.map(({ target }) => target)]));
  const circles = findCircles(imports).map(([file, target]): Fault => ({ rule: circleRule, file, target }));
  const folderCircles = findFolderCircles(imports, consoleFolderOf);
  const unknown = paths.filter((file) => kindOf(file) === undefined);
  return [
    ...files.flatMap(faultsOf),
    ...tools
      .flatMap((tool) => tool.imports.filter(leavesTooling))
      .map(({ file, target }): Fault => ({ rule: toolRule, file, target })),
    ...circles,
    ...folderCircles.map(([file, target]): Fault => ({ rule: folderRule, file, target })),
    ...unknown.map((file): Fault => ({ rule: kindRule, file, target: posix.extname(file) })),
  ];
}

function faultsOf({ file, imports, readsEnvironment: isReader }: ParsedFile): Fault[] {
  const names = Object.keys(rules) as (keyof typeof rules)[];
  const faults: Fault[] = imports.flatMap((one) =>
    names.filter((rule) => rules[rule].breaks(one)).map((rule) => ({ rule, file, target: one.target })),
  );
  if (isReader && file !== environmentReader) faults.push({ rule: environmentRule, file, target: 'process.env' });
  return faults;
}

/** Returns a fault as one line for people. */
export function describeFault({ rule, file, target }: Fault): string {
  return `${file} → ${target}: ${ruleMeanings[rule]} (${rule})`;
}
