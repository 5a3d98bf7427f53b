/** Measures the processor time of other processes, and limits one's. */
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

/** Of the first thread of a process, in nanoseconds; 0 if the process has just ended. */
function firstThreadCpuSeconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** Returns the microseconds of processor time of a process with all its threads, and of its children. */
export function cpuMicroseconds(pid: number): number {
  const own = readdirSync(`/proc/${pid}/task`).map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
    } catch {
      return 0;
    }
  });
  const children = childrenOf(pid).map(cpuMicroseconds);
  return [...own, ...children].reduce((sum, one) => sum + one, 0);
}

const lookMilliseconds = 1;
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
  const timer = setInterval(look, lookMilliseconds);
  return () => {
    clearInterval(timer);
    if (isStopped) process.kill(pid, 'SIGCONT');
  };
}
