import { describe, expect, test } from 'vitest';
import { operationOf, undeclared } from './conformance.ts';
import { type OperationId, operations } from './operations.ts';

const version = { 'api-version': '1' };
const json = { ...version, 'content-type': 'application/json' };
const record = { version: 3, state: { a: 1 }, comment: null, stateSizeBytes: 7 };
const path = '/v1/acc_1/projects/hello';
const envelope = (error: string) => JSON.stringify({ error, message: 'why' });

describe('operationOf', () => {
  test('finds every operation by its own path', () => {
    const values: Record<string, string> = { env: 'staging', endUserId: 'u%2F1', version: '3', keyId: 'k' };
    for (const [id, { method, path }] of Object.entries(operations)) {
      expect(
        operationOf(
          method,
          path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? 'acc_1'),
        ),
      ).toBe(id);
    }
  });

  test.each<[string, string, OperationId | undefined]>([
    ['HEAD', `${path}/public-state/staging`, 'readPublicState'],
    ['GET', `${path}/user-states/staging?limit=3`, 'listPlayerStates'],
    ['DELETE', `${path}/user-states/staging`, 'deletePlayerState'],
    ['GET', '/v1/api-key/info', 'readApiKeyInfo'],
    ['GET', '/v1/acc_1/usage', 'readUsage'],
    ['GET', '/v1/auth/usage', undefined],
    ['OPTIONS', `${path}/public-state/staging`, undefined],
    ['POST', `${path}/public-state/staging`, undefined],
    ['HEAD', '/v1/auth/token', undefined],
    ['GET', '/v1//projects', undefined],
    ['GET', `${path}/`, undefined],
    ['GET', '/', 'readHome'],
    ['GET', '/console/p/a/development/state', 'readConsole'],
    ['POST', '/console/p', undefined],
    ['GET', '/docs', 'readDocumentation'],
    ['GET', '/docs/reference', 'readReference'],
    ['GET', '/docs/tutorials/unity.md', 'readDocumentationPage'],
    ['GET', '/client.js', 'readClient'],
    ['HEAD', '/client.0123456789abcdef.js', 'readHashedClient'],
    ['GET', '/client..js', undefined],
    ['GET', '//', undefined],
    ['get', '/healthz', undefined],
  ])('%s %s is %s', (method, path, expected) => {
    expect(operationOf(method, path)).toBe(expected);
  });
});

describe('undeclared finds nothing in', () => {
  const unauthorized = { ...json, 'www-authenticate': 'Bearer' };
  test.each<[string, Parameters<typeof undeclared>]>([
    ['a record', ['readPublicState', 200, { ...json, etag: '"3"' }, JSON.stringify(record)]],
    ['a response to HEAD', ['readPublicState', 200, { ...json, etag: '"3"' }, '', 'HEAD']],
    ['an absent state', ['readPublicState', 204, version, '']],
    ['an unchanged state', ['readPublicState', 304, { ...version, etag: '"3"' }, '']],
    ['a list of records', ['listPublicStateVersions', 200, json, JSON.stringify([record, record])]],
    ['an empty list', ['listPublicStateVersions', 200, json, '[]']],
    ['a page', ['readReference', 200, { ...version, 'content-type': 'text/html; charset=utf-8' }, '<!doctype html>']],
    ['a redirect', ['completeAuthorize', 303, { ...version, location: 'https://a.example/cb?code=x' }, '']],
    ['an operation error code', ['patchPublicState', 400, json, envelope('patch_invalid')]],
    ['a transport error code', ['readLiveness', 431, json, envelope('headers_too_large')]],
    ['a rejected credential', ['readPublicState', 401, unauthorized, envelope('unauthorized')]],
    ['a 403 with an error code', ['readPublicState', 403, json, envelope('forbidden')]],
    ['an empty 403 for a foreign API key', ['readPublicState', 403, version, '']],
    ['a 401 without a body', ['readApiKeyInfo', 401, { ...version, 'www-authenticate': 'Bearer' }, '']],
    [
      'a conflict',
      ['patchUserState', 412, json, JSON.stringify({ error: 'version_conflict', message: 'why', currentVersion: null })],
    ],
    [
      'a quota that resets',
      ['readPublicState', 402, { ...json, 'retry-after': '9' }, '{"code":"QUOTA_API_REQUESTS","message":"why","used":1}'],
    ],
    ['a quota that does not reset', ['createProject', 402, json, '{"code":"QUOTA_PROJECTS","message":"why"}']],
    ['a token error', ['exchangeToken', 401, unauthorized, '{"error":"invalid_grant","error_description":"why"}']],
    ['a failed sign-in page', ['completeAuthorize', 400, { ...version, 'content-type': 'text/html' }, '<p>']],
    ['a transport 400 instead of a page', ['completeAuthorize', 400, json, envelope('validation_error')]],
    ['an unknown path', [undefined, 404, json, envelope('not_found')]],
    ['a method not allowed on the path', [undefined, 405, { ...json, allow: 'GET' }, envelope('method_not_allowed')]],
  ])('%s', (_, answer) => {
    expect(undeclared(...answer)).toBeUndefined();
  });
});

