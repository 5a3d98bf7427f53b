/** The `holdfast` command: runs a command and sets the exit code. */
import { CommanderError } from 'commander';
import { faultLines } from './fault.ts';
import { printable } from './print.ts';
import { createProgram, fullArguments } from './program.ts';

const exitCodes = { failure: 1, usage: 2 } as const;
/** 128 plus the number of SIGPIPE, like other programs. */
const sigpipeExitCode = 141;

// The reader of the output may stop early: `holdfast account list | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(sigpipeExitCode);
});

// No `await` here: a single executable runs this as a script.
createProgram()
  .parseAsync(fullArguments(process.argv.slice(2)), { from: 'user' })
  .catch(fail);

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    for (const line of faultLines(error)) console.error(`holdfast: ${printable(line)}`);
    process.exit(exitCodes.failure);
  }
}
