import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitAt } from './commit-at.ts';

test('the commit of a clone is that of its branch, loose, packed, in a worktree, and without a branch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-commit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [clone, worktree] = [join(folder, 'clone'), join(folder, 'worktree')];
  mkdirSync(clone);
  expect(commitAt(clone)).toBeUndefined();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet');
  expect(() => commitAt(clone)).toThrow(); // nothing was committed
  git('commit', '--quiet', '--allow-empty', '--message', 'One');
  const commit = git('rev-parse', 'HEAD');
  expect(commitAt(clone)).toBe(commit);
  git('worktree', 'add', '--quiet', '-b', 'other', worktree);
  git('pack-refs', '--all');
  expect([commitAt(clone), commitAt(worktree)]).toEqual([commit, commit]);
  git('checkout', '--quiet', '--detach');
  expect(commitAt(clone)).toBe(commit);
});
