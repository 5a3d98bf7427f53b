/**
 * Every text input of every route, each with the largest text of each kind: generated from the operations table, the schemas of bodies, and
 * the real forms of the login pages.
 */
import { type Operation, operations } from '@holdfast/contract';
import { components } from '@holdfast/contract/schemas';
import { readParameters } from '../../packages/server/src/common/requests/form-parameters.ts';
import { signInOf } from '../../packages/server/src/login/which-sign-in.ts';
import { unescaped } from '../../tooling/forms.ts';
import { authorizeQuery, openBrowser } from './browser.ts';
import type { Target } from './case.ts';
import { hostileText, type TextKind } from './hostile-text.ts';
import { wholeRequest } from './wire.ts';

/** A text input in one request. */
export interface Input {
  readonly name: string;
  /** A small run tries only a few of such inputs. */
  readonly isCommon: boolean;
  request(kind: TextKind): Buffer;
}

/** The size that fits with the rest of a request. */
const headBytes = 15_000;
const formBytes = 64_000;
const recordBytes = 130_000;

const headerNames = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Cookie',
  'Host',
  'If-Match',
  'If-None-Match',
  'Origin',
  'Access-Control-Request-Headers',
  'Sec-Fetch-Site',
  'Traceparent',
  'Tracestate',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Request-Id',
  'Range',
  'Referer',
  'Via',
];
const cookieNames = ['browser', 'device', 'flow', 'request', 'sign_up'];
/** Query parameters of login pages and sign-in routes, in addition to those that their operations declare. */
const queryNames = [
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'response_type',
  'login_hint',
  'prompt',
  'ui_locales',
  'token',
  'code',
  'error',
  'unknown',
];

/** This many developers of the account take turns, each below its limit. */
const developers = 50;

/** All inputs. The target must allow sign-in. */
export async function inputsOf(given: Target): Promise<readonly Input[]> {
  const { operator, accountId, nextAddress } = given;
  const tokens = await Promise.all(
    Array.from({ length: developers }, () => operator.developerToken(accountId, `asking-${nextAddress()}`)),
  );
  let asked = 0;
  const target: Target = {
    ...given,
    get developerToken() {
      return tokens[asked++ % developers] as string;
    },
  };
  const routes: readonly Operation[] = Object.values(operations);
  return [
    ...(await formInputs(target)),
    ...routes.flatMap((route) => [
      ...bodyInputs(route, target),
      ...pathInputs(route, target),
      ...(route.access.length === 0
        ? [...queryInputs(route, target), ...headerInputs(route, target)]
        : cursorInputs(route, target)),
    ]),
  ];
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
/** As sent by a client that does not escape: only characters that would end the request line are left out. */
const inTarget = (text: string) => latin1(text.replaceAll(' ', '+'));

const samples = ({ accountId, slug }: Target): Readonly<Record<string, string>> => ({
  accountId,
  slug,
  env: 'development',
  envOrEndUserId: 'development',
  version: '1',
  keyId: 'key_0000000000000000000000',
  providerId: 'oidc.siege',
});

const pathOf = (route: Operation, target: Target, changed?: { name: string; text: string }) =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === changed?.name ? changed.text : (samples(target)[name] ?? 'x'),
  );

function credential({ access, needs }: Operation, target: Target): Readonly<Record<string, string>> {
  if (access.length === 0) return {};
  return { Authorization: needs !== undefined ? `Bearer ${target.developerToken}` : `ApiKey ${target.apiKey}` };
}

function queryInputs(route: Operation, target: Target): Input[] {
  const declared = Object.keys(route.query ?? {});
  const names = route.page || declared.length > 0 ? [...new Set([...declared, ...queryNames])] : ['unknown'];
  return names.map((name) => ({
    name: `${route.method} ${route.path} ?${name}`,
    isCommon: true,
    request: (kind) => {
      const others = Object.entries(authorizeQuery(target)).filter(([other]) => other !== name);
      const query = `${new URLSearchParams(others)}&${name}=${inTarget(hostileText(kind, headBytes - 500))}`;
      return wholeRequest(route.method, `${pathOf(route, target)}?${query}`, target.host);
    },
  }));
}

function headerInputs(route: Operation, target: Target): Input[] {
  const query = new URLSearchParams(authorizeQuery(target));
  const input = (name: string, header: string, prefix: string): Input => ({
    name: `${route.method} ${route.path}, ${name}`,
    isCommon: true,
    request: (kind) => {
      const text = `${prefix}${latin1(hostileText(kind, headBytes - 700))}`;
      const { Host = target.host, ...headers } = { [header]: text };
      return wholeRequest(route.method, `${pathOf(route, target)}?${query}`, Host, { headers });
    },
  });
  return [
    ...headerNames.map((name) => input(name, name, name === 'Authorization' ? 'Bearer ' : '')),
    ...(route.page ? cookieNames.map((name) => input(`cookie ${name}`, 'Cookie', `holdfast_${name}=`)) : []),
  ];
}

