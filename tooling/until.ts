/** Waits for other processes. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  readonly withinMilliseconds: number;
  /** Time between two checks. */
  readonly everyMilliseconds?: number;
  /** Error message of the timeout. */
  readonly otherwise: string | (() => string);
}

/** Resolves once `holds` is true. Rejects if that takes too long, or with the error of `holds`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { withinMilliseconds, everyMilliseconds = 20, otherwise }: Patience,
): Promise<void> {
  const deadline = performance.now() + withinMilliseconds;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(typeof otherwise === 'string' ? otherwise : otherwise());
    await sleep(everyMilliseconds);
  }
}

/** Whether an address responds with success. */
export async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Whether a server listens on a loopback port. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
