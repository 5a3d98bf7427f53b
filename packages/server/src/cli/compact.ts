/** `holdfast compact`: returns unused space to the disk. */
import type { Config } from '../config/config.ts';
import { compactInSlices, type FileSpace, readFileSpace, rewriteDatabase } from '../storage/sqlite/directory/compact.ts';
import { isServed } from '../storage/sqlite/inspect/keys.ts';
import { CommandFault } from './fault.ts';
import { requireDatabase } from './operator.ts';
import { printJson, printTable } from './print.ts';
import { createProgress, type Progress } from './progress.ts';
import { formatBytes } from './units.ts';

export interface CompactOptions {
  /** Whether to rewrite the whole embedded database. */
  readonly rewrite?: true;
  readonly json?: true;
}

/** How many of the largest tables are shown to people. */
const tablesShown = 10;

/**
 * Returns unused space to the disk while services run, and prints the size of the data before and after. Deletes nothing. Throws
 * `CommandFault` if that requires rewriting the embedded database and `rewrite` is not set, or a service uses the database meanwhile.
 */
export async function compactCommand(config: Config, options: CompactOptions): Promise<void> {
  const progress = createProgress();
  try {
    if (config.databaseUrl === undefined) await compactFile(config, options, progress);
    else await compactTables(config.databaseUrl, options, progress);
  } finally {
    progress.end();
  }
}

async function compactFile(config: Config, { rewrite, json }: CompactOptions, progress: Progress): Promise<void> {
  await requireDatabase(config);
  const { dataDir } = config;
  const before = readFileSpace(dataDir);
  if (rewrite) rewriteAlone(dataDir, progress);
  else if (!before.isSliceable) throw notSliceable(dataDir, before);
  else await compactInSlices(dataDir, (share) => progress.show('Compacting', share));
  const after = readFileSpace(dataDir);
  progress.end();
  if (json) printJson({ engine: 'sqlite', rewritten: rewrite ?? false, before: sizesOf(before), after: sizesOf(after) });
  else
    printTable([
      ['Before', described(before)],
      ['After', described(after)],
    ]);
}

function rewriteAlone(dataDir: string, progress: Progress): void {
  progress.show('Writing the database again');
  if (rewriteDatabase(dataDir)) return;
  throw new CommandFault(`a service uses ${dataDir}: stop it, run "holdfast compact --rewrite", and start it again`);
}

function notSliceable(dataDir: string, { databaseBytes, unusedBytes }: FileSpace): CommandFault {
  const first = isServed(dataDir) ? 'stop the service, run' : 'run';
  return new CommandFault(
    `the database was made by an earlier release: ${formatBytes(unusedBytes)} of its ${formatBytes(databaseBytes)} are unused, and it has to be written again once before it can be compacted`,
    `${first} "holdfast compact --rewrite"; it needs room for the database twice, and from then on "holdfast compact" works while the service runs`,
  );
}

const sizesOf = ({ databaseBytes, unusedBytes }: FileSpace) => ({ bytes: databaseBytes, unusedBytes });
const described = (space: FileSpace): string =>
  `${formatBytes(space.databaseBytes)}, of which ${formatBytes(space.unusedBytes)} are unused`;

async function compactTables(url: string, { rewrite, json }: CompactOptions, progress: Progress): Promise<void> {
  if (rewrite) {
    throw new CommandFault(
      '--rewrite is for the embedded database; PostgreSQL has VACUUM FULL, which stops every node meanwhile',
    );
  }
  const { compactPostgres } = await import('../storage/postgres/inspect/compact.ts');
  const tables = await compactPostgres(url, (table, share) => progress.show(`Vacuuming ${table}`, share));
  progress.end();
  const sum = (key: 'bytesBefore' | 'bytesAfter') => tables.reduce((total, table) => total + table[key], 0);
  const all = { table: 'all', bytesBefore: sum('bytesBefore'), bytesAfter: sum('bytesAfter') };
  if (json) {
    printJson({ engine: 'postgresql', before: { bytes: all.bytesBefore }, after: { bytes: all.bytesAfter }, tables });
    return;
  }
  const rows = [...tables.slice(0, tablesShown), all].map(({ table, bytesBefore, bytesAfter }) => [
    table,
    formatBytes(bytesBefore),
    formatBytes(bytesAfter),
  ]);
  printTable([['Table', 'Before', 'After'], ...rows]);
}
