import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replacePrivateFile, replacePublicFile, shellWord, typedPath } from './files.ts';

it.each([
  ['/home/a/data/dev.env', 'data/dev.env'],
  ['/home/a/dev.env', './dev.env'],
  ['/home/a', './'],
  ['/home/b/dev.env', '/home/b/dev.env'],
  ['/home/a/~x/dev.env', './~x/dev.env'],
  ['/home/a/-x/dev.env', './-x/dev.env'],
])('%s is typed in /home/a as %s', (path, typed) => {
  expect(typedPath(path, '/home/a')).toBe(typed);
});

it('paths are typed in full when the current folder is the root, as under systemd', () => {
  expect(typedPath('/var/lib/holdfast', '/')).toBe('/var/lib/holdfast');
});

it.each(['plain', "it's", 'a b', '$HOME `id` "x" \\', 'naïve;&|', ''])('a shell reads %j back as one word', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
});

it.each([
  [replacePrivateFile, 0o600],
  [replacePublicFile, 0o644],
])('%o replaces a file as a whole, with its mode whatever the umask, and leaves no draft', (replace, mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const path = join(folder, 'dev.env');
  writeFileSync(path, 'old', { mode: 0o640 });
  const umask = process.umask(0o077);
  try {
    replace(path, 'new');
  } finally {
    process.umask(umask);
  }
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(mode);
  expect(readdirSync(folder)).toEqual(['dev.env']);
  rmSync(folder, { recursive: true });
});
