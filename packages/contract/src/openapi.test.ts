import { STATUS_CODES } from 'node:http';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { describedFault } from './conformance.ts';
import { errorCodes, quotaCodes } from './errors.ts';
import { examples } from './examples.ts';
import { type JsonSchema, type OperationObject, openApiDocument, type ResponseObject } from './openapi.ts';
import { describedOperations, operations } from './operations.ts';
import { type ComponentName, components } from './schemas.ts';
import { tokenErrorCodes } from './token-errors.ts';

const document = openApiDocument({ baseUrl: 'https://state.example.org' });

/** Finds the operation with this id in the description, with its location. */
function find(id: string): { path: string; method: string; operation: OperationObject } {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId === id) return { path, method, operation };
    }
  }
  throw new Error(`the description has no operation ${id}`);
}

const nameOf = (reference = '') => reference.split('/').at(-1) ?? '';

/** Returns the response of an operation to a status, following references. */
function responseOf(id: string, status: number | 'default'): ResponseObject | undefined {
  const response = find(id).operation.responses[status];
  return response && '$ref' in response ? document.components.responses[nameOf(response.$ref)] : response;
}

/** Returns the codes that a response in the description can have. */
function codesOf(id: string, status: number): unknown {
  const schema = responseOf(id, status)?.content?.['application/json']?.schema;
  const { error, code } = document.components.schemas[nameOf(schema?.$ref)]?.properties ?? {};
  return (error ?? code)?.enum;
}

/** Returns every schema in the description, with the keys that lead to it. */
function schemasIn(part: unknown, path: readonly string[] = []): { path: readonly string[]; schema: JsonSchema }[] {
  if (typeof part !== 'object' || part === null || path.includes('examples') || path.at(-1) === 'example') return [];
  const own = path.at(-1) === 'schema' ? [{ path, schema: part as JsonSchema }] : [];
  return [...own, ...Object.entries(part).flatMap(([key, one]) => schemasIn(one, [...path, key]))];
}

