/** The age of the last backup, for Prometheus: a file that node_exporter's textfile collector reads. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandFault } from './fault.ts';
import { replacePublicFile } from './files.ts';

/** The alert `HoldfastBackupOld` (deploy/prometheus) reads it. */
const metric = 'holdfast_backup_timestamp_seconds';

/**
 * Returns the path of the file. Throws `CommandFault` when it cannot be written, and when it does not end in `.prom`: the collector reads no
 * other, and no other file is replaced by mistake.
 */
export function demandMetricFile(file: string): string {
  const path = resolve(file);
  const fault = `cannot write ${path}`;
  if (!path.endsWith('.prom'))
    throw new CommandFault(`${fault}: its name must end in .prom, or node_exporter does not read it`);
  if (!existsSync(dirname(path))) throw new CommandFault(`${fault}: there is no folder ${dirname(path)}`);
  if (existsSync(path) && !statSync(path).isFile()) throw new CommandFault(`${fault}: it is not a file`);
  return path;
}

/** Replaces the file in one step, with the time of a backup that succeeded, in milliseconds. Everybody can read it. */
export function writeMetric(path: string, takenAt: number): void {
  replacePublicFile(
    path,
    `# HELP ${metric} When the last backup that succeeded was taken, in seconds since 1970.
# TYPE ${metric} gauge
${metric} ${takenAt / 1000}
`,
  );
}
