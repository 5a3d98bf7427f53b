/** Reads the processor time and the memory of other processes, and limits the processor time of one. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processor time of a process without threads and of its running children. */
export function familyCpuSeconds(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + firstThreadCpuSeconds(one), 0);
}

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** Seconds for which a thread has run, and for which it was ready to run without a processor; 0 if it has just ended or is unknown. */
function scheduled(thread: string): { readonly ran: number; readonly waited: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ').map(Number);
    return { ran: ran / 1e9, waited: waited / 1e9 };
  } catch {
    return { ran: 0, waited: 0 };
  }
}

const firstThreadCpuSeconds = (pid: number): number => scheduled(String(pid)).ran;

/** How long the main thread of a process has been ready to run without a processor, in milliseconds; 0 if unknown. */
const processorWait = (pid: number | 'self'): number => scheduled(String(pid)).waited * 1000;

/**
 * Starts a measurement. The returned function says how many milliseconds have passed, excluding those for which the main thread of one of
 * these processes was ready to run without a processor: on a busy machine, that is no fault of theirs.
 */
export function startUnhindered(...pids: readonly (number | 'self')[]): () => number {
  const hindered = () => pids.reduce<number>((sum, pid) => sum + processorWait(pid), 0);
  const [startedAt, before] = [performance.now(), hindered()];
  // Nothing is known of a process that has ended meanwhile.
  return () => performance.now() - startedAt - Math.max(0, hindered() - before);
}

/** Returns the microseconds of processor time of a process with all its threads, and of its children. */
export function cpuMicroseconds(pid: number): number {
  const own = readdirSync(`/proc/${pid}/task`).map((thread) => scheduled(`${pid}/task/${thread}`).ran * 1e6);
  const children = childrenOf(pid).map(cpuMicroseconds);
  return [...own, ...children].reduce((sum, one) => sum + one, 0);
}

const pollMilliseconds = 1;
/** How long unused time is kept. */
const savedSecondsMax = 0.005;

/**
 * Limits the first thread of a process to a share of one core, as on a smaller machine, by stopping it while it is ahead of its share.
 * Returns a function that ends this.
 */
export function rationCpu(pid: number, share: number): () => void {
  let [lookedAt, used] = [performance.now(), firstThreadCpuSeconds(pid)];
  let left = 0;
  let isStopped = false;
  const look = () => {
    const [now, total] = [performance.now(), firstThreadCpuSeconds(pid)];
    left = Math.min(savedSecondsMax, left + (share * (now - lookedAt)) / 1000 - (total - used));
    [lookedAt, used] = [now, total];
    if (isStopped === left < 0) return;
    isStopped = !isStopped;
    process.kill(pid, isStopped ? 'SIGSTOP' : 'SIGCONT');
  };
  const timer = setInterval(look, pollMilliseconds);
  return () => {
    clearInterval(timer);
    if (isStopped) process.kill(pid, 'SIGCONT');
  };
}

/** Resident set size of a process, in bytes; 0 if it has exited. */
export function residentBytes(pid: number): number {
  try {
    if (process.platform === 'linux') {
      const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(kibibytes ?? 0) * 1024;
    }
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
  } catch {
    return 0;
  }
}

/** Resident set size of a process and its children, in bytes. */
export const familyResidentBytes = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + familyResidentBytes(child), residentBytes(pid));

/** Bytes in MiB, rounded. */
export const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Samples the memory of a server at intervals. The returned function stops that, and returns the peak in bytes. */
export function watchMemory(server: { residentBytes(): number }, everyMilliseconds: number): () => number {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, server.residentBytes());
  };
  const looking = setInterval(look, everyMilliseconds);
  return () => {
    clearInterval(looking);
    look();
    return peak;
  };
}
