/** What stops a running service: a signal, or the end of the npm that started it. */
import type { Environment } from '../config/config.ts';

/** Why the service stops. */
export type StopReason = 'SIGTERM' | 'SIGINT' | 'npm_ended';

const pollMilliseconds = 500;

/**
 * Calls `stop` at the first SIGTERM or SIGINT, and `onRepeat` at each further one. Under `npx` and `npm start`, also calls `stop` when the
 * parent process ends: npm starts a shell in between, and a SIGTERM ends npm and that shell, but does not reach this process.
 */
export function onStop(environment: Environment, stop: (reason: StopReason) => void, onRepeat: () => void): void {
  let isStopping = false;
  const stopOnce = (reason: StopReason) => {
    if (isStopping) return reason === 'npm_ended' ? undefined : onRepeat();
    isStopping = true;
    stop(reason);
  };
  process.on('SIGTERM', stopOnce).on('SIGINT', stopOnce);
  if (environment.npm_command === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stopOnce('npm_ended'), pollMilliseconds).unref();
}
