import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describedOperations } from '@holdfast/contract';
import { type OpenApi, openApiDocument } from '@holdfast/contract/openapi';
import { describe, expect, test } from 'vitest';
import { curlCommand } from './curl.ts';
import { referenceOf } from './page.ts';
import { programsOf } from './programs.ts';
import { exampleRequest } from './request.ts';

const baseUrl = 'http://127.0.0.1:8787';
const document = openApiDocument({ baseUrl });
const built = referenceOf(document);
/** A page as served. */
const served = (slug: string) =>
  readFileSync(new URL(`../../dist/${slug}.html`, import.meta.url), 'utf8').replaceAll('__BASE_URL__', baseUrl);
const slugs = [built.first, ...built.subjects].map(({ slug }) => slug);
const pages = new Map(slugs.map((slug) => [slug, served(slug)]));
const first = served('reference');
/** A page without its frame. */
const mainOf = (page: string) => page.slice(page.indexOf('<div class="reference"'), page.indexOf('<footer>'));
const subjectOf = (id: string) =>
  built.subjects.find(({ operations }) => operations.some(({ operation }) => operation.operationId === id))?.slug ?? '';
const pageOf = (id: string) => pages.get(subjectOf(id)) ?? '';
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");

/** The text about an operation. */
function article(id: string): string {
  const [, content] = pageOf(id).split(`<article id="${id}">`);
  if (content === undefined) throw new Error(`no page has an article ${id}`);
  return textOf(content.slice(0, content.indexOf('</article>')));
}

function matches(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, group = '']) => group);
}

describe('the reference', () => {
  test.each(describedOperations)('shows %s with its method and path, and links to it', (id, { method, path, summary }) => {
    const template = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
    expect(template(article(id))).toContain(`${method} ${template(path)}\n`);
    expect(pageOf(id)).toContain(`<li><a href="#${id}">${summary.replaceAll("'", '&#39;')}</a></li>`);
    const link = `<a id="${id}" href="${subjectOf(id)}#${id}">`;
    expect(textOf(first.split(link)[1]?.split('</a>')[0] ?? '')).toBe(`${method} ${summary}`);
  });

  test('gives the versions of the interface and of the program', () => {
    expect(textOf(mainOf(first))).toContain(
      'Version 1.0.0 of the interface, served by Holdfast __VERSION__ at http://127.0.0.1:8787',
    );
  });

  test('gives the credentials of an operation', () => {
    expect(article('readPublicState')).toContain('Called with developer token or API key');
    expect(article('readUserState')).toContain('Called with end user token');
    expect(article('exchangeToken')).toContain('Anyone, without a credential');
  });

  test('shows fields with their types and limits', () => {
    const patch = article('patchPublicState');
    expect(patch).toContain('slug path, string (at most 64 characters) like ^[a-z0-9]+(?:[-_][a-z0-9]+)*$');
    expect(patch).toContain('ops array (at least 1 item) of:');
    expect(patch).toContain('op "add" or "remove" or "replace"');
    expect(patch).toContain('value any JSON value');
    expect(patch).toContain('comment string (at most 1,000 characters) or null, optional');
    expect(article('createApiKey')).toContain('environments array (1 to 3 items, no two alike) of "development" or');
    expect(article('createApiKey')).toContain('expiresAt date and time or null, optional');
    expect(article('listPublicStateVersions')).toContain('array of:version integer (at least 1)');
  });

  test('shows statuses, codes and their meanings', () => {
    expect(article('patchPublicState')).toContain('patch_path_not_found: The target');
    expect(article('replacePublicState')).toMatch(/412 version_conflict/);
    expect(article('readPublicState')).toContain('The API key belongs to another project. There is no body.');
    expect(article('readPublicState')).toContain('204 Nothing has been written to this environment. no body');
    expect(article('exchangeToken')).toContain('unsupported_grant_type');
    const everywhere = first.slice(first.indexOf('id="errors-of-all"'));
    for (const status of ['429', '431', '500', '503']) expect(everywhere).toContain(`<th scope="row">${status}</th>`);
  });

  test.each(slugs)('%s is less than 25,000 bytes to load', (slug) => {
    expect(gzipSync(served(slug)).length).toBeLessThan(25_000);
  });
});

