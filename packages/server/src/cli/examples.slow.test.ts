import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import { createUser } from '../storage/store-suite/identity/identity-records.ts';
import { anAccount, anApiKey, aProject, byOperator } from '../storage/store-suite/records.fixture.ts';
import { type CommandSandbox, command, createCommandSandbox } from './command.fixture.ts';
import { examplesOf } from './program/command.ts';
import { createProgram } from './program/program.ts';

/** The account in the examples. */
const accountId = 'acc_2bYkGd9MQnLVhvO0WwYx3z';

const commandsBelow = (parent: Command): Command[] => parent.commands.flatMap((each) => [each, ...commandsBelow(each)]);
const leaves = commandsBelow(createProgram()).filter(({ commands }) => commands.length === 0);
const nameOf = (each: Command): string => (each.parent ? `${nameOf(each.parent)} ${each.name()}`.trim() : each.name());
const examples = leaves
  .flatMap((each) => examplesOf(each).map((example) => [nameOf(each), example] as const))
  // These are run by migrate-store.slow.postgres.test.ts.
  .filter(([, example]) => !example.includes('postgres://'));

let place: CommandSandbox;
let bin: string;
beforeAll(async () => {
  place = await createCommandSandbox();
  bin = join(place.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'holdfast'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
  chmodSync(join(bin, 'holdfast'), 0o755);
  writeFileSync(join(place.folder, 'production.env'), 'SVC_LOG_REQUESTS=refused\n');
  writeFileSync(join(place.folder, 'passphrase'), 'correct horse battery staple\n');
  writeFileSync(
    join(place.folder, 'players.ndjson'),
    '{"endUserId":"ada","environment":"production","state":{"gold":1}}\n',
  );
  writeFileSync(join(place.folder, 'audit.ndjson'), '');
  writeFileSync(join(place.folder, 'save.schema.json'), '{"properties":{"gold":{"type":"integer"}}}');
  // Later examples need the results of earlier ones, for example a backup.
  const store = await openSqliteStore({ dataDir: place.dataDir });
  await store.createAccount(anAccount({ accountId, name: 'Acme', idpTenantId: 't', createdAt: 1 }));
  await createUser(store, null);
  await store.createProject(byOperator, aProject({ accountId, slug: 'hello' }));
  const key = anApiKey({ accountId, slug: 'hello', keyId: 'key_7nKd0sQe1mVxZb4Rt9YhGu' });
  await store.createApiKey(byOperator, key, randomBytes(32), 1_000);
  await store.close();
});
afterAll(() => place.remove());

/** Pastes a line into bash, in the workplace folder. */
const paste = (line: string) =>
  promisify(execFile)('bash', ['--norc', '-c', line], {
    cwd: place.folder,
    env: { ...place.environment, PATH: `${bin}:${place.environment.PATH}` },
  });

describe('every command', () => {
  it.each(leaves.map((each) => [nameOf(each), each] as const))('%s has a sentence and examples of itself', (name, each) => {
    expect(examplesOf(each).length).toBeGreaterThan(0);
    for (const example of examplesOf(each)) expect(example).toContain(name);
    expect(each.description()).toMatch(/^[a-z][^.]*[^.]$/);
    for (const { description } of each.options) expect(description).not.toBe('');
  });

  it.each(leaves.filter((each) => !['serve', 'completion', 'types'].includes(each.name())).map(nameOf))(
    '%s prints JSON',
    (name) => {
      const found = leaves.find((each) => nameOf(each) === name);
      expect(found?.options.map(({ long }) => long)).toContain('--json');
    },
  );
});

describe('the example of', () => {
  /** Runs a line: in a shell if it needs one or is the first of its command, else here. */
  async function run(name: string, line: string) {
    const isFirst = examples.find(([each]) => each === name)?.[1] === line;
    if (isFirst || !/^holdfast(?: [\w./:-]+)+$/.test(line)) return paste(line.replace('/var/lib/holdfast', 'elsewhere'));
    const ended = await place.run(line.split(' ').slice(1));
    expect(ended.code, ended.stderr).toBe(0);
    return ended;
  }

  it.each(examples.filter(([name]) => name !== 'holdfast serve'))('%s runs: %s', async (name, example) => {
    const { stdout, stderr } = await run(name, example);
    if (!example.includes('token')) expect(stderr).toBe('');
    if (example.endsWith('--json')) expect(() => JSON.parse(stdout)).not.toThrow();
  });

  it.each(examples.filter(([name]) => name === 'holdfast serve'))('%s serves: %s', async (_name, example) => {
    const free = example.replace(/SVC_PORT=\d+/, 'SVC_PORT=0');
    const { stdout } = await paste(
      `: > out; ${free} > out 2>&1 & until grep -q /docs out; do sleep 0.05; kill -0 $! || { cat out; exit; }; done; kill $!; wait $!; cat out`,
    );
    expect(stdout).toContain('"msg":"ready"');
  });

  it('completion prints scripts that are not empty', () => {
    for (const name of ['_holdfast', 'holdfast.fish'])
      expect(statSync(join(place.folder, name)).size).toBeGreaterThan(1_000);
  });
});

describe('usage', () => {
  it.each([
    [['servee'], "holdfast: unknown command 'servee'; did you mean serve?\n"],
    [['account', 'craete'], "holdfast: unknown command 'craete'; did you mean create?\n"],
    [['doctor', '--quikc'], "holdfast: unknown option '--quikc'; did you mean --quick?\n"],
    [['completion', 'tcsh'], /^holdfast: command-argument value 'tcsh' is invalid.*bash, zsh, fish\.\n$/],
    [['backup'], "holdfast: missing required argument 'file'\n"],
  ])('%j ends with status 2 and one line', async (args, line) => {
    const { code, stdout, stderr } = await place.run(args);
    expect([code, stdout]).toEqual([2, '']);
    if (typeof line === 'string') expect(stderr).toBe(line);
    else expect(stderr).toMatch(line);
  });

  it('stops quietly when the reader closes the pipe', async () => {
    const { stderr } = await paste('holdfast config | true; exit 0');
    expect(stderr).toBe('');
  });
});
