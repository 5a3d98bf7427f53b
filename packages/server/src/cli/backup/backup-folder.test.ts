/** Backups in a folder: their names, which are removed, and the metric. In one process, on a real database. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Config, readConfig } from '../../config/config.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { CommandFault } from '../fault.ts';
import { backupCommand } from './backup.ts';

const nameOf = (day: number) => `holdfast-202501${String(day).padStart(2, '0')}T031500Z.sqlite`;

let place: string;
let folder: string;
let config: Config;
let printed: string[];

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'holdfast-backups-'));
  const dataDir = join(place, 'data');
  const outcome = readConfig({ SVC_DATA_DIR: dataDir });
  if (outcome.kind === 'faults') throw new Error(outcome.faults.join());
  config = outcome.config;
  const store = await openSqliteStore({ dataDir });
  await store.createAccount({ accountId: 'acc_1', name: 'One', idpTenantId: 't', createdAt: 1 });
  await store.close();
});
afterAll(() => rmSync(place, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(place, 'backups-'));
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

type Options = Partial<Parameters<typeof backupCommand>[2]>;
async function backup(path: string, options: Options = {}) {
  printed = [];
  await backupCommand(config, path, { verify: true, json: true, ...options });
  return JSON.parse(printed.join(''));
}
/** Writes files like those of earlier daily backups. */
const earlier = (days: number) => {
  const names = Array.from({ length: days }, (_, index) => nameOf(index + 1));
  for (const name of names) writeFileSync(join(folder, name), 'a backup');
  return names;
};

describe('a backup in a folder', () => {
  it('is named after its time, and removes no other', async () => {
    const names = earlier(3);
    const began = Date.now();
    const { file, takenAt, removed } = await backup(`${folder}/`);
    const name = `holdfast-${takenAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z.sqlite`;
    expect(file).toBe(join(folder, name));
    expect(Date.parse(takenAt)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(takenAt)).toBeLessThanOrEqual(Date.now());
    expect(readdirSync(folder).sort()).toEqual([...names, name]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(removed).toEqual([]);
  });

  it('with --keep leaves the newest ones, as many as given', async () => {
    const names = earlier(5);
    const { file, removed } = await backup(folder, { keep: 3 });
    expect(removed).toEqual(names.slice(0, 3).map((name) => join(folder, name)));
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([
      ...names.slice(3).map((name) => join(folder, name)),
      file,
    ]);
    const { file: next } = await backup(folder, { keep: 1, force: true });
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([next]);
  });

  it('never removes itself, even beside backups from a clock that was ahead', async () => {
    const ahead = ['holdfast-20990101T000000Z.sqlite', 'holdfast-20990102T000000Z.sqlite'];
    for (const name of ahead) writeFileSync(join(folder, name), 'a backup');
    const { file, removed } = await backup(folder, { keep: 2 });
    expect(removed).toEqual([join(folder, ahead[0] ?? '')]);
    expect(statSync(file).size).toBeGreaterThan(10_000);
  });

  it('leaves all files with other names', async () => {
    const outside = join(folder, 'outside');
    writeFileSync(outside, 'mine');
    const plain = [
      'holdfast-20250101T000000Z.sqlite.bak',
      'holdfast-20250101T000000Z.sqlite ',
      'holdfast-20250101T000000Z.sqlite\n',
      'holdfast-20250101T000000Z.sqlite-journal',
      'xholdfast-20250101T000000Z.sqlite',
      'Holdfast-20250101T000000Z.sqlite',
      'holdfast-20250101T000000.sqlite',
      'holdfast-20250230T000000Z.sqlite',
      'holdfast-20251301T000000Z.sqlite',
      'holdfast-20250101T240000Z.sqlite',
      'holdfast-00000000T000000Z.sqlite',
      'holdfast-٢٠٢٥٠١٠١T000000Z.sqlite',
      'holdfast-2025-01-01.backup',
      'holdfast.sqlite',
      'secret.key',
      'holdfast-20250101T000000Z.sqlite.999999999.partial.mine',
      'other.sqlite.999999999.partial',
    ];
    for (const name of plain) writeFileSync(join(folder, name), 'mine');
    mkdirSync(join(folder, nameOf(1)));
    writeFileSync(join(folder, nameOf(1), nameOf(2)), 'mine');
    symlinkSync(outside, join(folder, nameOf(3)));
    symlinkSync('/nowhere', join(folder, nameOf(4)));
    mkdirSync(join(folder, `${nameOf(5)}.999999999.partial`));
    const before = readdirSync(folder);
    const { file, removed } = await backup(folder, { keep: 1 });
    expect(removed).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([...before, file.slice(folder.length + 1)].sort());
    for (const name of [...plain, 'outside']) expect(readFileSync(join(folder, name), 'utf8'), name).toBe('mine');
    expect(readdirSync(join(folder, nameOf(1)))).toEqual([nameOf(2)]);
    expect(readlinkSync(join(folder, nameOf(3)))).toBe(outside);
    expect(lstatSync(join(folder, nameOf(4))).isSymbolicLink()).toBe(true);
  });

  it('removes what a killed backup left, but not what another machine may be writing', async () => {
    const killed = `${nameOf(1)}.999999999.partial`;
    const running = `${nameOf(2)}.${process.pid}.partial`;
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    const elsewhere = `holdfast-${hourAgo}Z.sqlite.999999999.partial`;
    for (const name of [killed, `${killed}-journal`, running, elsewhere]) writeFileSync(join(folder, name), '');
    await backup(join(folder, 'other.sqlite'));
    expect(readdirSync(folder)).toContain(killed);
    await backup(folder);
    const left = readdirSync(folder);
    expect(left).not.toContain(killed);
    expect(left).not.toContain(`${killed}-journal`);
    expect(left).toContain(running);
    expect(left).toContain(elsewhere);
  });

  it('removes nothing if it fails', async () => {
    const names = earlier(4);
    const broken = join(place, 'broken');
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, 'holdfast.sqlite'), 'no database at all');
    const options = { verify: true, keep: 1, metric: join(folder, 'a.prom') } as const;
    await expect(backupCommand({ ...config, dataDir: broken }, folder, options)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(names);
  });
});

