import { expect, test } from 'vitest';
import type { NewSchemaVersion, SchemaKey } from '../../contract/schemas.ts';
import { account, type CreateStoreHarness, project, unusualTexts, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const key: SchemaKey = { accountId: 'acc_1', slug: 'p', environment: 'staging', kind: 'user-state' };
const other: SchemaKey = { ...key, kind: 'public-state' };
const newSchema = (change: Partial<NewSchemaVersion> = {}): NewSchemaVersion => ({
  mode: 'enforce',
  schemaText: '{"maximum":9007199254740993}',
  instructions: 7,
  comment: null,
  author: { kind: 'developer', id: 'usr_ada' },
  writtenAt: 3_000,
  ...change,
});
const absent = { kind: 'absent' } as const;
const none = { flagsCheck: 'off', schemas: [] };
const version = (number: number) => ({ kind: 'version', version: number }) as const;

export function schemas(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const make = async () => {
    await at.store.createAccount(account());
    await at.store.createProject(byOperator, project());
  };

  test('adding a schema requires its project', async () => {
    await at.store.createAccount(account());
    expect(await at.store.writeSchema(byOperator, key, absent, newSchema())).toEqual({ kind: 'no_project' });
    expect(await at.store.readSchema(key, null)).toBeUndefined();
    expect(await at.store.readSchemas(key)).toBeUndefined();
    expect(await at.store.listSchemaHistory(key, { before: null, itemsMax: 5 })).toBeUndefined();
  });

  test('versions are numbered from 1, stay unchanged, and are compared with the expected version', async () => {
    await make();
    expect(await at.store.readSchema(key, null)).toBeNull();
    expect(await at.store.writeSchema(byOperator, key, version(1), newSchema())).toEqual({
      kind: 'conflict',
      currentVersion: null,
    });
    expect(await at.store.writeSchema(byOperator, key, absent, newSchema())).toEqual({ kind: 'written', version: 1 });
    expect(await at.store.writeSchema(byOperator, key, absent, newSchema())).toEqual({
      kind: 'conflict',
      currentVersion: 1,
    });
    for (const [index, comment] of unusualTexts.entries()) {
      const outcome = await at.store.writeSchema(byOperator, key, version(index + 1), newSchema({ comment }));
      expect(outcome).toEqual({ kind: 'written', version: index + 2 });
      expect(await at.store.readSchema(key, index + 2)).toEqual({ ...newSchema({ comment }), version: index + 2 });
    }
    expect(await at.store.readSchema(key, 1)).toEqual({ ...newSchema(), version: 1 });
    expect(await at.store.readSchema(other, null)).toBeNull();
    const newest = unusualTexts.length + 1;
    const { environment, kind } = key;
    const { mode, schemaText, instructions } = newSchema();
    expect(await at.store.readSchemas(key)).toEqual({
      flagsCheck: 'off',
      schemas: [{ environment, kind, version: newest, mode, schemaText, instructions }],
    });
    const page = await at.store.listSchemaHistory(key, { before: 3, itemsMax: 1 });
    expect(page).toMatchObject({ items: [{ version: 2, schemaBytes: schemaText.length }], hasMore: true });
  });

  test('a deletion takes a version number and keeps earlier versions', async () => {
    await make();
    await at.store.writeSchema(byOperator, key, absent, newSchema());
    expect(await at.store.writeSchema(byOperator, key, version(2), null)).toEqual({ kind: 'conflict', currentVersion: 1 });
    expect(await at.store.writeSchema(byOperator, key, version(1), null)).toEqual({ kind: 'written', version: 2 });
    expect(await at.store.readSchema(key, null)).toBeNull();
    expect(await at.store.readSchemas(key)).toEqual(none);
    expect(await at.store.readSchema(key, 1)).toMatchObject({ version: 1 });
    expect(await at.store.writeSchema(byOperator, key, version(2), null)).toEqual({
      kind: 'conflict',
      currentVersion: null,
    });
    expect(await at.store.writeSchema(byOperator, key, absent, newSchema())).toEqual({ kind: 'written', version: 3 });
  });

  test('a project created again has no schemas and continues above the old versions', async () => {
    await make();
    await at.store.writeSchema(byOperator, key, absent, newSchema());
    await at.store.writeSchema(byOperator, key, version(1), newSchema());
    await at.store.deleteProject(byOperator, key);
    await at.store.createProject(byOperator, project());
    expect(await at.store.readSchemas(key)).toEqual(none);
    expect(await at.store.writeSchema(byOperator, key, absent, newSchema())).toEqual({ kind: 'written', version: 3 });
  });

  test('the flags check is a setting of the project', async () => {
    await make();
    await at.store.updateProject(byOperator, key, { flagsCheck: 'enforce' });
    expect(await at.store.readSchemas(key)).toEqual({ ...none, flagsCheck: 'enforce' });
    await at.store.updateProject(byOperator, key, { name: 'New' });
    expect(await at.store.findProject(key)).toEqual(project('p', { name: 'New', flagsCheck: 'enforce' }));
    expect(await at.store.updateProject(byOperator, key, { flagsCheck: 'off' })).toMatchObject({ flagsCheck: 'off' });
    expect(await at.store.readSchemas(key)).toEqual(none);
  });

  test('a write is reported as an access change of the project before it resolves', async () => {
    await make();
    const reported: unknown[] = [];
    at.store.onAccessChange((change) => reported.push(change));
    await at.store.writeSchema(byOperator, key, version(1), newSchema());
    expect(reported).toEqual([]);
    await at.store.writeSchema(byOperator, key, absent, newSchema());
    expect(reported).toContainEqual({ kind: 'project', accountId: 'acc_1', slug: 'p' });
  });
}