describe('the safety of the reference', () => {
  test.each(slugs)('%s runs nothing and fetches nothing', (slug) => {
    const main = mainOf(served(slug));
    expect(main).not.toMatch(
      /<script|<link|<img|<iframe|<object|<form|<style|<[^>]*\s(?:on\w+|style|src)=|@import|javascript:/i,
    );
    const isOwn = (link: string) => link === '../openapi.json' || slugs.includes(link.replace(/^\.\.\/|#.*/g, ''));
    expect(matches(main, /href="([^"#][^"]*)"/g).filter((link) => !isOwn(link))).toEqual([]);
  });

  test('escapes every text of the document', () => {
    const attack = `</style><img src=x onerror="alert('1')">&`;
    const poison = (value: unknown, key?: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => poison(item, key));
      if (typeof value === 'object' && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poison(part, name)]));
      }
      const isText = typeof value === 'string' && !['$ref', 'in', 'tags', 'name'].includes(key ?? '');
      return isText ? value + attack : value;
    };
    const parts = referenceOf(poison(document) as OpenApi);
    const poisoned = [parts.first, ...parts.subjects].map(({ content }) => content.text).join('');
    expect(poisoned.split('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;').length).toBeGreaterThan(300);
    expect(poisoned).not.toContain('<img');
    expect(poisoned).not.toContain('</style>');
  });
});

describe.each(slugs)('the accessibility of %s', (slug) => {
  const page = served(slug);
  const main = mainOf(page);

  test('closes every element in order', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['link', 'meta', 'wbr', 'img'].includes(name)) continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('has landmarks, a language, a viewport, and a skip link before everything else', () => {
    for (const landmark of [
      '<html lang="en"',
      '<nav id="menu" aria-label="Documentation">',
      '<header',
      '<main id="content"',
      '<footer>',
    ]) {
      expect(page.split(landmark)).toHaveLength(2);
    }
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(page).toMatch(/<body>\s*<a class="skip" href="#content">/);
  });

  test('links only to existing, unique targets on the page', () => {
    const ids = matches(page, /\sid="([^"]+)"/g);
    expect(ids).toEqual([...new Set(ids)]);
    expect(matches(page, /href="#([^"]+)"/g).filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('has one first heading and skips no level', () => {
    const levels = [...main.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('has no empty list', () => {
    expect(page).not.toMatch(/<ul[^>]*>\s*<\/ul>/);
  });
});

describe('the programs on the reference page', () => {
  const requests = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      request: exampleRequest(document, method, path, operation),
    })),
  );

  test.each(requests)('in TypeScript, for $id, send the same as the command', async ({ request }) => {
    const sent: { url: string; method: string; headers: Record<string, string>; body: unknown }[] = [];
    const fetchLike = async (url: string, init: RequestInit) => {
      const body =
        init.body instanceof URLSearchParams ? Object.fromEntries(init.body) : init.body && JSON.parse(String(init.body));
      sent.push({ url, method: String(init.method), headers: { ...(init.headers as Record<string, string>) }, body });
      return new Response('');
    };
    const variables = new Proxy({}, { get: (_, name) => `$${String(name)}` });
    expect(/\benv\./.test(programsOf(request).TypeScript ?? '')).toBe(
      programsOf(request).TypeScript?.startsWith('import { env }'),
    );
    const program = new Function(
      'fetch',
      'env',
      'console',
      `return (async () => { ${programsOf(request).TypeScript?.replace(/^import .*\n/, '')} })();`,
    );
    await program(fetchLike, variables, { log: () => {} });
    const { url, method, headers, body } = request;
    expect(sent).toEqual([
      {
        url,
        method,
        headers: {
          ...Object.fromEntries(headers),
          ...(body !== undefined && 'json' in body && { 'Content-Type': 'application/json' }),
        },
        body: body === undefined ? undefined : 'json' in body ? body.json : Object.fromEntries(body.form),
      },
    ]);
  });

  test('in Python have values in Python syntax', () => {
    const { request } = requests.find(({ id }) => id === 'createApiKey') ?? {};
    const program =
      request && programsOf({ ...request, body: { json: { a: null, b: [true, 1], c: {}, d: '$KEY' } } }).Python;
    expect(program).toContain(
      'json={\n      "a": None,\n      "b": [\n        True,\n        1,\n      ],\n      "c": {},\n      "d": os.environ["KEY"],\n    },',
    );
    expect(program).toMatch(/^import os\n\nimport requests\n/);
  });

  test('in C# have texts and variables in the right positions', () => {
    const { request } = requests.find(({ id }) => id === 'patchPublicState') ?? {};
    const program = request && programsOf(request)['C#'];
    expect(program).toContain(
      'TryAddWithoutValidation("Authorization", "ApiKey " + Environment.GetEnvironmentVariable("API_KEY"))',
    );
    expect(program).toContain('TryAddWithoutValidation("If-Match", "\\"');
    expect(program).toContain('request.Content = new StringContent("{\\"ops\\":[');
  });
});

