/** Runs programs from Debian and other registries for additional checks. */
import { spawnSync } from 'node:child_process';

export { requireProgram } from './workspace.ts';

type Variables = Readonly<Record<string, string>>;

/** Runs a command; returns its output if it failed, otherwise undefined. */
export function fault(command: string, args: readonly string[], env: Variables = {}): string | undefined {
  const { status, text } = run(command, args, env);
  if (status === 0) return undefined;
  return text.trim() || `${command} ended with status ${status}`;
}

/** Runs a command and returns its output, whether it failed or not. */
export function output(command: string, args: readonly string[]): string {
  return run(command, args, {}).text;
}

function run(command: string, args: readonly string[], env: Variables) {
  const result = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  const { status, stdout, stderr, error } = result;
  return { status, text: [error ? `${error.message}\n` : '', stdout, stderr].join('') };
}
