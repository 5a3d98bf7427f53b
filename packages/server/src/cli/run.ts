/** Runs one `holdfast` command, and sets the exit status of the process. */
import { CommanderError } from 'commander';
import { faultLines } from './fault.ts';
import { printable } from './print.ts';
import { createProgram, fullArguments } from './program/program.ts';

const exitCodes = { failure: 1, usage: 2 } as const;

/** Resolves once the command has ended, or serves. A fault ends the process with its message. */
export async function runCommand(args: readonly string[]): Promise<void> {
  await createProgram().parseAsync(fullArguments(args), { from: 'user' }).catch(fail);
}

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    for (const line of faultLines(error)) console.error(`holdfast: ${printable(line)}`);
    process.exit(exitCodes.failure);
  }
}
