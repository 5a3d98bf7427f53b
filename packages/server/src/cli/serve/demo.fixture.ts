/** The demo of a folder in which `holdfast serve` ran, and the lines that its banner offers for pasting. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { CommandSandbox } from '../command.fixture.ts';

/** Returns the file of the demo, what it has now, and a request with its address. */
export function demoOf({ dataDir }: CommandSandbox) {
  const file = join(dataDir, 'dev.env');
  const variables = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const { HOLDFAST_URL: url, HOLDFAST_ACCOUNT_ID: account } = variables;
  const statusWith = async (authorization: string, path = ''): Promise<number> =>
    (await fetch(`${url}/v1/${account}${path}`, { headers: { authorization } })).status;
  return { file, variables, exists: existsSync(file), statusWith };
}

/** The lines of the banner for pasting. */
export const pasted = (output: string) => output.split('\n').filter((line) => /^ {2}(?:\.|curl|VERSION=\S+) /.test(line));

/** Pastes lines into a shell in the folder and returns the status lines that `curl -i` shows. */
export async function paste({ folder }: CommandSandbox, lines: readonly string[], shell = 'sh'): Promise<string[]> {
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(shell, [], { cwd: folder }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.end(`${lines.join('\n')}\n`);
  });
  return [...output.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status ?? '');
}
