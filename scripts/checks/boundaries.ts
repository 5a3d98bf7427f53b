/**
 * Applies the import boundaries of the repository (boundary-rules.ts): parses import and export statements, resolves relative ones, and
 * reports every statement that crosses a boundary.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Import, rules } from './boundary-rules.ts';
import { findCircles } from './circles.ts';
import { isTest, kindOf, sourceFiles } from './source-files.ts';

export interface Fault {
  readonly rule: RuleName;
  readonly file: string;
  readonly target: string;
}

const environmentRule = 'one-reader-of-the-environment';
const environmentReader = 'packages/server/src/config/config.ts';
const circleRule = 'no-circle-of-imports';
const kindRule = 'every-source-is-read';
export type RuleName = keyof typeof rules | typeof environmentRule | typeof circleRule | typeof kindRule;

/** The meaning of each rule. */
export const ruleMeanings: Readonly<Record<RuleName, string>> = {
  ...(Object.fromEntries(Object.entries(rules).map(([name, { meaning }]) => [name, meaning])) as Record<
    keyof typeof rules,
    string
  >),
  [environmentRule]: 'only config/config.ts reads the process environment',
  [circleRule]: 'no file imports itself, also not through others and not for its types',
  [kindRule]: 'scripts/checks/source-files.ts says of every extension whether its files are code',
};

/** Returns every crossing of a boundary below `root`, ordered by file. Tests and their fixtures may import anything. */
export function findFaults(root: string): Fault[] {
  const paths = sourceFiles(root).filter((path) => /^packages\/[^/]+\/src\//.test(path));
  const files = paths
    .filter((file) => kindOf(file) === 'code' && !isTest(file))
    .map((file) => parse(file, readFileSync(join(root, file), 'utf8')));
  const imports = new Map(files.map(({ file, imports: all }) => [file, all.map(({ target }) => target)]));
  const circles = findCircles(imports).map(([file, target]): Fault => ({ rule: circleRule, file, target }));
  const unknown = paths.filter((file) => kindOf(file) === undefined);
  return [
    ...files.flatMap(faultsOf),
    ...circles,
    ...unknown.map((file): Fault => ({ rule: kindRule, file, target: posix.extname(file) })),
  ];
}

interface ParsedFile {
  readonly file: string;
  readonly imports: readonly Import[];
  readonly readsEnvironment: boolean;
}

function parse(file: string, text: string): ParsedFile {
  const parsed = parseSync(file, text);
  if (parsed.errors.length > 0) throw new Error(`cannot parse ${file}: ${parsed.errors[0]?.message}`);
  return {
    file,
    imports: importsOf(file, text, parsed),
    readsEnvironment: readsEnvironment(withoutComments(text, parsed)),
  };
}

function faultsOf({ file, imports, readsEnvironment: isReader }: ParsedFile): Fault[] {
  const names = Object.keys(rules) as (keyof typeof rules)[];
  const faults: Fault[] = imports.flatMap((one) =>
    names.filter((rule) => rules[rule].breaks(one)).map((rule) => ({ rule, file, target: one.target })),
  );
  if (isReader && file !== environmentReader) faults.push({ rule: environmentRule, file, target: 'process.env' });
  return faults;
}

type Parsed = ReturnType<typeof parseSync>;

function importsOf(file: string, text: string, { module }: Parsed): Import[] {
  const one = (specifier: string, isTypeOnly: boolean): Import => {
    const isLocal = specifier.startsWith('.');
    const target = isLocal ? posix.normalize(posix.join(posix.dirname(file), specifier)) : specifier;
    return { file, target, isLocal, isTypeOnly };
  };
  const imports = module.staticImports.map(({ moduleRequest, entries }) =>
    one(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
  );
  const exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType }) => (moduleRequest ? [one(moduleRequest.value, isType)] : []));
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
    const specifier = /^(['"])(.*)\1$/.exec(text.slice(start, end))?.[2];
    if (specifier === undefined) throw new Error(`${file} imports ${text.slice(start, end)}, which is no plain text`);
    return one(specifier, false);
  });
  return [...imports, ...exports, ...dynamic];
}

function withoutComments(text: string, { comments }: Parsed): string {
  let code = text;
  for (const { start, end } of comments) code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  return code;
}

function readsEnvironment(code: string): boolean {
  return /\bprocess\s*\??\.\s*env\b|\bprocess\s*\[\s*['"`]env|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"]node:process/.test(
    code,
  );
}

/** Returns a fault as one line for people. */
export function describeFault({ rule, file, target }: Fault): string {
  return `${file} → ${target}: ${ruleMeanings[rule]} (${rule})`;
}
