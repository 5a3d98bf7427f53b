/** Writes repeated with their key are carried out once. @see docs/contract.md §4.8 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import type { Answer } from '../support/client.ts';
import { connectRaw } from '../support/raw.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { add, documentAt, publicDocumentOf, userDocumentOf, writeTogether } from './idempotency.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const publicDocument = (given?: Project) => publicDocumentOf(server, given);
const userDocument = (given?: Project, userId?: string) => userDocumentOf(server, given, userId);

const error = ({ status, json }: Answer) => [status, (json as { error: string }).error];

describe.each([
  ['PUT of public state', 'PUT', publicDocument, (n: number) => ({ state: { n }, comment: `comment ${n}` })],
  ['PATCH of public state', 'PATCH', publicDocument, (n: number) => ({ ...add('/n', n), comment: `comment ${n}` })],
  ['PATCH of user state', 'PATCH', userDocument, (n: number) => add('/n', n)],
] as const)('a repeated %s', (_name, method, newDocument, bodyOf) => {
  test('gets the first response while its version is current', async () => {
    const document = await newDocument();
    const first = await document.send(method, null, bodyOf(1), 'create');
    expect(first.status).toBe(200);
    for (let n = 0; n < 3; n++) {
      const again = await document.send(method, null, bodyOf(1), 'create');
      expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, '"1"']);
    }
    const second = await document.send(method, 1, bodyOf(2), 'change');
    expect((await document.send(method, 1, bodyOf(2), 'change')).text).toBe(second.text);
    expect(await document.versionNow()).toBe(2);
  });

  test('names its version once that is outdated', async () => {
    const document = await newDocument();
    await document.send(method, null, bodyOf(1), 'create');
    await document.send(method, 1, bodyOf(2));
    await document.send(method, 2, bodyOf(3));
    const again = await document.send(method, null, bodyOf(1), 'create');
    expect([again.status, again.headers.etag]).toEqual([412, '"3"']);
    const message = expect.stringContaining('version 1');
    expect(again.json).toEqual({ error: 'version_conflict', message, currentVersion: 3, appliedVersion: 1 });
    const other = await document.send(method, null, bodyOf(1), 'never-sent');
    expect(other.json).toEqual({ error: 'version_conflict', message: expect.any(String), currentVersion: 3 });
    expect(await document.versionNow()).toBe(3);
  });

  test('is refused with another body or precondition', async () => {
    const document = await newDocument();
    await document.send(method, null, bodyOf(1), 'a');
    await document.send(method, 1, bodyOf(2), 'b');
    for (const [version, body] of [
      [null, bodyOf(2)],
      [1, bodyOf(1)],
      [2, bodyOf(1)],
      [7, bodyOf(1)],
    ] as const) {
      expect(error(await document.send(method, version, body, 'a'))).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await document.versionNow()).toBe(2);
  });

  test('of 10 simultaneous ones is carried out once, and all get the same version', async () =>
    writeTogether(await newDocument(), method, bodyOf, 10));

  test('is not remembered if it failed', async () => {
    const document = await newDocument();
    expect(error(await document.send(method, 1, bodyOf(2), 'key'))).toEqual([412, 'version_conflict']);
    await document.send(method, null, bodyOf(1));
    const written = await document.send(method, 1, bodyOf(2), 'key');
    expect([written.status, written.headers.etag]).toEqual([200, '"2"']);
    expect((await document.send(method, 1, bodyOf(2), 'key')).status).toBe(200);
    expect(await document.versionNow()).toBe(2);
  });

  test('is looked up after the JSON checks, and before the precondition', async () => {
    const document = await newDocument();
    await document.send(method, null, bodyOf(1), 'key');
    const json = { 'Content-Type': 'application/json' };
    expect(error(await document.send(method, null, '{', 'key', json))).toEqual([400, 'validation_error']);
    expect(error(await document.send(method, null, '[]', 'key', json))).toEqual([400, 'validation_error']);
    const both = { 'If-Match': '"1"', 'If-None-Match': '*' };
    expect(error(await document.send(method, 1, bodyOf(1), 'key', both))).toEqual([422, 'idempotency_key_reused']);
    expect(error(await document.send(method, 0, bodyOf(1), 'key'))).toEqual([422, 'idempotency_key_reused']);
    expect(error(await document.send(method, 1, bodyOf(1), 'another', both))).toEqual([412, 'version_conflict']);
    if (method === 'PUT') {
      const large = { state: { text: 'x'.repeat(260_000) } };
      expect(error(await document.send(method, 1, large, 'key'))).toEqual([422, 'idempotency_key_reused']);
    } else {
      const missing = { ops: [{ op: 'remove', path: '/missing' }] };
      expect(error(await document.send(method, 1, { ops: [{ op: 'copy' }] }, 'key'))[0]).toBe(400);
      expect(error(await document.send(method, 1, missing, 'key'))).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await document.versionNow()).toBe(1);
  });

  test('gets the same response for a large document', async () => {
    const document = await newDocument();
    const text = 'é'.repeat(120_000);
    const body = method === 'PUT' ? { state: { text } } : add('/text', text);
    const answers = await Promise.all(Array.from({ length: 4 }, () => document.send(method, null, body, 'large')));
    expect(answers.map(({ status, headers }) => `${status} ${headers.etag}`)).toEqual(Array(4).fill('200 "1"'));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });
});

describe('a key', () => {
  test('identifies another request if the method differs', async () => {
    const document = await publicDocument();
    await document.send('PUT', null, { state: {} }, 'key');
    expect(error(await document.send('PATCH', null, add('/a', 1), 'key'))).toEqual([422, 'idempotency_key_reused']);
  });

  test('belongs to one API key or developer, across their tokens', async () => {
    const project = await server.newProject();
    const { developer } = project;
    const [one, two] = [await publicDocument(project), await publicDocument(project)];
    expect((await one.send('PUT', null, { state: { by: 1 } }, 'key')).headers.etag).toBe('"1"');
    expect((await two.send('PUT', 1, { state: { by: 2 } }, 'key')).headers.etag).toBe('"2"');
    const path = `${project.path}/public-state/production`;
    const tokens = await Promise.all(
      [900, 901].map((seconds) =>
        server.running.accessTokens.signDeveloperToken({
          accountId: developer.accountId,
          subject: 'operator',
          actsAs: 'operator',
          seconds,
        }),
      ),
    );
    for (const token of tokens) {
      const written = await documentAt(server, project, path, `Bearer ${token}`).send(
        'PUT',
        2,
        { state: { by: 3 } },
        'key',
      );
      expect([written.status, written.headers.etag]).toEqual([200, '"3"']);
    }
  });

  test('belongs to one document', async () => {
    const project = await server.newProject();
    const { apiKey } = await server.newApiKey(project);
    for (const environment of ['development', 'staging', 'production']) {
      const document = documentAt(server, project, `${project.path}/public-state/${environment}`, `ApiKey ${apiKey}`);
      expect((await document.send('PUT', null, { state: { environment } }, 'key')).status).toBe(200);
    }
    const [ada, bob] = [await userDocument(project, 'ada'), await userDocument(project, 'bob')];
    expect((await ada.send('PATCH', null, add('/a', 1), 'key')).status).toBe(200);
    expect((await bob.send('PATCH', null, add('/a', 2), 'key')).status).toBe(200);
  });

  test('is deleted with its player, and with its project', async () => {
    const project = await server.newProject();
    const { bearer, accountId } = project.developer;
    const [ada, shared] = [await userDocument(project, 'ada'), await publicDocument(project)];
    await ada.send('PATCH', null, add('/a', 1), 'key');
    await server.call('DELETE', `${project.path}/user-states/ada`, { headers: bearer });
    expect((await ada.send('PATCH', null, add('/a', 1), 'key')).headers.etag).toBe('"2"');
    const path = `${project.path}/public-state/production`;
    const asDeveloper = documentAt(server, project, path, bearer.Authorization);
    await shared.send('PUT', null, { state: {} }, 'key');
    await asDeveloper.send('PUT', 1, { state: {} }, 'key');
    await server.call('DELETE', project.path, { headers: bearer });
    await server.call('POST', `/v1/${accountId}/projects`, { headers: bearer, body: { slug: project.slug } });
    const written = await asDeveloper.send('PUT', null, { state: { again: true } }, 'key');
    expect([written.status, written.headers.etag]).toEqual([200, '"3"']);
  });

  test('is remembered even after the account’s storage is full', async () => {
    const project = await server.newProject();
    const document = await publicDocument(project);
    const body = { state: { text: 'x'.repeat(1_000) } };
    await document.send('PUT', null, body, 'key');
    await server.running.store.writeOwnLimits(byOperator, project.developer.accountId, { storageBytes: 100 });
    expect((await document.send('PUT', null, body, 'key')).status).toBe(200);
    expect((await document.send('PUT', 1, body, 'another')).status).toBe(402);
  });

  test.each(['x', '!'.repeat(255), '"quoted"', randomUUID()])('%.40s is well-formed', async (key) => {
    const document = await publicDocument();
    expect((await document.send('PUT', null, { state: {} }, key)).status).toBe(200);
  });

  test.each(['', 'x'.repeat(256), 'two words', 'tab\there', 'caf\u00e9', '\u00a0'])(
    '%.40j is refused before the body is read',
    async (key) => {
      const document = await publicDocument();
      const refused = await document.send('PUT', null, '{', key, { 'Content-Type': 'application/json' });
      expect(error(refused)).toEqual([400, 'validation_error']);
      expect((refused.json as { message: string }).message).toContain('Idempotency-Key');
      expect(await document.versionNow()).toBeNull();
    },
  );

  test('is refused if sent twice', async () => {
    const project = await server.newProject();
    const { apiKey } = await server.newApiKey(project);
    const { host } = new URL(server.baseUrl);
    const head = [
      `PUT ${project.path}/public-state/production HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: ApiKey ${apiKey}`,
      'If-None-Match: *',
      'Content-Type: application/json',
      'Idempotency-Key: a',
      'Idempotency-Key: a',
      'Content-Length: 12',
      'Connection: close',
    ];
    const connection = await connectRaw(server.baseUrl);
    connection.send(`${head.join('\r\n')}\r\n\r\n{"state":{}}`);
    const answer = await connection.answer();
    connection.close();
    expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  });

  test('may be sent by pages from other origins', async () => {
    const preflight = await server.call('OPTIONS', '/v1/acc_1/projects/p/public-state/production', {
      headers: { Origin: 'https://game.example', 'Access-Control-Request-Method': 'PUT' },
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('Idempotency-Key');
  });
});
