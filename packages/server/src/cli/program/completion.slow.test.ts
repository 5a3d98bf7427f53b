import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScript, type Shell } from './completion.ts';
import { createProgram } from './program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-completion-'));
  mkdirSync(join(folder, 'zsh'));
  for (const shell of ['bash', 'fish'] as const)
    writeFileSync(join(folder, shell), completionScript(createProgram(), shell));
  writeFileSync(join(folder, 'zsh', '_holdfast'), completionScript(createProgram(), 'zsh'));
  writeFileSync(join(folder, 'monday one.backup'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const isThere = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** Makes bash complete the last word of a line, and returns its suggestions. */
function inBash(line: string): string[] {
  const words = line.split(' ');
  const script = `
    source ./bash
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    compopt() { :; }
    [[ "$(complete -p holdfast)" == 'complete -F _holdfast holdfast' ]] || exit 1
    _holdfast
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return offered(execFileSync('bash', ['--norc', '-u', '-c', script], { cwd: folder, encoding: 'utf8' }));
}

/** Fish can list its suggestions. */
function inFish(line: string): string[] {
  const script = `source ./fish; complete -C '${line}' | string replace -r '\\t.*' ''; true`;
  return offered(execFileSync('fish', ['--no-config', '-c', script], { cwd: folder, encoding: 'utf8' }));
}

/** Zsh filters the words that a function adds. Here the test does that, by replacing the functions that add words. */
function inZsh(line: string): string[] {
  const words = line.split(' ');
  const script = `
    compdef() { registered="$*"; }
    _describe() { for each in "\${(@P)2}"; do print -r -- "\${each%%:*}"; done; }
    _files() { print -rl -- *; }
    compadd() { shift; print -rl -- "$@"; }
    source ./zsh/_holdfast
    [[ $registered == '_holdfast holdfast' ]] || exit 1
    words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
    _holdfast`;
  const output = execFileSync('zsh', ['-f', '-c', script], { cwd: folder, encoding: 'utf8' });
  return offered(output).filter((word) => word.startsWith(words.at(-1) ?? ''));
}

const offered = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .sort();

const cases: readonly [string, readonly string[]][] = [
  ['holdfast do', ['doctor']],
  ['holdfast ba', ['backup']],
  ['holdfast keys ', ['help', 'rotate']],
  ['holdfast account cr', ['create']],
  ['holdfast --env-file x.env account sh', ['show']],
  ['holdfast keys rotate --re', ['--revoke']],
  ['holdfast backup x --with', ['--with-secret-key']],
  ['holdfast completion ', ['bash', 'fish', 'zsh']],
  ['holdfast completion z', ['zsh']],
  ['holdfast restore mon', ['monday one.backup']],
  ['holdfast config --env-file mon', ['monday one.backup']],
  ['holdfast account create --name x --ho', ['--hours']],
  ['holdfast account create --hours ', []],
  ['holdfast nonsense', []],
];

describe('bash', () => {
  it.each(cases)('completes %j to %j', (line, expected) => {
    expect(inBash(line)).toEqual(expected);
  });

  it('runs no part of the typed line', () => {
    inBash('holdfast $(touch ran) `touch ran` x');
    expect(inBash('holdfast restore ra')).toEqual([]);
  });

  it('sources the printed script', () => {
    const output = execFileSync('bash', ['--norc', '-c', 'source ./bash && complete -p holdfast'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(output).toBe('complete -F _holdfast holdfast\n');
  });
});

describe.runIf(isThere('fish'))('fish', () => {
  it.each(cases)('completes %j to %j', (line, expected) => {
    expect(inFish(line)).toEqual(expected);
  });
});

describe.runIf(isThere('zsh'))('zsh', () => {
  it.each(cases)('completes %j to %j', (line, expected) => {
    expect(inZsh(line)).toEqual(expected);
  });
});
