/** The number of connections that a process can keep, given its limit on open files. */
import { readFileSync } from 'node:fs';

/** Files that the store, the log and the runtime keep open, with room to spare. */
const otherFilesMax = 256;
/** Connections over the limit that still get a refusal; further ones are closed without a response. */
export const refusalsMax = 256;
/** The service does not start with fewer: a single browser opens six. */
const connectionsMin = 32;

const advice =
  'raise the limit where the service is started: LimitNOFILE=65536 for systemd, "--ulimit nofile=65536" for docker, "ulimit -n 65536" in a shell';

/**
 * Returns how many connections can be kept: `connectionsMax`, or fewer if only `filesMax` files may be open. Throws an `Error` that names
 * the limit to raise if too few are left.
 */
export function connectionsWithin(filesMax: number, connectionsMax: number): number {
  const needed = otherFilesMax + refusalsMax;
  const left = filesMax - needed;
  const least = Math.min(connectionsMax, connectionsMin);
  if (left >= least) return Math.min(connectionsMax, left);
  throw new Error(
    `cannot start with a limit of ${filesMax} open files: the service itself needs ${needed} and ${least} connections at least, ${
      needed + least
    } in all; ${advice}`,
  );
}

/** Returns how many files the process may have open. The runtime has already raised this as far as allowed. */
export function openFilesMax(): number {
  const most = process.platform === 'linux' ? limitOfProcess() : limitInReport();
  return typeof most === 'number' ? most : Number.POSITIVE_INFINITY;
}

/** Undefined if unlimited or unreadable. */
function limitOfProcess(): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}

/** The report takes longer than reading a file. It leaves out network interfaces, whose names could take very long to look up. */
function limitInReport(): number | string | undefined {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return userLimits?.open_files?.soft;
}