function pathInputs(route: Operation, target: Target): Input[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name: `${route.method} ${route.path} {${name}}`,
    isCommon: false,
    request: (kind) => {
      const path = pathOf(route, target, { name, text: inTarget(hostileText(kind, headBytes - 1_500)) });
      return wholeRequest(route.method, path, target.host, { headers: credential(route, target) });
    },
  }));
}

function cursorInputs(route: Operation, target: Target): Input[] {
  return Object.keys(route.query ?? {}).map((name) => ({
    name: `${route.method} ${route.path} ?${name}`,
    isCommon: false,
    request: (kind) => {
      const query = `${name}=${inTarget(hostileText(kind, headBytes - 1_500))}`;
      return wholeRequest(route.method, `${pathOf(route, target)}?${query}`, target.host, {
        headers: credential(route, target),
      });
    },
  }));
}

/** Each member of the body, with a text, and with an array of many texts. */
function bodyInputs(route: Operation, target: Target): Input[] {
  const { body } = route;
  if (body === undefined || route.precondition) return [];
  const { properties = {} } = components[body.schema] as { readonly properties?: Readonly<Record<string, unknown>> };
  const isForm = body.mediaType === 'application/x-www-form-urlencoded';
  const request = (content: string) =>
    wholeRequest(route.method, pathOf(route, target), target.host, {
      headers: { ...credential(route, target), 'Content-Type': body.mediaType },
      body: content,
    });
  const textOf = (name: string, kind: TextKind) =>
    isForm ? formWith({}, name, kind) : JSON.stringify({ [name]: escapedText(kind, recordBytes) });
  const named = (name: string, content: (kind: TextKind) => string): Input => ({
    name: `${route.method} ${route.path} ${name}`,
    isCommon: false,
    request: (kind) => request(content(kind)),
  });
  const lists = (name: string) => (kind: TextKind) =>
    `{${JSON.stringify(name)}:[${`${JSON.stringify(hostileText(kind, 20))},`.repeat(2_500)}0]}`;
  return Object.keys(properties).flatMap((name) => [
    named(name, (kind) => textOf(name, kind)),
    ...(isForm ? [] : [named(`${name}[]`, lists(name))]),
  ]);
}

/** Leaves room for JSON escapes. */
function escapedText(kind: TextKind, bytes: number): string {
  const growth = JSON.stringify(kind.piece).length - 2 > kind.piece.length ? 2 : 1;
  return hostileText(kind, (bytes - 100) / growth);
}

function formWith(held: Readonly<Record<string, string>>, name: string, kind: TextKind): string {
  const others = new URLSearchParams(Object.entries(held).filter(([other]) => other !== name));
  const text = hostileText(kind, formBytes - String(others).length);
  return `${others}&${name}=${text.replaceAll(' ', '+')}`;
}

const pagePaths = ['/authorize', '/authorize/sign-up', '/authorize/forgot', '/authorize/confirm', '/authorize/reset'];

/** Every field of every form that the login pages show to a new visitor. */
async function formInputs(target: Target): Promise<Input[]> {
  const browser = openBrowser(target);
  // A page with an unknown form is requested by its route; the page of a pending sign-up needs its cookie.
  const waiting = Buffer.from(JSON.stringify({ signUp: 'x', email: 'a@siege.example' })).toString('base64url');
  const query = String(new URLSearchParams(authorizeQuery(target)));
  browser.cookies.set(`holdfast_sign_up-${signInOf(readParameters(query))}`, waiting);
  const inputs: Input[] = [];
  for (const path of pagePaths) {
    const { text } = await browser.get(`${path}?${query}`);
    for (const { action, fields } of formsIn(text)) {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie };
      const { pathname } = new URL(action, target.baseUrl);
      for (const name of Object.keys(fields)) {
        inputs.push({
          name: `POST ${pathname} ${name}`,
          isCommon: false,
          request: (kind) => wholeRequest('POST', action, target.host, { headers, body: formWith(fields, name, kind) }),
        });
      }
    }
  }
  return [...new Map(inputs.map((input) => [input.name, input])).values()];
}

interface Form {
  readonly action: string;
  /** All fields, with plausible values for those to fill in. */
  readonly fields: Readonly<Record<string, string>>;
}

const filledIn: Readonly<Record<string, string>> = {
  email: 'a@siege.example',
  password: 'a lantern in the siege',
  code: '123456',
};

function formsIn(page: string): Form[] {
  return [...page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', content = '']) => {
    const fields = [...content.matchAll(/<input([^>]*)>/g)].map(([, input = '']) => {
      const name = / name="([^"]*)"/.exec(input)?.[1] ?? '';
      return [name, unescaped(/ value="([^"]*)"/.exec(input)?.[1] ?? filledIn[name] ?? '')] as const;
    });
    return {
      action: unescaped(/ action="([^"]*)"/.exec(attributes)?.[1] ?? ''),
      fields: Object.fromEntries(fields.filter(([name]) => name !== '')),
    };
  });
}
