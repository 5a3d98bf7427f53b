/** Schemas for copies of a store: versions, a deleted one, and the floor of a recreated project. Also a check of flags. */

import type { Expectation } from '../../storage/contract/public-states.ts';
import type { SchemaKey } from '../../storage/contract/schemas.ts';
import type { Store } from '../../storage/store.ts';
import { byOperator } from '../../storage/store-suite/records.fixture.ts';

const schemaText = '{"properties":{"n":{"maximum":9007199254740993,"title":"caf\\ud800"}}}';
const key: SchemaKey = { accountId: 'acc_alpha', slug: 'game', environment: 'staging', kind: 'user-state' };
const deleted: SchemaKey = { ...key, environment: 'production', kind: 'public-state' };

/** Writes the schemas of a project. */
export async function fillSchemas(store: Store, comments: readonly string[]): Promise<void> {
  const write = async (at: SchemaKey, expected: Expectation, comment: string | null, writtenAt: number) => {
    const author = { kind: 'developer', id: 'usr_ada' } as const;
    const next = { mode: 'report', schemaText, instructions: 7, comment, author, writtenAt } as const;
    const outcome = await store.writeSchema(byOperator, at, expected, next);
    if (outcome.kind !== 'written') throw new Error('a schema was not written');
  };
  await store.updateProject(byOperator, key, { flagsCheck: 'enforce' });
  await write(key, { kind: 'absent' }, null, 3_000);
  for (const [index, comment] of comments.entries())
    await write(key, { kind: 'version', version: index + 1 }, comment, 3_001);
  await write(deleted, { kind: 'absent' }, null, 3_002);
  await store.writeSchema(byOperator, deleted, { kind: 'version', version: 1 }, null);
}

/** Reads everything about them. */
export async function askSchemas(ask: (name: string, answer: unknown) => Promise<void>, store: Store): Promise<void> {
  await ask('schemas', store.readSchemas(key));
  for (const at of [key, deleted]) {
    await ask(`schema ${at.kind}`, store.readSchema(at, null));
    await ask(`schema ${at.kind} 1`, store.readSchema(at, 1));
    await ask(`schema history ${at.kind}`, store.listSchemaHistory(at, { before: null, itemsMax: 50 }));
  }
}
