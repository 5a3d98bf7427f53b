/**
 * Compares the migrations of both engines with those that have landed. Existing databases remember the SHA-256 of each, and a program with
 * a different text cannot open them. Also finds steps that would make others wait.
 */
import { createHash } from 'node:crypto';
import { migrations as postgres } from '../../packages/server/src/storage/postgres/schema/migrations.ts';
import type { Migration } from '../../packages/server/src/storage/sql/schema/migrations.ts';
import { releases } from '../../packages/server/src/storage/sql/schema/releases.ts';
import { migrations as sqlite } from '../../packages/server/src/storage/sqlite/schema/migrations.ts';

const engines = { sqlite, postgres };
export type Engine = keyof typeof engines;

const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');
const pinOf = ({ number }: Migration, engine: Engine) => releases[number]?.sha256?.[engine];

/** Returns the migrations of an engine whose text is not pinned yet, one line each. */
export const findUnpinned = (engine: Engine, migrations: readonly Migration[] = engines[engine]): string[] =>
  migrations
    .filter((migration) => pinOf(migration, engine) === undefined)
    .map(
      (migration) =>
        `migration ${migration.number} of ${engine} is new. Once its text is final, add "${engine}: '${hashOf(migration)}'" to its sha256 in storage/sql/schema/releases.ts`,
    );

/** Returns the migrations of an engine that differ from the landed ones, one line each. */
export function findChanged(engine: Engine, migrations: readonly Migration[] = engines[engine]): string[] {
  const found = migrations
    .filter((migration) => ![undefined, hashOf(migration)].includes(pinOf(migration, engine)))
    .map(
      ({ number }) =>
        `migration ${number} of ${engine} has changed, and databases were made with it: take the change back. What is new in a table says with which migration it comes ("since")`,
    );
  const missing = Object.keys(releases).filter(
    (number) => !migrations.some((migration) => migration.number === Number(number)),
  );
  return [...found, ...missing.map((number) => `migration ${number} of ${engine} is gone`)];
}

/** Tables with few rows in every installation, where slow statements go unnoticed. */
const small = new Set(
  'accounts api_keys developers end_user_auth identity_providers invitations projects signing_keys version_floors'.split(
    ' ',
  ),
);

/** Statements that take no time, whatever the size of the table. */
const instant =
  /^ALTER TABLE \w+ (?:ADD COLUMN \w+ \w+(?: NOT NULL)?(?: DEFAULT (?:'[^']*'|-?\d+))?|ALTER COLUMN \w+ DROP NOT NULL)$/;

/**
 * Returns statements whose time grows with a table's rows, one line each. Over PostgreSQL, nodes of the previous release run during a
 * migration, and their writes would wait for it.
 */
export function findLong(migrations: readonly Migration[] = postgres): string[] {
  return migrations.flatMap(({ number, sql }) => {
    const statements = sql
      .replaceAll(/--.*$/gm, '')
      .split(';')
      .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
    const made = new Set(statements.map((statement) => /^CREATE (?:UNLOGGED )?TABLE (\w+) \(/.exec(statement)?.[1]));
    const tableOf = (statement: string) => /(?:TABLE|ON|UPDATE|INTO|FROM) (\w+)/.exec(statement)?.[1] ?? '';
    return statements
      .filter((statement) => statement !== '' && !instant.test(statement))
      .filter((statement) => !made.has(tableOf(statement)) && !small.has(tableOf(statement)))
      .map(
        (statement) =>
          `migration ${number} takes longer the more rows a table has, while nodes of the release before wait: "${statement}". CONTRIBUTING.md says what to do ("Adding a field to a record")`,
      );
  });
}

if (import.meta.main) {
  const names = Object.keys(engines) as Engine[];
  const found = [...names.flatMap((engine) => [...findChanged(engine), ...findUnpinned(engine)]), ...findLong()];
  process.stdout.write(found.map((line) => `${line}\n`).join(''));
  if (found.length > 0) process.exitCode = 1;
}
