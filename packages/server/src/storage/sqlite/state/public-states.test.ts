import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Precondition } from '../../../state/documents/precondition.ts';
import { createEvaluator } from '../../../state/evaluation/evaluator.ts';
import { createPublicStates } from '../../../state/public-state.ts';
import type { StateWrite } from '../../../state/state-write.ts';
import { ensureProject, stateKey } from '../../store-suite/harness.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const key = stateKey();
const write = (precondition: Precondition, body: unknown): StateWrite => ({
  precondition,
  body: Buffer.from(JSON.stringify(body)),
  author: null,
  repeat: undefined,
});

test('a patch of an uncached document is stored as edits of the text it read', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir, cacheCharactersMax: 1 });
  await ensureProject(store, key);
  const evaluator = createEvaluator({ inTurn: (_, work) => work(), bodyBytesMax: 100_000 });
  const states = createPublicStates({ store, evaluator, now: () => 1 });
  const document = { padding: 'x'.repeat(4_000), n: 0 };
  await states.replace(key, write({ kind: 'absent' }, { state: document }));
  for (const version of [1, 2, 3]) {
    const patch = { ops: [{ op: 'replace', path: '/n', value: version * 100 }] };
    await states.patch(key, write({ kind: 'version', version: String(version) }, patch));
  }
  await evaluator.close();

  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const rows = database.prepare('SELECT depth, length(state) < 100 AS small FROM public_state_versions ORDER BY id').all();
  database.close();
  expect(rows.map(({ depth, small }) => [depth, small])).toEqual([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  const read = await states.read(key);
  expect(JSON.parse(read?.stateText ?? '')).toEqual({ ...document, n: 300 });
});
