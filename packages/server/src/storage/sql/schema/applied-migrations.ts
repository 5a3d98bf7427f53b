/** The migrations recorded in a database, and their interpretation. */
import { createHash } from 'node:crypto';
import { integerAt, optionalIntegerAt, optionalTextAt, type Row, textAt } from '../../rows/columns.ts';
import type { Migration } from './migrations.ts';

/** A migration in a database. Migrations applied by 0.1.0 record neither their program nor the programs that can open the database. */
export interface AppliedMigration extends Pick<Migration, 'number'> {
  readonly sha256: string;
  readonly program: string | null;
  readonly opensWith: number | null;
}

export const sha256Of = ({ sql }: Pick<Migration, 'sql'>): string => createHash('sha256').update(sql).digest('hex');

/** Reads a row of the table of migrations. */
export function toAppliedMigration(row: Row): AppliedMigration {
  const { number, sha256, program = null, opens_with = null } = row;
  const all = { number, sha256, program, opens_with };
  return {
    number: integerAt(all, 'number'),
    sha256: textAt(all, 'sha256'),
    program: optionalTextAt(all, 'program'),
    opensWith: optionalIntegerAt(all, 'opens_with'),
  };
}

/**
 * Compares the migrations of a database with those of the program. Returns those still to be applied, in order. Throws an `Error` that
 * names the migration if one has changed since it was applied, or the required program if the database is too new. Newer migrations that
 * allow this program are ignored.
 */
export function pendingOf(applied: readonly AppliedMigration[], known: readonly Migration[]): Migration[] {
  const newest = known.at(-1)?.number ?? 0;
  const beyond = newerThan(applied, known).findLast(({ opensWith }) => (opensWith ?? Number.POSITIVE_INFINITY) > newest);
  if (beyond !== undefined) {
    const needed = beyond.program === null ? 'a newer program' : `Holdfast ${beyond.program} or newer`;
    throw new Error(
      `cannot open the database: it needs ${needed}, since it has migration ${beyond.number}, and this program knows ${newest}`,
    );
  }
  const done = new Map(applied.map(({ number, sha256 }) => [number, sha256]));
  return known.filter((migration) => {
    const sha256 = done.get(migration.number);
    if (sha256 !== undefined && sha256 !== sha256Of(migration)) {
      throw new Error(
        `cannot open the database: its migration ${migration.number} is not the one of this program, so another program made it`,
      );
    }
    return sha256 === undefined;
  });
}

/** The migrations of a database that the program does not know. */
export function newerThan(applied: readonly AppliedMigration[], known: readonly Migration[]): AppliedMigration[] {
  const newest = known.at(-1)?.number ?? 0;
  return applied.filter(({ number }) => number > newest);
}

/** Throws an `Error` if a database, called `name` in the message, may hold data that this program does not know, and would not copy. */
export function requireNoneNewer(name: string, applied: readonly AppliedMigration[], known: readonly Migration[]): void {
  const [newer] = newerThan(applied, known);
  if (newer === undefined) return;
  const needed = newer.program === null ? 'a newer program' : `Holdfast ${newer.program} or newer`;
  throw new Error(
    `cannot copy ${name}: it was upgraded, and may hold what this program does not know; copy it with ${needed}`,
  );
}