describe('undeclared reports', () => {
  const tagged = { ...json, etag: '"3"' };
  const text = JSON.stringify(record);
  const secret = '{"error":"svck_9fK2Zt","message":"why"}';
  test.each<[string, Parameters<typeof undeclared>]>([
    ['status 201 is not declared', ['readPublicState', 201, tagged, text]],
    ['status 412 is not declared', ['readPublicState', 412, json, envelope('version_conflict')]],
    ['status 405 is not declared', ['readPublicState', 405, json, envelope('method_not_allowed')]],
    ['status 408 is not declared', ['exchangeToken', 408, json, envelope('request_timeout')]],
    ['status 200 is not declared', [undefined, 200, json, '{}']],
    ['API-Version: 1 is missing', ['readPublicState', 200, { etag: '"3"' }, text]],
    ['API-Version: 1 is missing', ['readPublicState', 204, { 'api-version': '2' }, '']],
    ['status 200 comes without ETag', ['readPublicState', 200, json, text]],
    ['status 200 comes without ETag', ['readPublicState', 200, json, '', 'HEAD']],
    ['status 304 comes without ETag', ['readPublicState', 304, version, '']],
    ['ETag does not name the version of the body', ['readPublicState', 200, { ...json, etag: '"4"' }, text]],
    ['status 401 comes without WWW-Authenticate', ['readPublicState', 401, json, envelope('unauthorized')]],
    ['status 429 comes without Retry-After', ['readLiveness', 429, json, envelope('rate_limited')]],
    ['status 303 comes without Location', ['completeAuthorize', 303, version, '']],
    ['status 405 comes without Allow', [undefined, 405, json, envelope('method_not_allowed')]],
    ['an answer to HEAD has a body', ['readPublicState', 200, tagged, text, 'HEAD']],
    ['status 204 has a body, and none is declared', ['readPublicState', 204, version, '{}']],
    ['status 200 has no body, and one is declared', ['readPublicState', 200, tagged, '']],
    ['status 403 has no body, and one is declared', ['readUserState', 403, version, '']],
    [
      'status 401 has a body, and none is declared',
      ['readApiKeyInfo', 401, { ...json, 'www-authenticate': 'Bearer' }, envelope('unauthorized')],
    ],
    [
      'the body of status 200 is text/html, not application/json',
      ['readLiveness', 200, { ...version, 'content-type': 'text/html' }, '{"status":"ok"}'],
    ],
    ['the body of status 200 is of no media type, not application/json', ['readLiveness', 200, version, '{"status":"ok"}']],
    ['the body of status 200 is not JSON', ['readPublicState', 200, tagged, '{"version":3']],
    [
      'the body of status 200 is no PublicStateBody: /stateSizeBytes must be integer',
      ['readPublicState', 200, tagged, JSON.stringify({ ...record, stateSizeBytes: '7' })],
    ],
    [
      'the body of status 200 is no PublicStateBody: /hash is not declared',
      ['readPublicState', 200, tagged, JSON.stringify({ ...record, hash: 'x' })],
    ],
    [
      'the body of status 200 is no PublicStateBody: /1/state must be object',
      ['listPublicStateVersions', 200, json, JSON.stringify([record, { ...record, state: [] }])],
    ],
    ['the body of status 200 is no HealthBody: the root must be object', ['readLiveness', 200, json, 'null']],
    [
      'the body of status 412 is no ConflictBody: the root must have required properties currentVersion',
      ['patchUserState', 412, json, envelope('version_conflict')],
    ],
    ['code "patch_invalid" is not declared for status 400', ['replacePublicState', 400, json, envelope('patch_invalid')]],
    ['code "not_found" is not declared for status 400', ['patchPublicState', 400, json, envelope('not_found')]],
    ['code (none) is not declared for status 400', ['patchPublicState', 400, json, secret]],
    ['code (none) is not declared for status 400', ['patchPublicState', 400, json, 'null']],
    ['code "validation_error" is not declared for status 400', ['exchangeToken', 400, json, envelope('validation_error')]],
    [
      'code "QUOTA_PROJECTS" is not declared for status 402',
      ['readPublicState', 402, json, '{"code":"QUOTA_PROJECTS","message":""}'],
    ],
    [
      'QUOTA_API_REQUESTS comes without Retry-After',
      ['readPublicState', 402, json, '{"code":"QUOTA_API_REQUESTS","message":""}'],
    ],
    [
      'QUOTA_PROJECTS comes with Retry-After',
      ['createProject', 402, { ...json, 'retry-after': '9' }, '{"code":"QUOTA_PROJECTS","message":""}'],
    ],
  ])('%s', (expected, answer) => {
    expect(undeclared(...answer)).toBe(expected);
  });
});