describe('the location of a backup', () => {
  it.each([
    ['', {}, 'is empty'],
    ['none/', {}, 'there is no folder'],
    ['none', { keep: 2 }, '--keep needs a folder'],
    ['mine', { keep: 2, force: true }, '--keep needs a folder'],
    ['mine', {}, 'the file exists; --force replaces it'],
    ['x.backup', { metric: 'mine' }, 'its name must end in .prom'],
    ['x.backup', { metric: 'none/x.prom' }, 'there is no folder'],
    ['x.backup', { metric: 'folder.prom' }, 'it is not a file'],
  ] as const)('%j with %j is refused before the copy begins: %s', async (name, options, fault) => {
    writeFileSync(join(folder, 'mine'), 'mine');
    mkdirSync(join(folder, 'folder.prom'));
    const { metric } = options as Options;
    const inFolder = { ...options, ...(metric && { metric: join(folder, metric) }) };
    const path = name === '' ? '' : `${folder}/${name}`;
    await expect(backup(path, inFolder)).rejects.toThrow(fault);
    await expect(backup(path, inFolder)).rejects.toThrow(CommandFault);
    expect(readdirSync(folder).sort()).toEqual(['folder.prom', 'mine']);
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
  });
});

describe('the backup metric', () => {
  it('gives the time of the backup, under the name that the alert uses, readable to everybody', async () => {
    const metric = join(folder, 'holdfast.prom');
    writeFileSync(metric, 'old', { mode: 0o600 });
    const umask = process.umask(0o077);
    const { takenAt } = await backup(join(folder, 'x.backup'), { metric }).finally(() => process.umask(umask));
    const [help, type, line, end] = readFileSync(metric, 'utf8').split('\n');
    expect(help).toMatch(/^# HELP holdfast_backup_timestamp_seconds \S/);
    expect(type).toBe('# TYPE holdfast_backup_timestamp_seconds gauge');
    expect(line).toBe(`holdfast_backup_timestamp_seconds ${Date.parse(takenAt) / 1000}`);
    expect(end).toBe('');
    expect(statSync(metric).mode & 0o777).toBe(0o644);
    const root = join(import.meta.dirname, '../../../../..');
    const rules = readFileSync(join(root, 'deploy/prometheus/holdfast.rules.yaml'), 'utf8');
    expect(rules).toContain(`time() - ${line?.split(' ')[0]} > `);
    expect(readdirSync(folder).sort()).toEqual(['holdfast.prom', 'x.backup']);
  });

  it('ends with status 1 if it cannot be written, and the backup stays', async () => {
    const [metric, target] = [join(folder, 'holdfast.prom'), join(folder, 'x.backup')];
    mkdirSync(`${metric}.new`);
    await expect(backup(target, { metric })).rejects.toThrow(/^the backup is complete, but then: /);
    expect(JSON.parse(printed.join(''))).toMatchObject({ file: target, verified: true });
    expect(statSync(target).size).toBeGreaterThan(10_000);
  });
});
