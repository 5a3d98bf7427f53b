/** Findings about the service's PostgreSQL. */

import { machineTime } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { inspectPostgres, type PostgresFacts, type PostgresFault } from '../../storage/postgres/inspect/inspect.ts';
import { reasonOf, StoreFault } from '../../storage/store.ts';
import { unfitDatabase } from '../fault.ts';
import { examineClock } from './clock.ts';
import { type Finding, findingOf } from './findings.ts';
import { examineDuplicateUsers, examineSignIn } from './sign-in.ts';
import { examineMarks, examineUpgrade } from './upgrade.ts';

const found = findingOf('database');

const restoreAdvice = 'restore the database from its backup next to this one, and compare';

const advices: Readonly<Record<PostgresFault['check'], string>> = {
  soundness: 'the service does not start until this is fixed',
  migrations: 'nothing is lost, and there is nothing to restore: use the release that made this database, or a newer one',
  schema: 'start the service, which makes the schema',
  copy: 'run that command again, or set SVC_DATABASE_URL to another database: no node starts on this one',
  history: restoreAdvice,
  references: restoreAdvice,
  usage:
    'no record is damaged, but limits use these counts: report it; until it is fixed, "holdfast account limits" can give the account other limits',
};

/** Minimum of free connections, for additional nodes and administrators. */
const sparePart = 0.1;

export interface PostgresExamination {
  /** Null if the database cannot be reached. */
  readonly facts: PostgresFacts | null;
  readonly findings: readonly Finding[];
}

/** Examines the database, with or without running nodes. Changes nothing. */
export async function examinePostgres(
  { databaseUrl, databaseConnections, idpIssuer }: Pick<Config, 'databaseUrl' | 'databaseConnections' | 'idpIssuer'>,
  isQuick: boolean,
): Promise<PostgresExamination> {
  try {
    const inspected = await inspectPostgres(databaseUrl as string, { isQuick });
    const { facts, faults, clock, upgrade, unconfigured, duplicateUsers, marks, misplaced } = inspected;
    const damage = faults.map(({ check, message }) =>
      found(check === 'usage' || check === 'schema' ? 'warning' : 'error', `${check}: ${message}`, advices[check]),
    );
    const signIn =
      idpIssuer === undefined ? [...examineSignIn(unconfigured), ...examineDuplicateUsers(duplicateUsers)] : [];
    return {
      facts,
      findings: [
        ...damage,
        ...examineUpgrade(upgrade, upgrade.unfinished),
        ...examineClock(clock.mark, machineTime() + clock.offset),
        ...examineMarks(marks),
        ...examineConnections(facts, databaseConnections),
        ...examinePlacement(misplaced),
        ...signIn,
      ],
    };
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error) : error;
    const finding =
      error instanceof StoreFault
        ? found('error', `the database cannot run a statement: ${reason}`, unfitDatabase)
        : found(
            'error',
            `the database cannot be reached: ${reason}`,
            'make sure that the server runs and that SVC_DATABASE_URL is its address',
          );
    return { facts: null, findings: [finding] };
  }
}

function examinePlacement(misplaced: readonly string[]): Finding[] {
  if (misplaced.length === 0) return [];
  const finding = `tables of this Citus database are not where they belong: ${misplaced.join(', ')}`;
  return [found('warning', finding, 'stop all nodes, and run "holdfast distribute" as a superuser of the database')];
}

function examineConnections({ connections: { used, max } }: PostgresFacts, ofNode: number): Finding[] {
  if (used + ofNode <= max * (1 - sparePart)) return [];
  const finding = `${used} of ${max} connections of the server are in use, and a node uses up to ${ofNode}`;
  const advice = 'lower SVC_DATABASE_CONNECTIONS, raise max_connections of the server, or use a pooler (docs/scaling.md)';
  return [found('warning', finding, advice)];
}
