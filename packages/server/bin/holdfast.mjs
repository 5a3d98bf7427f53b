#!/usr/bin/env node
/**
 * The `holdfast` command. Plain JavaScript, so that any Node from 20 on can begin with it: one that is too old to run
 * TypeScript hands over to the pinned runtime among the installed packages.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { enableCompileCache } from './compile-cache.mjs';

const runtimeMajorMin = 26;
const self = fileURLToPath(import.meta.url);

/** The executable of the pinned runtime for this machine, or undefined when none is installed. */
function pinnedRuntime() {
  const require = createRequire(import.meta.url);
  const machine = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  for (const name of [`node-${machine}`, `node-bin-${machine}`]) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      const executable = join(dirname(manifest), require(manifest).bin.node);
      if (existsSync(executable)) return executable;
    } catch {
      // Not installed under this name.
    }
  }
  return undefined;
}

/** Runs this command again with `executable`, as if it were this process: same streams, signals and exit code. */
async function handOver(executable) {
  const { spawn } = await import('node:child_process');
  const child = spawn(executable, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends SIGINT to both processes itself.
  const passed = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT'];
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => passed.includes(signal) && child.kill(signal));
  }
  // A SIGTERM ends npm and the shell that it started, and does not come this far.
  const parent = process.ppid;
  if (process.env.npm_command) setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  child.on('error', (error) => {
    console.error(`cannot start the runtime ${executable}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

if (Number.parseInt(process.versions.node, 10) >= runtimeMajorMin) {
  enableCompileCache();
  await import('../src/cli/main.ts');
} else {
  const executable = pinnedRuntime();
  if (!executable) {
    console.error(
      `Holdfast needs Node ${runtimeMajorMin} or newer; this is Node ${process.versions.node}, and no pinned runtime is installed.`,
    );
    console.error('Run `npm start` in the folder of the repository, which installs what is missing.');
    process.exit(1);
  }
  await handOver(executable);
}
