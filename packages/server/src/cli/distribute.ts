/** `holdfast distribute`: places the tables of a database of several machines. */
import type { Config } from '../config/config.ts';
import type { Distribution, PlacementStep } from '../storage/postgres/schema/distribution.ts';
import { CommandFault } from './fault.ts';
import { printable, printJson, printTable } from './print.ts';

export interface DistributeOptions {
  readonly check?: true;
  readonly force?: true;
  readonly json?: true;
}

/**
 * Places each table, or says what it would do; the exit status of a check is 1 if any is out of place. Throws `CommandFault` if
 * something prevents it, or this version of Citus was never tried and `force` is not set.
 */
export async function distributeCommand({ databaseUrl }: Config, options: DistributeOptions): Promise<void> {
  if (databaseUrl === undefined) throw new CommandFault('the embedded database uses one machine: set SVC_DATABASE_URL');
  const { distribute, previewDistribution } = await import('../storage/postgres/schema/distribution.ts');
  const found = await previewDistribution(databaseUrl);
  refuse(found, options);
  if (options.check) {
    if (found.steps.length > 0) process.exitCode = 1;
    report(found, found.steps, options, 'out of place');
    return;
  }
  const write = (step: PlacementStep) => options.json || process.stdout.write(`${printable(sentence(step))}\n`);
  report(found, await distribute(databaseUrl, write), options, 'placed');
}

function refuse({ version, isKnown, obstacles }: Distribution, { force }: DistributeOptions): void {
  if (obstacles.length > 0) throw new CommandFault(...obstacles);
  if (isKnown || force) return;
  throw new CommandFault(
    `Holdfast has not been tried with Citus ${version}, which may refuse statements, so that requests fail`,
    'To continue anyway, make a backup, run tests of your own, and add --force.',
  );
}

const sentence = ({ table, from, to }: PlacementStep): string => `${table}: ${to} (was ${from})`;

function report(
  { version, workers }: Distribution,
  steps: readonly PlacementStep[],
  { json, check }: DistributeOptions,
  word: string,
): void {
  if (json) {
    printJson({ citus: version, workers, tables: steps.map(({ table, from, to }) => ({ table, from, to })) });
    return;
  }
  if (check) for (const step of steps) process.stdout.write(`${printable(sentence(step))}\n`);
  const count = `${steps.length === 0 ? 'none' : steps.length} ${word}`;
  printTable([
    ['Citus', `${version}, ${workers} workers`],
    ['Tables', steps.length === 0 ? 'all in place' : count],
  ]);
}
