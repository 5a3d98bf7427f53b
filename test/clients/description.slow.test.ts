/**
 * The description against the service: what its schemas allow is not refused by a schema, and what they do not allow is. Rules that
 * JSON Schema cannot state are named here, one by one.
 */
import { guestGrantType, slugPattern } from '@holdfast/contract';
import { describedFault } from '@holdfast/contract/conformance';
import type { OpenApi } from '@holdfast/contract/openapi';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { newMember } from '../support/members.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { changed, valuesOf } from './described-values.ts';

let server: TestServer;
let project: Project;
let document: OpenApi;
let playerToken: string;
let guestClientId: string;
let values: Record<string, string>;

beforeAll(async () => {
  server = await startServer({ settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
  project = await server.newProject();
  document = (await server.call('GET', '/openapi.json')).json as OpenApi;
  const { accountId } = project.developer;
  playerToken = await server.running.accessTokens.signPlayerToken({
    accountId,
    slug: project.slug,
    environment: 'development',
    userId: 'player',
    seconds: 900,
  });
  const { memberId } = await newMember(server, accountId, 'viewer');
  values = {
    accountId,
    slug: project.slug,
    env: 'development',
    kind: 'public-state',
    providerId: 'google.com',
    key: 'shop',
    memberId,
    endUserId: 'rival',
    proposalId: 'prop_none',
    webhookId: 'wh_none',
  };
  const person = { subject: 'rival', provider: 'password', email: null, name: null };
  await server.running.store.admitPlayer({ accountId, slug: project.slug }, person, 1_000);
  const provider = { clientId: 'c', clientSecret: 's' };
  await server.call('PUT', `/v1/${accountId}/identity-providers/google.com`, {
    headers: project.developer.bearer,
    body: provider,
  });
  const guests = await server.newProject();
  guestClientId = `${guests.developer.accountId}.${guests.slug}`;
  await server.call('PUT', `${guests.path}/auth/end-user/config`, {
    headers: guests.developer.bearer,
    body: { enabled: true, redirectUris: [], allowedIdps: ['anonymous'] },
  });
});
afterAll(() => server.stop());

interface Case {
  readonly operationId: string;
  readonly headers?: () => Record<string, string>;
  /** Refusals that look at more than the schema, by what they say. */
  readonly beyondSchema?: RegExp;
}

/** A precondition that never holds: what fits the schema is a conflict, and nothing is written. */
const never = { 'If-Match': '"0"' };

const cases: readonly Case[] = [
  { operationId: 'replacePlayerBlock', beyondSchema: /until.*(?:has passed|is not a time)/ },
  { operationId: 'replacePublicState', headers: () => ({ ...project.developer.bearer, ...never }) },
  { operationId: 'patchPublicState', headers: () => ({ ...project.developer.bearer, ...never }) },
  {
    operationId: 'replaceSchema',
    headers: () => ({ ...project.developer.bearer, ...never }),
    beyondSchema: /the schema cannot be used/,
  },
  {
    operationId: 'checkSchema',
    beyondSchema:
      /exactly one of|needs \\"schema|must come from the previous response|not a cursor of this list|"error":"patch_/,
  },
  { operationId: 'evaluateFlags' },
  { operationId: 'evaluateFlag' },
  { operationId: 'patchUserState', headers: () => ({ Authorization: `Bearer ${playerToken}`, ...never }) },
  {
    operationId: 'mergeGuest',
    headers: () => ({ Authorization: `Bearer ${playerToken}` }),
    beyondSchema: /guestAssertion: /,
  },
  { operationId: 'patchPlayerState', headers: () => ({ ...project.developer.bearer, ...never }) },
  { operationId: 'patchMember', beyondSchema: /must have role or environments|an owner has all environments/ },
  { operationId: 'createInvitation', beyondSchema: /must be an email address|an owner has all environments/ },
  { operationId: 'updateAccount', beyondSchema: /must have name or/ },
  { operationId: 'updateProject', beyondSchema: /must have name or/ },
  { operationId: 'createProject' },
  { operationId: 'createServiceAccount', beyondSchema: /must be in the future/ },
  { operationId: 'createApiKey', beyondSchema: /must lie in the future|has 1000 API keys/ },
  {
    operationId: 'replacePlayerAuthConfig',
    beyondSchema: /is not image|has no valid host|has a host with characters|SVC_MAIL_TEXTS/,
  },
  {
    operationId: 'patchPlayerAuthConfig',
    beyondSchema: /is not image|has no valid host|has a host with characters|SVC_MAIL_TEXTS/,
  },
  { operationId: 'replaceIdentityProvider' },
  { operationId: 'createProposal', beyondSchema: /"error":"patch_|must be (?:in the future|within a year|after)/ },
  {
    operationId: 'updateProposal',
    headers: () => ({ ...project.developer.bearer, ...never }),
    beyondSchema: /"error":"patch_|must have baseVersion|must be (?:in the future|within a year|after)/,
  },
  { operationId: 'createProposalApproval' },
  { operationId: 'applyProposal' },
  { operationId: 'createWebhook', beyondSchema: /"\/url\\"/ },
  { operationId: 'updateWebhook', beyondSchema: /"\/url\\"/ },
  { operationId: 'rotateWebhookSecret' },
  { operationId: 'logOut', headers: () => ({}) },
];

test('every operation that takes JSON is compared with its schema', () => {
  const taking = allOperations().filter(({ operation }) => operation.requestBody?.content['application/json']);
  expect(cases.map(({ operationId }) => operationId).sort()).toEqual(
    taking.map(({ operation }) => operation.operationId).sort(),
  );
});

describe.each(cases)('$operationId', ({ operationId, headers, beyondSchema }) => {
  let faultOf: (body: unknown) => string | undefined;
  beforeAll(() => {
    faultOf = describedFault(document, schemaOf().$ref?.split('/').at(-1) ?? '');
  });

  async function agree(body: unknown): Promise<void> {
    const { path, method } = found(operationId);
    const fault = faultOf(body);
    const answer = await server.call(method.toUpperCase(), filled(path), {
      headers: { ...(headers?.() ?? project.developer.bearer), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (fault === undefined && beyondSchema?.test(answer.text)) return;
    expect({ fault, refused: answer.status === 400, body, said: said(answer) }).toMatchObject({
      refused: fault !== undefined,
    });
  }

  const schemaOf = () => found(operationId).operation.requestBody?.content['application/json']?.schema ?? {};

  test('accepts what its schema allows', () =>
    fc.assert(fc.asyncProperty(valuesOf(document, schemaOf()), agree), { numRuns: 40 }));

  test('refuses what its schema forbids', () =>
    fc.assert(fc.asyncProperty(changed(valuesOf(document, schemaOf())), agree), { numRuns: 100 }));
});

describe('exchangeToken', () => {
  const schemaCodes = new Set(['invalid_request', 'unsupported_grant_type']);
  let faultOf: (form: unknown) => string | undefined;
  beforeAll(() => {
    faultOf = describedFault(document, 'TokenForm');
  });

  async function agree(form: unknown): Promise<void> {
    const fields = Object.entries(form as Record<string, unknown>).map(([name, value]) => [name, String(value)]);
    const fault = faultOf(Object.fromEntries(fields));
    const answer = await server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const { error } = answer.json as { error: string };
    const { client_id, grant_type } = form as Record<string, unknown>;
    // Developers are no guests: the service says so before it looks at the rest.
    const expected =
      client_id === 'svc-developer' && grant_type === guestGrantType
        ? { error: 'unauthorized_client' }
        : { refused: fault !== undefined };
    expect({ fault, refused: schemaCodes.has(error), fields, error }).toMatchObject(expected);
  }

  const forms = () =>
    fc
      .tuple(
        valuesOf(document, { $ref: '#/components/schemas/TokenForm' }),
        fc.constantFrom('svc-developer', guestClientId), // the service says that a client is unknown before it looks at the rest
      )
      .map(([form, client_id]) => ({ ...(form as object), client_id }));

  test('agrees with its schema about valid forms', () => fc.assert(fc.asyncProperty(forms(), agree), { numRuns: 60 }));

  test('agrees with its schema about almost valid forms', () =>
    fc.assert(fc.asyncProperty(changed(forms()).filter(isForm), agree), { numRuns: 100 }));
});

describe('completeAuthorize', () => {
  const redirectUri = 'http://127.0.0.1:8976/callback';
  let faultOf: (form: unknown) => string | undefined;
  beforeAll(() => {
    faultOf = describedFault(document, 'AuthorizeCallbackForm');
  });

  async function agree(form: unknown): Promise<void> {
    const fields = Object.entries(form as Record<string, unknown>).map(([name, value]) => [name, String(value)]);
    const fault = faultOf(Object.fromEntries(fields));
    const answer = await server.call('POST', '/v1/auth/authorize/callback', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const back = new URL(answer.headers.location ?? 'none:', server.baseUrl).searchParams;
    const said = `${back.get('error')}: ${back.get('error_description')}`;
    const refused = answer.status === 400 || /^invalid_request|the ID token is missing/.test(said);
    expect({ fault, refused, fields, said }).toMatchObject({ refused: fault !== undefined });
  }

  /** An address that nobody registered is refused for another reason. */
  const isKnown = (form: unknown) =>
    isForm(form) && [redirectUri, undefined].includes((form as { redirect_uri?: string }).redirect_uri);

  const forms = () =>
    valuesOf(document, { $ref: '#/components/schemas/AuthorizeCallbackForm' }).map((form) => ({
      ...(form as object),
      client_id: 'svc-developer',
      redirect_uri: redirectUri,
    }));

  test('agrees with its schema about valid forms', () => fc.assert(fc.asyncProperty(forms(), agree), { numRuns: 60 }));

  test('agrees with its schema about almost valid forms', () =>
    fc.assert(fc.asyncProperty(changed(forms()).filter(isKnown), agree), { numRuns: 60 }));
});

const isForm = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'client_id' in value &&
  (value.client_id === 'svc-developer' || value.client_id === guestClientId);

describe('parameters', () => {
  const parameters = [
    ['env', 'GET', '/v1/{accountId}/projects/{slug}/user-states/{value}'],
    ['slug', 'GET', '/v1/{accountId}/projects/{value}'],
    ['accountId', 'GET', '/v1/{value}'],
    ['keyId', 'DELETE', '/v1/{accountId}/projects/{slug}/api-keys/{value}'],
    ['userId', 'DELETE', '/v1/{accountId}/users/{value}'],
    ['providerId', 'GET', '/v1/{accountId}/identity-providers/{value}'],
  ] as const;
  /** What is only too long names something that is not there, so nothing is wrong with the request. */
  const tooLong: Readonly<Record<string, RegExp>> = { slug: slugPattern, providerId: /^oidc\.[A-Za-z0-9._-]+$/ };
  const strange = fc.oneof(
    fc.stringMatching(/^(?:acc_|key_|usr_|oidc\.)?[A-Za-z0-9._ /~-]{1,12}$/),
    fc.string({ minLength: 1, maxLength: 80 }),
  );

  test.each(parameters)('%s agrees with its schema', async (name, method, path) => {
    const reference = document.components.parameters[name]?.schema.$ref ?? '';
    const faultOf = describedFault(document, reference.split('/').at(-1) ?? '');
    const agree = async (value: unknown) => {
      const target = filled(path.replace('{value}', encodeURIComponent(String(value))));
      const answer = await server.call(method, target, { headers: project.developer.bearer });
      expect({ value, refused: answer.status === 400, fault: faultOf(value) }).toMatchObject({
        refused: faultOf(value) !== undefined && !tooLong[name]?.test(String(value)),
      });
    };
    await fc.assert(fc.asyncProperty(fc.oneof(valuesOf(document, { $ref: reference }), strange), agree), { numRuns: 60 });
  });

  test('a cursor forbidden by its schema is refused', () => {
    const faultOf = describedFault(document, 'Cursor');
    const refuse = async (cursor: string) => {
      fc.pre(faultOf(cursor) !== undefined);
      const query = new URLSearchParams({ cursor });
      const answer = await server.call('GET', `/v1/${values.accountId}/projects?${query}`, {
        headers: project.developer.bearer,
      });
      expect([cursor, answer.status]).toEqual([cursor, 400]);
    };
    return fc.assert(fc.asyncProperty(strange, refuse), { numRuns: 60 });
  });

  test.each(['', '?cursor=', '?limit=', '?limit=2147483648', '?limit=1.5', '?limit=+5'])(
    'a list with %j',
    async (query) => {
      const answer = await server.call('GET', `/v1/${values.accountId}/projects${query}`, {
        headers: project.developer.bearer,
      });
      expect(answer.status).toBe(query === '' ? 200 : 400);
    },
  );
});

function allOperations() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

function found(operationId: string) {
  const one = allOperations().find(({ operation }) => operation.operationId === operationId);
  if (one === undefined) throw new Error(`the description has no operation ${operationId}`);
  return one;
}

const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name);

const said = ({ status, text }: Answer) => `${status} ${text.slice(0, 200)}`;