describe('the description', () => {
  test('is plain JSON of OpenAPI 3.1.1 and interface version 1.0.0', () => {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document);
    expect(/"~\w+":/.exec(JSON.stringify(document))).toBeNull();
    expect([document.openapi, document.info.version, document.servers.map(({ url }) => url)]).toEqual([
      '3.1.1',
      '1.0.0',
      ['https://state.example.org'],
    ]);
  });

  test.each(describedOperations)('has only statuses of HTTP for %s', (id) => {
    const statuses = Object.keys(find(id).operation.responses).filter((status) => status !== 'default');
    expect(statuses.filter((status) => !(status in STATUS_CODES))).toEqual([]);
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
    expect(schemaOf('listPlayerStates')).toMatchObject({
      in: 'path',
      schema: { $ref: '#/components/schemas/EnvironmentName' },
    });
    expect(schemaOf('deletePlayerState')).toMatchObject({
      in: 'path',
      schema: { $ref: '#/components/schemas/EndUserId' },
    });
  });

  test('gives the credentials of an operation', () => {
    expect(find('readPublicState').operation.security).toEqual([
      { developer: [] },
      { apiKey: [] },
      { developerOAuth2: [] },
    ]);
    expect(find('patchUserState').operation.security).toEqual([{ endUser: [] }, { endUserOAuth2: [] }]);
    expect(find('exchangeToken').operation.security).toEqual([]);
    expect(find('readPublicStateChanges').operation.security.at(-1)).toEqual({ publishableKeyInQuery: [] });
  });

  test('gives a write both precondition headers, and a read the one that saves a body', () => {
    const headersOf = (id: string) => JSON.stringify(find(id).operation.parameters).match(/If\w+/g);
    expect(headersOf('replacePublicState')).toEqual(['IfMatch', 'IfNoneMatch']);
    expect(headersOf('readPublicState')).toEqual(['IfNoneMatchRead']);
    expect(headersOf('listPublicStateVersions')).toEqual(['IfNoneMatchRead']);
    expect(headersOf('listPublicStateHistory')).toBeNull();
  });

  test('lists all codes of each status', () => {
    expect(codesOf('readPublicState', 400)).toEqual(['validation_error']);
    expect(codesOf('patchPublicState', 400)).toHaveLength(10);
    expect(codesOf('patchPublicState', 412)).toEqual(['version_conflict']);
    expect(codesOf('patchPublicState', 405)).toEqual(['method_not_allowed']);
    expect(codesOf('createProject', 402)).toEqual(['QUOTA_PROJECTS']);
    expect(codesOf('replacePublicState', 402)).toEqual(['QUOTA_API_REQUESTS', 'QUOTA_STORAGE']);
    expect(codesOf('createProject', 409)).toEqual(['already_exists']);
    expect(codesOf('exchangeToken', 400)).toEqual([
      'invalid_request',
      'invalid_grant',
      'unauthorized_client',
      'use_nonce',
      'unsupported_grant_type',
      'invalid_scope',
    ]);
    expect(codesOf('exchangeToken', 401)).toEqual(['invalid_client', 'invalid_grant']);
  });

  test.each([
    ['readPublicState', true],
    ['replacePublicState', true],
    ['createProject', false],
    ['createApiKey', false],
  ])('says for %s whether waiting helps after a 402', (id, waits) => {
    expect('Retry-After' in (responseOf(id, 402)?.headers ?? {})).toBe(waits);
  });

  test('declares exactly the statuses of the interface for public state, and those of the transport', () => {
    const transport = ['405', '417', '431', '500', 'default'];
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
      '422', // with an Idempotency-Key only
      '429',
      '503',
    ]);
    expect(besides('exchangeToken')).toEqual(['200', '400', '401', '403', '409', '429', '503']);
  });

  test('allows an error without a body only where the interface does', () => {
    const content = (id: string, status: number) => responseOf(id, status)?.content;
    expect(content('readApiKeyInfo', 401)).toBeUndefined();
    expect(content('readPublicState', 403)).toBeUndefined(); // it may have one, but clients cannot rely on it
    expect(Object.keys(content('readUserState', 403) ?? {})).toEqual(['application/json']);
    expect(Object.keys(content('completeAuthorize', 400) ?? {})).toEqual(['application/json', 'text/html']);
  });

  test('refers to a nested record by its name', () => {
    const { schemas } = document.components;
    expect(schemas.ProjectListBody?.properties?.items?.items).toEqual({ $ref: '#/components/schemas/ProjectBody' });
    expect(schemas.PublicStateBody?.properties?.state).toEqual({ $ref: '#/components/schemas/State' });
  });
});

describe('the description for generators', () => {
  const { schemas } = document.components;

  test('has a name for every object, and no schema combined from others', () => {
    const inline = schemasIn(document.paths).filter(({ schema }) => schema.properties || schema.allOf || schema.anyOf);
    expect(inline.map(({ path }) => path.join('/'))).toEqual([]);
    const nested = Object.entries(schemas).flatMap(([name, { properties = {}, items }]) =>
      [...Object.entries(properties), ['items', items ?? {}] as const]
        .filter(([, part]) => part.properties || part.items?.properties || part.anyOf?.some((one) => one.properties))
        .map(([member]) => `${name}.${member}`),
    );
    expect(nested).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('"allOf"');
  });

  test('has no part with two names, and no unused name', () => {
    const text = JSON.stringify(document);
    for (const [kind, parts] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue;
      const unused = Object.keys(parts).filter((name) => !text.includes(`"#/components/${kind}/${name}"`));
      expect([kind, unused]).toEqual([kind, []]);
    }
  });

  test('leaves out components used only by operations that are not served', () => {
    const served = new Set(['readLiveness']);
    const { components } = openApiDocument({ baseUrl: 'https://state.example.org', served });
    expect(Object.keys(components.schemas)).toContain('HealthBody');
    expect(Object.keys(components.schemas)).not.toContain('IdentityMetadataBody');
    expect(Object.keys(components.parameters)).toEqual([]);
  });

  test('names operations by one of a few verbs', () => {
    const verbs = describedOperations.map(([id]) => /^[a-z]+/.exec(id)?.[0]);
    expect([...new Set(verbs)].sort()).toEqual([
      'apply',
      'check',
      'complete',
      'create',
      'delete',
      'evaluate',
      'exchange',
      'list',
      'log',
      'merge',
      'patch',
      'read',
      'replace',
      'retry',
      'revoke',
      'rotate',
      'test',
      'update',
    ]);
  });

  test('describes every operation in more detail than its summary', () => {
    for (const [id, { summary, description }] of describedOperations) {
      expect([id, description && description !== summary ? description.length > 40 : false]).toEqual([id, true]);
    }
  });

  test('requires only registered HTTP schemes', () => {
    const schemes = Object.values(document.components.securitySchemes);
    expect(schemes.flatMap((one) => (one.type === 'http' ? [one.scheme] : []))).toEqual(['bearer', 'bearer']);
    expect(document.components.securitySchemes.apiKey).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
    });
    expect(schemes.filter(({ type }) => type === 'oauth2')).toHaveLength(2);
  });

  test('sends people to the login page, wherever it is', () => {
    const authFrontUrl = 'https://login.example.org';
    const { components } = openApiDocument({ baseUrl: 'https://state.example.org', authFrontUrl });
    expect(components.securitySchemes.endUserOAuth2).toMatchObject({
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://login.example.org/authorize',
          tokenUrl: 'https://state.example.org/v1/auth/token',
          scopes: { 'env:production': expect.anything() },
        },
      },
    });
  });

  test('names quotas in words', () => {
    expect(schemas.EndUserQuotaBody?.properties?.code).toMatchObject({
      enum: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE', 'QUOTA_END_USERS'],
      'x-enum-varnames': ['ApiRequests', 'Storage', 'EndUsers'],
    });
  });
});

