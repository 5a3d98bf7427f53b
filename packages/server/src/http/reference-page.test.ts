import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describedOperations } from '@holdfast/contract';
import { type OpenApi, openApiDocument } from '@holdfast/contract/openapi';
import { describe, expect, test } from 'vitest';
import { curlCommand } from './reference/curl.ts';
import { referencePage, referenceStyleSource } from './reference-page.ts';

const baseUrl = 'http://127.0.0.1:8787';
const document = openApiDocument({ baseUrl });
const page = referencePage(document);
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");

/** What the page says about one operation. */
function article(id: string): string {
  const [, content] = page.split(`<article id="${id}">`);
  if (content === undefined) throw new Error(`the page has no article ${id}`);
  return textOf(content.slice(0, content.indexOf('</article>')));
}

function matches(pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, group = '']) => group);
}

describe('the reference page', () => {
  test.each(describedOperations)('shows %s with its method and path, and links to it', (id, { method, path, summary }) => {
    const shape = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
    expect(shape(article(id))).toContain(`${method} ${shape(path)}\n`);
    expect(textOf(page.match(new RegExp(`<nav.*href="#${id}">(.*?)</a>`, 's'))?.[1] ?? '')).toBe(`${method} ${summary}`);
  });

  test('says which version is that of the interface and which that of the program', () => {
    expect(textOf(referencePage(document, 'Holdfast 0.9.1'))).toContain(
      'Version 1.0.0 of the interface, served by Holdfast 0.9.1 at http://127.0.0.1:8787',
    );
  });

  test('says who may call', () => {
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

  test('shows statuses, codes and what they mean', () => {
    expect(article('patchPublicState')).toContain('patch_path_not_found: The target');
    expect(article('replacePublicState')).toMatch(/412 version_conflict/);
    expect(article('readPublicState')).toContain('The API key belongs to another project. There is no body.');
    expect(article('readPublicState')).toContain('204 Nothing has been written to this environment. no body');
    expect(article('exchangeToken')).toContain('unsupported_grant_type');
    const everywhere = page.slice(page.indexOf('id="errors-of-all"'));
    for (const status of ['429', '431', '500', '503']) expect(everywhere).toContain(`<th scope="row">${status}</th>`);
  });

  test('has less than 4,800 bytes for each operation', () => {
    expect(Buffer.byteLength(page) / describedOperations.length).toBeLessThan(4_800);
  });
});

describe('its safety', () => {
  test('has nothing to run and nothing to fetch', () => {
    const icon = /<link rel="icon" href="data:image\/svg\+xml,[^"<>]+">/; // a part of the page itself
    expect(page).toMatch(icon);
    expect(page.replace(icon, '')).not.toMatch(
      /<script|<link|<img|<iframe|<object|<form|\son\w+=|\sstyle=|\ssrc=|url\(|@import|javascript:/i,
    );
    expect(matches(/href="(?!data:)([^"#][^"]*)"/g)).toEqual(['openapi.json']);
  });

  test('has one style, whose hash is the exported source', () => {
    const [style = '', ...others] = matches(/<style>(.*?)<\/style>/gs);
    expect(others).toEqual([]);
    expect(referenceStyleSource).toBe(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
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
    const poisoned = referencePage(poison(document) as OpenApi);
    expect(poisoned.split('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;').length).toBeGreaterThan(300);
    expect(poisoned).not.toContain('<img');
    expect(poisoned.match(/<\/style>/g)).toHaveLength(1);
  });
});

describe('its accessibility', () => {
  test('closes every element in order', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['link', 'meta', 'wbr'].includes(name)) continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('has landmarks, a language, a viewport, and a skip link before everything else', () => {
    for (const landmark of [
      '<html lang="en">',
      '<nav aria-label="Reference">',
      '<header>',
      '<main id="content"',
      '<footer>',
    ]) {
      expect(page.split(landmark)).toHaveLength(2);
    }
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(page).toMatch(/<body>\s*<a class="skip" href="#content">/);
  });

  test('leads every link to one place on the page', () => {
    const ids = matches(/\sid="([^"]+)"/g);
    expect(ids).toEqual([...new Set(ids)]);
    expect(matches(/href="#([^"]+)"/g).filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('has one first heading and skips no level', () => {
    const levels = matches(/<h([1-6])[\s>]/g).map(Number);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('has no empty list', () => {
    expect(page).not.toMatch(/<ul[^>]*>\s*<\/ul>/);
  });

  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
      const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  // WCAG 2.2, success criterion 1.4.3: 4.5 to 1 for text.
  test.each([
    ['light', 0],
    ['dark', 1],
  ])('has enough contrast in the %s scheme', (_, index) => {
    const [, rules = ''] = [...page.matchAll(/:root\{([^}]*)\}/g)][index] ?? [];
    const colours = Object.fromEntries(
      [...rules.matchAll(/--(\w+):(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
    );
    const contrast = (text: string, ground: string) => {
      const [low = 0, high = 0] = [luminance(colours[text] ?? ''), luminance(colours[ground] ?? '')].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const texts = ['text', 'soft', 'link', 'get', 'put', 'patch', 'post', 'delete'];
    for (const ground of ['page', 'panel']) {
      expect(texts.filter((text) => !(contrast(text, ground) >= 4.5))).toEqual([]);
    }
  });
});

describe('its commands', () => {
  /** The words that a POSIX shell makes of a command, without running curl. */
  function wordsOf(command: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    const env = {
      ACCESS_TOKEN: 'token',
      API_KEY: 'key',
      CODE: 'code',
      REFRESH_TOKEN: 'refresh',
      ID_TOKEN: 'id',
      CLIENT_SECRET: 's',
    };
    return execFileSync('/bin/sh', ['-euc', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
  }
  const commandOf = (id: string) => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.operationId === id) return curlCommand(document, method, path, operation);
      }
    }
    throw new Error(`the description has no operation ${id}`);
  };
  const project = `${baseUrl}/v1/acc_4Zt9QmX2vKc7RbY1nLs8Wd/projects/hello`;

  test.each(describedOperations)('for %s is one that a shell can read, with no parameter left open', (id) => {
    const words = wordsOf(commandOf(id));
    expect(words.find((word) => word.startsWith(baseUrl))).not.toMatch(/[{}]|%7B/);
    const text = page.slice(page.indexOf(`<article id="${id}">`));
    expect(textOf(text)).toContain(textOf(commandOf(id).replaceAll('&', '&amp;')));
  });

  test('sends the example with its precondition and credential', () => {
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
      JSON.stringify(document.components.schemas.CreateConfigBody?.examples?.[0]),
    ]);
  });

  test('names the environment or the end user where they share a path', () => {
    expect(wordsOf(commandOf('listEndUserStates'))).toContain(`${project}/user-states/development`);
    expect(wordsOf(commandOf('deleteEndUserState'))).toContain(`${project}/user-states/u_81f0c2`);
  });

  test('puts variables of the shell into forms and bodies', () => {
    expect(wordsOf(commandOf('exchangeToken'))).toContain('code=code');
    expect(wordsOf(commandOf('logOut'))).toContain('{"refreshToken":"refresh"}');
  });

  test('encodes the query', () => {
    expect(wordsOf(commandOf('readAuthorizeContext'))).toContain(
      `${baseUrl}/v1/auth/authorize/context?client_id=acc_4Zt9QmX2vKc7RbY1nLs8Wd.hello&redirect_uri=https%3A%2F%2Fhello.example.com%2Fsigned-in&scope=env%3Aproduction`,
    );
  });
});