describe('the commands on the reference page', () => {
  /** The words into which a POSIX shell splits a command, without running curl. */
  function wordsOf(command: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    const env = {
      ACCESS_TOKEN: 'token',
      API_KEY: 'key',
      CODE: 'code',
      REFRESH_TOKEN: 'refresh',
      ID_TOKEN: 'id',
      CLIENT_SECRET: 's',
      INVITATION: 'invitation',
    };
    return execFileSync('/bin/sh', ['-euc', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
  }
  const commandOf = (id: string) => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.operationId === id) return curlCommand(exampleRequest(document, method, path, operation));
      }
    }
    throw new Error(`the description has no operation ${id}`);
  };
  const project = `${baseUrl}/v1/acc_4Zt9QmX2vKc7RbY1nLs8Wd/projects/hello`;

  test.each(describedOperations)('for %s can be read by a shell, with every parameter filled in', (id) => {
    const words = wordsOf(commandOf(id));
    expect(words.find((word) => word.startsWith(baseUrl))).not.toMatch(/[{}]|%7B/);
    const text = pageOf(id).slice(pageOf(id).indexOf(`<article id="${id}">`));
    expect(textOf(text)).toContain(textOf(commandOf(id).replaceAll('&', '&amp;')));
  });

  test('send the example with its precondition and credential', () => {
    expect(wordsOf(commandOf('replacePublicState'))).toEqual([
      '-i',
      '-X',
      'PUT',
      `${project}/public-state/development`,
      '-H',
      'Authorization: ApiKey key',
      '-H',
      'If-Match: "3"',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(document.components.schemas.CreateConfigBody?.examples?.[0], null, 2),
    ]);
  });

  test('name the environment or the end user if they share a path', () => {
    expect(wordsOf(commandOf('listPlayerStates'))).toContain(`${project}/user-states/development`);
    expect(wordsOf(commandOf('deletePlayerState'))).toContain(`${project}/user-states/u_81f0c2`);
  });

  test('use shell variables in forms and bodies', () => {
    expect(wordsOf(commandOf('exchangeToken'))).toContain('code=code');
    expect(wordsOf(commandOf('logOut'))).toContain('{"refreshToken":"refresh"}');
  });

  test('encode the query', () => {
    expect(wordsOf(commandOf('readAuthorizeContext'))).toContain(
      `${baseUrl}/v1/auth/authorize/context?client_id=acc_4Zt9QmX2vKc7RbY1nLs8Wd.hello&redirect_uri=https%3A%2F%2Fhello.example.com%2Fsigned-in&scope=env%3Aproduction`,
    );
  });
});
