import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appUri, expectTokenError, openWorld, tokensOf, verifier, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_BODY_TIMEOUT_SECONDS: '1' } });
});
afterAll(() => world.stop());

const formType = 'application/x-www-form-urlencoded';
const post = (body: string | Uint8Array, type: string | undefined = formType) =>
  world.server.call('POST', '/v1/auth/token', { headers: type === '' ? {} : { 'Content-Type': type }, body });

describe('the form of the token endpoint', () => {
  it.each(['grant_type', 'client_id', 'code', 'code_verifier', 'redirect_uri', 'anything'])(
    'is refused with a duplicate %s, and the code stays valid',
    async (name) => {
      const code = await world.newCode();
      const form = Object.entries({
        anything: 'x',
        grant_type: 'authorization_code',
        client_id: world.project.clientId,
        code,
        code_verifier: verifier,
        redirect_uri: appUri,
      });
      const [, value] = form.find(([field]) => field === name) as [string, string];
      expectTokenError(await world.token([...form, [name, value]]), 400, 'invalid_request');
      tokensOf(await world.redeem(code, { anything: 'else' }));
    },
  );

  it.each(['', 'text/plain', 'application/json', `${formType}; charset=latin1`, 'multipart/form-data; boundary=x'])(
    'is refused as "%s"',
    async (type) => expectTokenError(await post('grant_type=refresh_token', type), 400, 'invalid_request'),
  );

  it.each([formType, `${formType};charset=UTF-8`, `${formType}; charset="utf-8"`, formType.toUpperCase()])(
    'is read as %s',
    async (type) =>
      expectTokenError(await post('grant_type=x&client_id=svc-developer', type), 400, 'unsupported_grant_type'),
  );

  it.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['JSON', '{"grant_type":"refresh_token"}'],
    ['invalid UTF-8', Uint8Array.of(0x61, 0x3d, 0xff)],
    ['larger than 64 KiB', `grant_type=refresh_token&fill=${'x'.repeat(65_536)}`],
    ['of more than 100 parameters', `grant_type=x&client_id=svc-developer${'&a'.repeat(99)}`],
  ])('is invalid_request when it is %s', async (_, body) => {
    expectTokenError(await post(body), 400, 'invalid_request');
  });

  it('gets its own error if it begins with a byte order mark', async () => {
    const answer = await post('\ufeffgrant_type=refresh_token&client_id=svc-developer');
    expectTokenError(answer, 400, 'invalid_request');
    expect(answer.json).toMatchObject({ error_description: expect.stringContaining('byte order mark') });
  });

  it('may have 100 parameters', async () => {
    const names = Array.from({ length: 98 }, (_, n) => `&a${n}=`).join('');
    expectTokenError(await post(`grant_type=x&client_id=svc-developer${names}`), 400, 'unsupported_grant_type');
  });

  it('may be 64 KiB', async () => {
    const form = 'grant_type=x&client_id=svc-developer&fill=';
    expectTokenError(await post(form.padEnd(65_536, 'x')), 400, 'unsupported_grant_type');
  });

  it('is invalid_request if it does not arrive in time', async () => {
    const { hostname, port } = new URL(world.server.baseUrl);
    const headers = { 'Content-Type': formType, 'Content-Length': '100' };
    const request = httpRequest({ hostname, port, method: 'POST', path: '/v1/auth/token', headers });
    request.on('error', () => {});
    request.write('grant_type=');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(response.statusCode).toBe(400);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' });
    request.destroy();
  });

  it('may have an unrelated Authorization header, which is ignored', async () => {
    const form = { grant_type: 'authorization_code', client_id: world.project.clientId, code: await world.newCode() };
    const answer = await world.server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': formType, Authorization: 'Basic Zzpn' },
      body: new URLSearchParams({ ...form, code_verifier: verifier, redirect_uri: appUri }).toString(),
    });
    tokensOf(answer);
  });
});

describe('the form of the callback', () => {
  it.each([
    ['application/json', '{}', 415, 'unsupported_media_type'],
    [formType, 'x'.repeat(65_537), 413, 'payload_too_large'],
    [formType, Uint8Array.of(0xff), 400, 'validation_error'],
  ])('as %s is refused in the envelope (%#)', async (type, body, status, error) => {
    const answer = await world.server.call('POST', '/v1/auth/authorize/callback', {
      headers: { 'Content-Type': type },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ error });
  });
});
