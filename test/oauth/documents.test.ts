import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, operations, tokenErrorCodes } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { settings } from '../../packages/server/src/config/config.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const allMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name as string);

describe.each(['docs/sign-in.md', 'docs/identity-providers.md', 'docs/security.md'])('%s', (path) => {
  const text = read(path);

  it('names existing files', () => {
    const files = allMatches(text, /`((?:test|packages)\/[\w./-]+)`/g);
    const links = allMatches(text, /\]\(([\w./-]+\.md)\)/g).map((link) => join('docs', link));
    expect([...files, ...links].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('names existing settings', () => {
    const known = new Set(Object.values(settings).map(({ env }) => env));
    const named = allMatches(text, /\b(SVC_[A-Z_]+)\b/g);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.has(name as never))).toEqual([]);
  });

  it('names existing routes', () => {
    const known = Object.values(operations).map(({ path: template }) => template.replace(/\{\w+\}/g, '*'));
    const named = allMatches(text, /(\/v1\/[\w./${}-]+)/g).map((route) => route.replace(/\$\w+|\{\w+\}|\bhello\b/g, '*'));
    const isKnown = (route: string) =>
      known.some((template) => new RegExp(`^${template.replaceAll('*', '[^/]+')}$`).test(route));
    expect(named.filter((route) => !isKnown(route))).toEqual([]);
  });
});

it('docs/sign-in.md names existing error codes', () => {
  const known = new Set([
    ...Object.keys(errorCodes),
    ...Object.keys(tokenErrorCodes),
    'access_denied',
    'unsupported_grant_type',
  ]);
  const named = allMatches(read('docs/sign-in.md'), /^\| (?:\d{3} \| )?`(?!error`)([a-z_]+)` \|/gm);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('docs/security.md names every test of an attack on sign-in', () => {
  const text = read('docs/security.md');
  const others = [
    'client-settings.test.ts',
    'context.test.ts',
    'documents.test.ts',
    'settings-warnings.test.ts',
    'sign-in-document.test.ts',
  ];
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts') && !others.includes(name));
  expect(tests.length).toBeGreaterThan(8);
  expect(tests.filter((name) => !text.includes(`\`test/oauth/${name}\``))).toEqual([]);
});
