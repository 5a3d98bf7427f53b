/** The number of connections that a process can keep within its open-file limit. */
import { readFileSync } from 'node:fs';

/** Open files of the store, the log and the runtime, with a margin. */
const otherFilesMax = 256;
/** Connections over the limit that still receive a refusal; any more are closed without a response. */
export const refusalsMax = 256;
/** The service does not start with fewer: a single browser opens six. */
const connectionsMin = 32;

const advice =
  'raise the limit where the service is started: LimitNOFILE=65536 for systemd, "--ulimit nofile=65536" for docker, "ulimit -n 65536" in a shell';

/**
 * Returns how many connections can be kept: `connectionsMax`, or fewer if `filesMax`, the open-file limit, is too low for it. Throws an
 * `Error` that names the limit to raise if too few remain.
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

/** Returns the process's open-file limit, which the runtime has already raised as far as allowed. */
export function openFilesMax(): number {
  const most = process.platform === 'linux' ? limitOfProcess() : limitInReport();
  return typeof most === 'number' ? most : Number.POSITIVE_INFINITY;
}

/** Returns undefined if the limit is infinite or unreadable. */
function limitOfProcess(): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}

/** The report is slower than reading a file. It omits network interfaces, whose names could take very long to look up. */
function limitInReport(): number | string | undefined {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return userLimits?.open_files?.soft;
}
