/** How damage in the database file affects the versions of a document. */
import { expect, test } from 'vitest';
import { newState, version } from '../../store-suite/harness.ts';
import { runSql } from '../inspect/inspect.fixture.ts';
import { temporary } from '../temporary.fixture.ts';
import { damages, expectDamage, key, name, textOf, versions, written } from './damaged-versions.fixture.ts';

const at = temporary();

test.each(damages.slice(0, 1))(
  'a version where %s costs at most the rest of its run, and every other version is readable',
  (_, ...damage) => expectDamage(at, ...damage),
);

test('a damaged current version is an error, and a PUT replaces it', async () => {
  const dataDir = await written(at);
  runSql(dataDir, `UPDATE public_state_versions SET state = '' WHERE version = ${versions}`);
  const store = await at.open({ dataDir });
  expect(() => store.readPublicState(key)).toThrow(`version ${versions} of ${name} is damaged`);
  await store.writePublicState(key, version(versions), newState(textOf(0)));
  expect(await store.readPublicState(key)).toMatchObject({ record: { version: versions + 1, stateText: textOf(0) } });
});
