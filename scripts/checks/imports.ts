/** Reads the import and export statements of a source, and resolves relative ones. */
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** An import or export statement that names another file or package. */
export interface Import {
  /** The importing file, relative to the root, with slashes. */
  readonly file: string;
  /** The imported path, relative to the root, or the name of a package or `node:` module. */
  readonly target: string;
  readonly isLocal: boolean;
  readonly isTypeOnly: boolean;
}

export interface ParsedFile {
  readonly file: string;
  readonly imports: readonly Import[];
  readonly readsEnvironment: boolean;
}

/** Parses a source. Throws if it cannot be parsed, or if a package imports what is only known at run time. */
export function parseImports(file: string, text: string): ParsedFile {
  const parsed = parseSync(file, text);
  if (parsed.errors.length > 0) throw new Error(`cannot parse ${file}: ${parsed.errors[0]?.message}`);
  return {
    file,
    imports: importsOf(file, text, parsed),
    readsEnvironment: readsEnvironment(withoutComments(text, parsed)),
  };
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
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const specifier = /^(['"])(.*)\1$/.exec(text.slice(start, end))?.[2];
    if (specifier !== undefined) return [one(specifier, false)];
    if (!file.startsWith('packages/')) return [];
    throw new Error(`${file} imports ${text.slice(start, end)}, which is no plain text`);
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
