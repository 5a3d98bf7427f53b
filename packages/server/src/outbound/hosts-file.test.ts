import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createHostsFile } from './hosts-file.ts';
import { createResolveName } from './resolve-name.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-hosts-'));
const path = join(folder, 'hosts');
afterEach(() => rmSync(path, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

it('finds all addresses of a name, whatever its case, and nothing in comments or damaged lines', () => {
  writeFileSync(
    path,
    '# 10.0.0.9 issuer\n10.0.0.1\tissuer Issuer.test # not.this\n::1 issuer.test\n\nnot-an-address broken\n',
  );
  const find = createHostsFile(path);
  expect(find('ISSUER.test')).toEqual([
    { address: '10.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(['issuer', 'not.this', 'broken', 'unknown'].map((name) => find(name).length)).toEqual([1, 0, 0, 0]);
});

it('reads a file that has changed, and does without one', () => {
  const find = createHostsFile(path);
  expect(find('issuer')).toEqual([]);
  for (const [second, address] of [
    [1, '10.0.0.1'],
    [2, '10.0.0.2'],
  ] as const) {
    writeFileSync(path, `${address} issuer\n`);
    utimesSync(path, second, second);
    expect(find('issuer')).toEqual([{ address, family: 4 }]);
  }
});

it('answers before any name server is asked', async () => {
  writeFileSync(path, '10.0.0.1 issuer\n');
  const resolve = createResolveName(['127.0.0.1:1'], createHostsFile(path));
  const found = await new Promise((done) => resolve('issuer', (error, addresses) => done(error ?? addresses)));
  expect(found).toEqual([{ address: '10.0.0.1', family: 4 }]);
});
