/** The `holdfast` command as a process. */
import { runCommand } from './run.ts';

/** 128 plus the number of SIGPIPE, like other programs. */
const sigpipeExitCode = 141;

// The reader of the output may stop early: `holdfast account list | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(sigpipeExitCode);
});

// No `await` here: a single executable runs this as a script.
void runCommand(process.argv.slice(2));
