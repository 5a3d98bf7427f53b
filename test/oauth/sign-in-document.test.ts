/** Runs the program in docs/sign-in.md, in place of a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { signInAt } from './login-page.ts';
import { audience, type OidcIssuer, startOidcIssuer } from './oidc-issuer.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/sign-in.md'), 'utf8');

let issuer: OidcIssuer;
let server: TestServer;
let project: Project;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  server = await startServer({ settings: { SVC_IDP_ISSUER: issuer.issuer, SVC_IDP_AUDIENCE: audience } });
  project = await server.newProject();
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
});

/** Parts of the program: the beginning, and the code after each numbered comment. */
function partsOfProgram(clientId: string): readonly [string, string, string, string] {
  const program = /^```js\n([\s\S]*?)^```/m.exec(page.slice(page.indexOf('## In a web page')))?.[1] ?? '';
  const runnable = program
    .replace(/^import .*$/m, '')
    .replace('acc_….hello', clientId)
    .replace("{ algorithm: 'oauth2' }", "{ algorithm: 'oauth2', execute: [client.allowInsecureRequests] }");
  const [first, ...rest] = runnable.split(/^(?=\/\/ [123]\. )/m);
  expect(rest).toHaveLength(3);
  return [first, ...rest] as [string, string, string, string];
}

test('the page switches sign-in on, and the program signs in a player, with email and name kept by a refresh', async () => {
  const body =
    /-d '(\{[\s\S]*?\})' "\$HOLDFAST_URL\/v1\/\$HOLDFAST_ACCOUNT_ID\/projects\/hello\/auth\/end-user\/config"/.exec(page);
  const headers = project.developer.bearer;
  const path = `${project.path}/auth/end-user/config`;
  const settings = JSON.parse(body?.[1] as string);
  expect((await server.call('PUT', path, { headers, body: settings })).status).toBe(200);

  const [first, leave, comeBack, refresh] = partsOfProgram(`${project.developer.accountId}.${project.slug}`);
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (name: string) => kept.get(name),
    setItem: (name: string, value: string) => kept.set(name, value),
  };
  const location = { href: '' };
  const names = ['client', 'HOLDFAST_URL', 'sessionStorage', 'location'];
  const given = [openid, server.baseUrl, sessionStorage, location];
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await new AsyncFunction(...names, first + leave)(...given);
  const ada = { subject: 'ada', email: 'ada@example.com', name: 'Ada' };
  location.href = (await signInAt(new URL(location.href), server, issuer, ada)).href;
  const program = `${first}${comeBack}const before = tokens.refresh_token;${refresh}return { tokens, before };`;
  const { tokens, before } = await new AsyncFunction(...names, program)(...given);
  expect(tokens.refresh_token).not.toBe(before);
  expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'ada', email: 'ada@example.com', name: 'Ada' });
});
