import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sqlFiles, sqlValues } from './sql-values.ts';

const root = join(import.meta.dirname, '../..');
const file = 'packages/server/src/storage/sqlite/accounts.ts';
/** Returns the number of findings in a source, in which `#{` represents the start of a placeholder. */
const faults = (text: string, path = file) => sqlValues(path, text.replaceAll('#{', '$' + '{')).length;

it('a value in a statement is found', () => {
  expect(faults('export const of = (accountId) => `SELECT 1 FROM accounts WHERE account_id = #{accountId}`;')).toBe(1);
  expect(faults('function a(key) { return `DELETE FROM projects WHERE slug = #{key.slug}`; }')).toBe(1);
  expect(faults("function a(name) { return `UPDATE accounts SET name = '#{name}'`; }")).toBe(1);
  expect(
    faults("function a(text) { return `SELECT x FROM y WHERE z = '#{text.replaceAll(q, r)}'`; }", 'torture/a.ts'),
  ).toBe(1);
});

it('a part of a statement that is composed elsewhere is found', () => {
  expect(faults("function open(accountId) { for (const sql of totalsOf(`= '#{accountId}'`)) run(sql); }")).toBe(1);
  expect(faults("const f = (words) => `IN ('#{words.join()}')`;")).toBe(1);
});

it('names declared by the module, table names and bounds are allowed', () => {
  expect(
    faults(
      "import { guestId } from './a.ts';\nconst most = 4;\nexport const sql = `SELECT 1 FROM t WHERE id GLOB '#{guestId}' LIMIT #{most}`;",
    ),
  ).toBe(0);
  expect(faults('function slice(table, rowsMax) { return `DELETE FROM #{table} WHERE x LIMIT #{rowsMax}`; }')).toBe(0);
  expect(faults('const message = (slug) => `there is no project #{slug}`;')).toBe(0);
});

it('no file has a value in a statement', () => {
  const files = sqlFiles(root);
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((each) => sqlValues(each, readFileSync(join(root, each), 'utf8')))).toEqual([]);
});
