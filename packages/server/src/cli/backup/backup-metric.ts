/** The age of the last backup, for Prometheus, in a file that node_exporter's textfile collector reads. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandFault } from '../fault.ts';
import { replacePublicFile } from '../files.ts';

/** Read by the alert `HoldfastBackupOld` (deploy/prometheus). */
const metric = 'holdfast_backup_timestamp_seconds';

/**
 * Returns the path of the file. Throws `CommandFault` if it cannot be written, or does not end in `.prom`: the collector reads no other
 * files, and this keeps other files from being replaced by mistake.
 */
export function requireMetricFile(file: string): string {
  const path = resolve(file);
  const fault = `cannot write ${path}`;
  if (!path.endsWith('.prom'))
    throw new CommandFault(`${fault}: its name must end in .prom, or node_exporter does not read it`);
  if (!existsSync(dirname(path))) throw new CommandFault(`${fault}: there is no folder ${dirname(path)}`);
  if (existsSync(path) && !statSync(path).isFile()) throw new CommandFault(`${fault}: it is not a file`);
  return path;
}

/** Replaces the file atomically, with the time of a successful backup in milliseconds. Everybody can read it. */
export function writeMetric(path: string, takenAt: number): void {
  replacePublicFile(
    path,
    `# HELP ${metric} When the last backup that succeeded was taken, in seconds since 1970.
# TYPE ${metric} gauge
${metric} ${takenAt / 1000}
`,
  );
}
