/**
 * Finds values inside SQL text. A statement's text is always the same, and variable parts are parameters. A text may be composed only of
 * module constants: tables, columns, bounds, and SQL made of these.
 */
import { type Expression, type Program, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { isTest, sourceFiles, toolFiles } from './source-files.ts';

/** Recognizes a quoted text as part of a statement. */
const isStorage = (file: string): boolean => file.startsWith('packages/server/src/storage/');

/** Returns the files with SQL, as paths below `root` with slashes. Tests may do what they like with their own databases. */
export const sqlFiles = (root: string): string[] =>
  [...sourceFiles(root).filter((file) => file.startsWith('packages/server/src/')), ...toolFiles(root)].filter(
    (file) => file.endsWith('.ts') && !isTest(file),
  );

const words =
  /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|UPDATE \w+\s+SET|DELETE FROM|(?:CREATE|DROP|ALTER|TRUNCATE|ANALYZE|VACUUM) (?:TABLE|INDEX|DATABASE|ROLE)|PRAGMA|WHERE|VALUES)\s/;

/** The top-level names of a module, and imported ones. */
function declaredIn({ body }: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') for (const { local } of statement.specifiers) names.add(local.name);
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'FunctionDeclaration' && declaration.id) names.add(declaration.id.name);
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id } of declaration.declarations) if (id.type === 'Identifier') names.add(id.name);
  }
  return names;
}

/** The name that an expression begins with; undefined if none. */
function rootOf(expression: Expression): string | undefined {
  if (expression.type === 'Identifier') return expression.name;
  if (expression.type === 'MemberExpression') return rootOf(expression.object as Expression);
  if (expression.type === 'CallExpression') return rootOf(expression.callee as Expression);
  return undefined;
}

/** Statements that cannot have parameters: column defaults from table declarations, and a PRAGMA with the operator's folder. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/server/src/storage/sql/schema/migrations.ts': `value.replaceAll("'", "''")`,
  'packages/server/src/storage/sqlite/directory/compact.ts': `dataDir.replaceAll("'", "''")`,
};

/** Names of call-specific values. */
const values =
  /(?:[a-z]Id|[a-z]Ids|[sS]lug|[eE]mail|[sS]ubject|[hH]ash|[tT]oken|[sS]ecret|\bvalue|\bnow|[pP]assword|[uU]rl|[pP]ath|[dD]ir)$/;

/** Returns a line for each value in the SQL of a source: quoted expressions that no module declares, and names of values anywhere. */
export function sqlValues(file: string, text: string): string[] {
  const { program } = parseSync(file, text);
  const declared = declaredIn(program);
  const found: string[] = [];
  new Visitor({
    TemplateLiteral({ quasis, expressions }: TemplateLiteral) {
      const raw = quasis.map(({ value }) => value.raw);
      const isSql = words.test(raw.join('x'));
      if (!isSql && !isStorage(file)) return;
      for (const [index, expression] of expressions.entries()) {
        const root = rootOf(expression as Expression);
        if (root !== undefined && declared.has(root)) continue;
        const written = text.slice(expression.start, expression.end);
        if (exceptions[file] === written) continue;
        const before = raw.slice(0, index + 1).join('x');
        const isQuoted = (before.split("'").length - 1) % 2 === 1;
        if (!isQuoted && !(isSql && values.test(written))) continue;
        const line = text.slice(0, expression.start).split('\n').length;
        found.push(`${file}:${line}: \`${written}\` is a value inside SQL text: make it a parameter of the statement`);
      }
    },
  }).visit(program);
  return found;
}
