/** `holdfast players import`: faulty files, repeated runs, and existing user states. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { anAccount, aProject, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { type CommandSandbox, createCommandSandbox } from '../command.fixture.ts';

const accountId = 'acc_1';
const kept = { versionsMax: 9, keptAfter: 0 };
let place: CommandSandbox;
beforeAll(async () => {
  place = await createCommandSandbox();
  const store = await openSqliteStore({ dataDir: place.dataDir });
  await store.createAccount(anAccount({ accountId }));
  await store.createProject(byOperator, aProject({ accountId, slug: 'p' }));
  await store.close();
});
afterAll(() => place.remove());

const line = (playerId: string, state: string, environment = 'production') =>
  `{"endUserId":${JSON.stringify(playerId)},"environment":"${environment}","state":${state}}`;

async function run(lines: readonly string[], ...options: string[]) {
  const file = join(place.folder, 'players.ndjson');
  writeFileSync(file, lines.join('\n'));
  return place.run(['players', 'import', file, '--account', accountId, '--project', 'p', ...options]);
}

const counts = async (lines: readonly string[], ...options: string[]) => {
  const { code, stdout, stderr } = await run(lines, '--json', ...options);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

async function stateOf(playerId: string) {
  const store = await openSqliteStore({ dataDir: place.dataDir });
  const key = { accountId, slug: 'p', environment: 'production' as const, playerId };
  const found = await store.readUserState(key);
  const history = await store.listUserStateHistory(key, { before: null, itemsMax: 9, retention: kept });
  await store.close();
  const items = history.kind === 'history' ? history.items : [];
  return { text: found.kind === 'present' ? found.record.stateText : found.kind, items };
}

it('an import names every wrong line and writes nothing', async () => {
  const wrong = [
    line('fine', '{"a":1}'),
    '{',
    '[]',
    '{"endUserId":"x","environment":"production"}',
    line('x', '[]'),
    line('x', '{}', 'prod'),
    line(' x', '{}'),
    line('', '{}'),
    line('a\u0000b', '{}'),
    line('x'.repeat(513), '{}'),
    line('guest_1234567890123456789012', '{}'),
    line('x', `{"a":"${'x'.repeat(256_000)}"}`),
    `{"endUserId":"x","pad":"${'x'.repeat(2_100_000)}"}`,
    line('also fine', '{}'),
  ];
  const { code, stdout, stderr } = await run(wrong);
  expect([code, stdout]).toEqual([1, '']);
  const told = stderr.trimEnd().split('\n');
  expect(told[0]).toMatch(/12 lines of .* are wrong; nothing was imported$/);
  expect(told.slice(1).map((each) => Number(/line (\d+): ./.exec(each)?.[1]))).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
  ]);
  expect((await stateOf('fine')).text).toBe('absent');
});

it('an import checks without writing, copies digit for digit, and changes nothing when repeated', async () => {
  const lines = [
    line('ada', '{ "big": 9007199254740993, "e": 1e400 }'),
    '',
    line('bob/é 😀', '{"lone":"\\ud800"}'),
    ...Array.from({ length: 100 }, (_, n) => line(`p${n}`, `{"n":${n}}`)),
  ];
  expect(await counts(lines, '--check')).toMatchObject({ lines: 102, created: 0, checkedOnly: true });
  expect((await stateOf('ada')).text).toBe('absent');
  expect(await counts(lines)).toMatchObject({ lines: 102, created: 102, same: 0, different: 0 });
  expect((await stateOf('ada')).text).toBe('{"big":9007199254740993,"e":1e400}');
  expect((await stateOf('bob/é 😀')).text).toBe('{"lone":"\\ud800"}');
  expect(await counts(lines)).toMatchObject({ lines: 102, created: 0, same: 102 });
  expect((await stateOf('ada')).items).toMatchObject([{ version: 1, comment: 'imported', author: { kind: 'operator' } }]);
});

it('an import replaces other user states only on request, and then keeps them as versions', async () => {
  await counts([line('cyd', '{"gold":1}')]);
  const other = [line('dee', '{}'), line('cyd', '{"gold":2}')];
  expect(await counts(other)).toMatchObject({ created: 1, different: 1, leftAlone: [2] });
  expect((await stateOf('cyd')).text).toBe('{"gold":1}');
  expect(await counts(other, '--replace')).toMatchObject({ same: 1, replaced: 1, different: 0 });
  const { text, items } = await stateOf('cyd');
  expect([text, items.map((item) => item.version)]).toEqual(['{"gold":2}', [2, 1]]);
});

it('an import checks the lines against an enforced schema, and names those that break it', async () => {
  const store = await openSqliteStore({ dataDir: place.dataDir });
  const key = { accountId, slug: 'p', environment: 'staging', kind: 'user-state' } as const;
  const schemaText = '{"properties":{"gold":{"type":"integer","x-write":"server"}}}';
  const schema = { mode: 'enforce', schemaText, instructions: 0, comment: null, author: null, writtenAt: 1 } as const;
  expect(await store.writeSchema(byOperator, key, { kind: 'absent' }, schema)).toMatchObject({ kind: 'written' });
  await store.close();
  const lines = [
    line('eve', '{"gold":1}', 'staging'),
    line('fay', '{"gold":"much"}', 'staging'),
    line('fay', '{"gold":"much"}', 'development'),
  ];
  const { code, stderr } = await run(lines, '--check');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /1 lines of .* are wrong; nothing was imported\n.*line 2: the state does not fit the schema: \/gold /s,
  );
  expect(await counts([lines[0] ?? '', lines[2] ?? ''])).toMatchObject({ created: 2 });
});

it('an import names the first line without room, and continues there once there is room', async () => {
  await place.run(['account', 'limits', accountId, '--end-users', '106']);
  const lines = Array.from({ length: 70 }, (_, n) => line(`new${n}`, '{}'));
  const { code, stderr } = await run(lines);
  expect(code).toBe(1);
  expect(stderr).toMatch(/line \d+: the account may have 106 end users, and has 106\n.*goes on where it stopped/s);
  await place.run(['account', 'limits', accountId, '--end-users', 'unlimited']);
  expect(await counts(lines)).toMatchObject({ lines: 70, different: 0 });
  expect((await stateOf('new69')).text).toBe('{}');
});

it.each([
  [['players', 'import', 'none.ndjson', '--account', accountId, '--project', 'p'], /cannot read none\.ndjson/],
  [['players', 'import', 'x', '--account', accountId, '--project', 'q'], /there is no project "q" in the account acc_1/],
  [['players', 'import', 'x', '--account', accountId], /required option '--project <slug>'/],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await place.run(args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});
