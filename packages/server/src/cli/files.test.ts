import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replacePrivateFile, shellWord, typedPath } from './files.ts';

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

it('is typed whole by whoever is nowhere in particular, as under systemd', () => {
  expect(typedPath('/var/lib/holdfast', '/')).toBe('/var/lib/holdfast');
});

it.each(['plain', "it's", 'a b', '$HOME `id` "x" \\', 'naïve;&|', ''])('a shell reads %j back from one word', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
});

it('a private file is replaced as a whole, is for its owner only, and leaves no draft', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const path = join(folder, 'dev.env');
  writeFileSync(path, 'old', { mode: 0o644 });
  replacePrivateFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['dev.env']);
  rmSync(folder, { recursive: true });
});