describe('the examples', () => {
  test.each(Object.entries(examples))('of %s is valid', (name, example) => {
    expect(Compile(components[name as ComponentName]).Errors(example)).toEqual([]);
    expect(document.components.schemas[name]?.examples).toEqual([example]);
  });

  test('of a project change contain every field that can change, which the storage tests use', () => {
    expect(Object.keys(examples.UpdateProjectBody ?? {})).toEqual(Object.keys(components.UpdateProjectBody.properties));
  });

  test('of request bodies and errors are valid, and have no undescribed member', () => {
    const contents = [
      ...Object.values(document.components.responses),
      ...describedOperations.map(([id]) => find(id).operation.requestBody),
    ];
    const seen = contents.flatMap((one) =>
      Object.values(one?.content ?? {}).flatMap(({ schema, examples = {} }) =>
        Object.values(examples).map(({ value }) => ({ name: nameOf(schema.$ref), value })),
      ),
    );
    expect(seen.length).toBeGreaterThan(40);
    for (const { name, value } of seen) {
      expect([name, describedFault(document, name)(value)]).toEqual([name, undefined]);
      const members = Object.keys(document.components.schemas[name]?.properties ?? {});
      expect([name, Object.keys(value as object).filter((member) => !members.includes(member))]).toEqual([name, []]);
    }
  });

  test('show every error code, and every outcome of a conflict', () => {
    const all = Object.values(document.components.responses).flatMap(({ content }) =>
      Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value as Record<string, unknown>),
    );
    const codes = new Set(all.map(({ error, code }) => error ?? code));
    const known = [errorCodes, quotaCodes, tokenErrorCodes].flatMap((table) => Object.keys(table));
    expect(known.filter((code) => !codes.has(code))).toEqual([]);
    const conflicts = responseOf('patchPublicState', 412)?.content?.['application/json']?.examples ?? {};
    expect(Object.keys(conflicts)).toEqual(['stale', 'exists', 'absent', 'overtaken', 'both']);
  });

  test('cover every request body', () => {
    const bodies = Object.values(operations).flatMap((operation) => ('body' in operation ? [operation.body.schema] : []));
    expect(bodies.filter((name) => !(name in examples))).toEqual([]);
  });
});

test('arrays that may not hold an item twice say so', () => {
  const { allowedIdps, redirectUris } = document.components.schemas.ReplaceEndUserAuthConfigBody?.properties ?? {};
  expect([allowedIdps, redirectUris]).toEqual(Array(2).fill(expect.objectContaining({ uniqueItems: true })));
});
