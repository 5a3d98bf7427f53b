import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/server/src/config/config.ts';
import { dependencies, files, unit } from './deb-files.ts';

const text = (path: string) => String(files('1.2.3', 'State', new Date(0))[path]);

it('the package depends on the oldest libraries that have every symbol of the executable', () => {
  const versions =
    'Name: GLIBC_2.2.5  Flags: none\nName: GLIBC_2.28\nName: GLIBCXX_3.4.21\nName: CXXABI_1.3.11\nName: GCC_4.2.0';
  expect(dependencies(versions)).toBe('libc6 (>= 2.28), libstdc++6 (>= 7), libgcc-s1 | libgcc1, libatomic1, passwd');
  expect(() => dependencies('Name: GLIBC_2.28\nName: GLIBCXX_3.4.99')).toThrow('GLIBCXX_3.4.99 is not in the table');
});

it('the settings of the package are in force, valid and unreadable to strangers', () => {
  const settings = parseEnv(text('etc/holdfast/holdfast.env'));
  expect(readConfig(settings)).toMatchObject({ kind: 'config', config: { developerSignup: 'closed' } });
  expect(settings).toMatchObject({ SVC_TRUST_PROXY: '127.0.0.1,::1', SVC_BASE_URL: 'https://state.example.com' });
});

it('the unit of the package runs its executable, and otherwise equals that of the clone', () => {
  const clone = readFileSync(join(import.meta.dirname, '../../deploy/systemd/holdfast.service'), 'utf8');
  expect(unit()).toContain('ExecStart=/usr/bin/holdfast serve\n');
  expect(unit()).not.toContain('/opt/');
  const bounds = (lines: string) =>
    lines.split('\n').filter((line) => /^(?:Protect|Restrict|SystemCall|Timeout)/.test(line));
  expect(bounds(unit())).toEqual(bounds(clone));
});
