import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from './examples.ts';
import { type OpenApi, type OperationObject, openApiDocument, type ResponseObject } from './openapi.ts';
import { describedOperations, operations } from './operations.ts';
import { type ComponentName, components } from './schemas.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = openApiDocument({ baseUrl: 'https://state.example.org' });

/** The operation of the description with this id, and where it stands. */
function find(id: string): { path: string; method: string; operation: OperationObject } {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId === id) return { path, method, operation };
    }
  }
  throw new Error(`the description has no operation ${id}`);
}

/** The codes that a response of the description can carry, wherever it stands. */
function codesOf(id: string, status: number): unknown {
  const response = find(id).operation.responses[status] as ResponseObject | { $ref: string };
  const resolved = '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response;
  const schema = resolved?.content?.['application/json']?.schema;
  const narrowing = schema?.allOf?.[1]?.properties;
  return schema?.$ref ?? narrowing?.error?.enum ?? narrowing?.code?.enum;
}

describe('the linter', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-openapi-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function lint(content: OpenApi): Promise<{ errors: number; warnings: number; rules: string[] }> {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(content));
    const command = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const options = {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    };
    const { stdout } = await promisify(execFile)(process.execPath, [command, 'lint', '--format=json', file], options).catch(
      (error: { stdout: string }) => error,
    );
    const { totals, problems } = JSON.parse(stdout) as {
      totals: { errors: number; warnings: number };
      problems: { ruleId: string }[];
    };
    return { errors: totals.errors, warnings: totals.warnings, rules: [...new Set(problems.map(({ ruleId }) => ruleId))] };
  }

  test('has nothing to say about the description', async () => {
    expect(await lint(document)).toEqual({ errors: 0, warnings: 0, rules: [] });
  });

  test('notices an operation without success, an unused component and a response without API-Version', async () => {
    const broken = structuredClone(document) as unknown as Record<string, never> & OpenApi;
    const { paths, components } = broken as unknown as {
      paths: Record<string, { get: { responses: Record<string, unknown> } }>;
      components: { responses: Record<string, unknown> };
    };
    const liveness = paths['/healthz']?.get;
    if (liveness === undefined) throw new Error('the description has no /healthz');
    delete liveness.responses['200'];
    liveness.responses['431'] = { description: 'x', headers: {} };
    components.responses.spare = { description: 'x' };
    const { rules } = await lint(broken);
    expect(rules.toSorted()).toEqual(['no-unused-components', 'response-contains-header', 'rule/operation-has-success']);
  });
});

describe('the description', () => {
  test('is plain JSON of OpenAPI 3.1.1 and interface version 1.0.0', () => {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document);
    expect(/"~\w+":/.exec(JSON.stringify(document))).toBeNull();
    expect([document.openapi, document.info.version, document.servers]).toEqual([
      '3.1.1',
      '1.0.0',
      [{ url: 'https://state.example.org' }],
    ]);
  });

  test.each(describedOperations)('has the operation %s under its method and path', (id, { method, path }) => {
    const found = find(id);
    expect(found.method).toBe(method.toLowerCase());
    expect(found.path.replaceAll(/\{\w+\}/g, '{}')).toBe(path.replaceAll(/\{\w+\}/g, '{}'));
  });

  test('joins the list and the deletion of user states in one path item', () => {
    const path = '/v1/{accountId}/projects/{slug}/user-states/{envOrEndUserId}';
    expect(Object.keys(document.paths[path] ?? {})).toEqual(['get', 'delete']);
    const schemaOf = (id: string) =>
      find(id).operation.parameters?.find((one) => 'in' in one && one.name === 'envOrEndUserId');
    expect(schemaOf('listUserStates')).toMatchObject({
      in: 'path',
      schema: { $ref: '#/components/schemas/EnvironmentName' },
    });
    expect(schemaOf('deleteUserState')).toMatchObject({ in: 'path', schema: { $ref: '#/components/schemas/EndUserId' } });
  });

  test('says who may call an operation', () => {
    expect(find('readPublicState').operation.security).toEqual([{ developer: [] }, { apiKey: [] }]);
    expect(find('patchUserState').operation.security).toEqual([{ endUser: [] }]);
    expect(find('exchangeToken').operation.security).toEqual([]);
  });

  test('gives a write both precondition headers and a read the one that saves a body', () => {
    const headersOf = (id: string) => JSON.stringify(find(id).operation.parameters).match(/If\w+/g);
    expect(headersOf('replacePublicState')).toEqual(['IfMatch', 'IfNoneMatch']);
    expect(headersOf('readPublicState')).toEqual(['IfNoneMatchRead']);
    expect(headersOf('listPublicStateVersions')).toBeNull();
  });

  test('closes the codes of each status', () => {
    expect(codesOf('readPublicState', 400)).toEqual(['validation_error']);
    expect(codesOf('patchPublicState', 400)).toHaveLength(10);
    expect(codesOf('patchPublicState', 412)).toBe('#/components/schemas/ConflictBody');
    expect(codesOf('createProject', 402)).toEqual(['QUOTA_API_REQUESTS', 'QUOTA_PROJECTS']);
    expect(codesOf('createProject', 409)).toEqual(['already_exists']);
    expect(codesOf('exchangeToken', 400)).toEqual([
      'invalid_request',
      'invalid_grant',
      'unsupported_grant_type',
      'invalid_scope',
    ]);
    expect(codesOf('exchangeToken', 401)).toEqual(['invalid_client', 'invalid_grant']);
  });

  test('declares exactly the statuses of the interface for public state, and those of the transport', () => {
    const transport = ['417', '431', '500'];
    const besides = (id: string) =>
      Object.keys(find(id).operation.responses).filter((status) => !transport.includes(status));
    expect(besides('replacePublicState')).toEqual([
      '200',
      '400',
      '401',
      '402',
      '403',
      '404',
      '408',
      '412',
      '413',
      '415',
      '429',
      '503',
    ]);
    expect(besides('exchangeToken')).toEqual(['200', '400', '401', '429', '503']);
  });

  test('lets an error have no body only where the interface does', () => {
    const content = (id: string, status: number) => (find(id).operation.responses[status] as ResponseObject).content;
    expect(content('readApiKeyInfo', 401)).toBeUndefined();
    expect(Object.keys(content('readPublicState', 403) ?? {})).toEqual(['application/json']);
    expect(Object.keys(content('completeAuthorize', 400) ?? {})).toEqual(['application/json', 'text/html']);
  });

  test('refers to a record inside another by its name', () => {
    const { schemas } = document.components;
    expect(schemas.ProjectListBody?.properties?.items?.items).toEqual({ $ref: '#/components/schemas/ProjectBody' });
    expect(schemas.PublicStateBody?.properties?.state).toEqual({ $ref: '#/components/schemas/State' });
  });
});

describe('the examples', () => {
  test.each(Object.entries(examples))('of %s is valid', (name, example) => {
    expect(Compile(components[name as ComponentName]).Errors(example)).toEqual([]);
    expect(document.components.schemas[name]?.examples).toEqual([example]);
  });

  test('cover every request body', () => {
    const bodies = Object.values(operations).flatMap((operation) => ('body' in operation ? [operation.body.schema] : []));
    expect(bodies.filter((name) => !(name in examples))).toEqual([]);
  });
});
