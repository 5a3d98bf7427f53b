/** Findings about the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import type { ClockMark } from '../../storage/contract/installation.ts';
import { previewUpgrade } from '../../storage/sql/schema/upgrade-preview.ts';
import type { Steps } from '../../storage/sql/steps.ts';
import { readClockMark } from '../../storage/sql/upkeep/clock-trust.ts';
import { findDuplicateUsers, findUnconfigured } from '../../storage/sql/upkeep/inspection.ts';
import { readMarksIfAny } from '../../storage/sql/upkeep/store-rollback.ts';
import { databasePath, openForReading } from '../../storage/sqlite/directory/database.ts';
import { type CheckName, type Inspection, inspectDatabase } from '../../storage/sqlite/inspect/inspect.ts';
import { type DatabaseSizes, readSizes, readTableSizes, type TableSize } from '../../storage/sqlite/inspect/sizes.ts';
import { appliedMigrations, migrations } from '../../storage/sqlite/schema/migrations.ts';
import { takeSteps } from '../../storage/sqlite/steps.ts';
import { checkTitles, type Progress } from '../progress.ts';
import { formatBytes } from '../units.ts';
import { examineClock } from './clock.ts';
import { type Finding, findingOf } from './findings.ts';
import { examineSecretKey } from './secrets.ts';
import { examineDuplicateUsers, examineSignIn } from './sign-in.ts';
import { examineMarks, examineUpgrade } from './upgrade.ts';

const found = findingOf('database');

const mebibyte = 1024 * 1024;
/** Four times the size to which the writer truncates it. */
const logBytesWarning = 256 * mebibyte;
const unusedBytesNote = 1024 * mebibyte;

export interface DatabaseFacts {
  readonly sizes: DatabaseSizes;
  /** Null with `quick`, which skips reading the whole database. */
  readonly tables: readonly TableSize[] | null;
  readonly counts: Inspection['counts'] | null;
}

export interface DatabaseExamination {
  /** Null if the database cannot be read. */
  readonly facts: DatabaseFacts | null;
  readonly findings: readonly Finding[];
}

interface Options {
  readonly quick: boolean;
  /** Whether a service runs on the database. */
  readonly served: boolean;
}

const restoreAdvice =
  'stop the service, copy the data folder to another place, and restore the latest backup: "holdfast restore FILE --force"';

const advices: Readonly<Record<CheckName, string>> = {
  migrations: 'nothing is lost, and there is nothing to restore: use the release that made this database, or a newer one',
  schema: restoreAdvice,
  integrity: restoreAdvice,
  history: restoreAdvice,
  references: restoreAdvice,
  usage:
    'no record is damaged, but limits use these counts: report it; until it is fixed, "holdfast account limits" can give the account other limits',
};

/** Examines the database of a data folder, with or without a running service. Changes nothing. */
export function examineDatabase(config: Config, options: Options, progress: Progress): DatabaseExamination {
  const path = databasePath(config.dataDir);
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(path);
    const sizes = readSizes(path, database);
    const findings = [
      ...examineSizes(sizes, options.served),
      ...examineSecretKey(config, database, options),
      ...examineClock(clockMarkIn(database), now()),
      ...examineMarks(takeSteps(database, readMarksIfAny())),
    ];
    if (options.quick) return { facts: { sizes, tables: null, counts: null }, findings };
    const { faults, counts } = inspectDatabase(database, (check, share) => progress.show(checkTitles[check], share));
    const damage = faults.map(({ check, message }) =>
      found(check === 'usage' ? 'warning' : 'error', `${check}: ${message}`, advices[check]),
    );
    const upgrade = examineUpgrade(previewUpgrade(appliedMigrations(database), migrations));
    const signIn =
      config.idpIssuer === undefined
        ? [
            ...examineSignIn(readable(database, findUnconfigured)),
            ...examineDuplicateUsers(readable(database, findDuplicateUsers)),
          ]
        : [];
    return {
      facts: { sizes, tables: tablesOf(database, progress), counts },
      findings: [...damage, ...upgrade, ...findings, ...signIn],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { facts: null, findings: [found('error', `${path} cannot be read: ${reason}`, restoreAdvice)] };
  } finally {
    database?.close();
  }
}

/** A database of an earlier release has no mark. */
function clockMarkIn(database: DatabaseSync): ClockMark | undefined {
  try {
    return takeSteps(database, readClockMark());
  } catch {
    return undefined;
  }
}

/** A damaged database may not return some data; other checks have reported the damage. */
function readable<Item>(database: DatabaseSync, find: () => Steps<readonly Item[]>): readonly Item[] {
  try {
    return takeSteps(database, find());
  } catch {
    return [];
  }
}

/** A damaged database may have unknown sizes; other checks have reported the damage. */
function tablesOf(database: DatabaseSync, progress: Progress): readonly TableSize[] | null {
  try {
    return readTableSizes(database, (share) => progress.show('Measuring tables', share));
  } catch {
    return null;
  }
}

function examineSizes({ databaseBytes, logBytes, unusedBytes, orphans }: DatabaseSizes, served: boolean): Finding[] {
  const findings: Finding[] = [];
  if (logBytes > logBytesWarning) {
    const advice =
      'stop what has been reading for a long time, such as a backup that hangs; a restart of the service empties the log too';
    findings.push(found('warning', `the write-ahead log has grown to ${formatBytes(logBytes)}`, advice));
  }
  if (unusedBytes > unusedBytesNote && unusedBytes > databaseBytes / 2) {
    const advice = 'nothing to do: it will be used again; "holdfast compact" returns it to the disk';
    findings.push(found('note', `${formatBytes(unusedBytes)} of the database are unused`, advice));
  }
  if (orphans > 0 && !served) {
    const advice = 'nothing to do: the service removes it while it runs';
    findings.push(found('note', `leftovers of ${orphans} deletions still have to be removed`, advice));
  }
  return findings;
}
