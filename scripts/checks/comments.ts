/** Finds exported functions without a comment. The console and site packages are exempt: nobody else imports them. */
import { extname } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isTest } from './source-files.ts';

const isChecked = (file: string): boolean =>
  /^packages\/(?:client|contract|json|server)\/src\//.test(file) && extname(file) === '.ts' && !isTest(file);

/** Returns a line for each exported `function` without a doc comment. One comment is enough for all overloads. */
export function uncommented(file: string, text: string): string[] {
  if (!isChecked(file)) return [];
  const { program, comments } = parseSync(file, text);
  const ends = comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end);
  const known = new Set<string>();
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration, start } = statement;
    if (declaration?.type !== 'FunctionDeclaration' && declaration?.type !== 'TSDeclareFunction') return [];
    const name = declaration.id?.name ?? '';
    if (known.has(name)) return [];
    known.add(name);
    const isCommented = ends.some((end) => end <= start && text.slice(end, start).trim() === '');
    return isCommented ? [] : [`${file}: ${name} is exported and has no comment`];
  });
}
