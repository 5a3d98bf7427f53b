/** Compares docs/contract.md with the operations table, the records and the codes, and comments with its sections. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commentCharactersMax,
  type ErrorCode,
  errorCodes,
  formBytesMax,
  idempotencyKeyCharactersMax,
  idempotencyKeyHoursKept,
  identityProvidersMax,
  logoBytesMax,
  nameCharactersMax,
  nestingDepthMax,
  type Operation,
  operations,
  pageItemsMax,
  playerIdCharactersMax,
  quotaCodes,
  recordBytesMax,
  redirectUriCharactersMax,
  redirectUrisMax,
  stateCharactersMax,
  storageRetryAfterSeconds,
  tokenErrorCodes,
  transportCodes,
} from '@holdfast/contract';
import { components } from '@holdfast/contract/schemas';
import { describe, expect, it } from 'vitest';
import { repeatsOfDocumentMax } from '../../packages/server/src/storage/contract/repeats.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/contract.md'), 'utf8');
const headings = [...text.matchAll(/^##+ (\d+(?:\.\d+)?)\.? .+$/gm)].map(([, number = '']) => number);

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const tables: readonly Table[] = [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([block]) => {
  const [head = [], _line, ...rows] = block.trim().split('\n').map(cellsOf);
  return { head, rows };
});

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

const tablesWith = (...head: readonly string[]): readonly Table[] =>
  tables.filter((table) => head.every((name, index) => table.head[index] === name));
const rowsOf = (found: readonly Table[]) => found.flatMap(({ rows }) => rows);
const quotedIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The page's and the table's description of an operation, in the same words. */
interface Said {
  readonly credentials: readonly string[];
  readonly success: readonly string[];
  readonly otherErrors: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
  readonly quotas: readonly string[];
}

const patchCodes = Object.keys(errorCodes).filter((code) => code.startsWith('patch_'));
const pageErrors = 'pages';
const credentialNames = { developer: 'developer', end_user: 'end user', api_key: 'API key' } as const;
const everywhere: readonly string[] = transportCodes;

/** Codes named in the tables of routes because another code has their status. */
const named = [
  'already_delivered',
  'proposal_ended',
  'merge_conflict',
  'base_gone',
  'approval_required',
  'flag_error',
  'last_owner',
  'limit_reached',
  'nothing_to_merge',
  'outside_issuer',
  'player_blocked',
  'sign_in_again',
  'upgrade_unfinished',
];

/** The one envelope code that a status represents in the tables of routes. */
function codeOf(status: string): string[] {
  const codes = Object.entries(errorCodes).filter(([, each]) => String(each.status) === status);
  return codes.map(([code]) => code).filter((code) => !patchCodes.includes(code) && !named.includes(code));
}

function saidByPage([, , credential = '', success = '', refused = '']: readonly string[]): Said {
  const outcomes = success.split('; ').map((each) => each.replaceAll('`', '').replace('array of ', '[] '));
  const items = refused.split(/, (?![^(]*\))/).filter((item) => item !== '');
  const statuses = items.filter((item) => /^\d/.test(item));
  const plain = statuses.filter((item) => !/^\d+ \((?:empty|token|page)\)$/.test(item) && !item.startsWith('402'));
  const pages = items.includes(pageErrors) ? Object.keys(operations.readLoginPage.otherErrors) : [];
  return {
    credentials: credential === 'none' ? [] : credential.split(', ').sort(),
    success: outcomes.sort(),
    otherErrors: {
      ...Object.fromEntries(pages.map((status) => [status, 'page'])),
      ...Object.fromEntries(statuses.flatMap((item) => otherForm(item))),
    },
    codes: [
      ...(items.includes('patch codes') ? patchCodes : []),
      ...(items.includes('400 (flag)') ? ['flag_error'] : []),
      ...plain.flatMap((item) => (item.includes('`') ? quotedIn(item) : codeOf(item.slice(0, 3)))),
    ]
      .filter((code) => code === 'not_found' || !everywhere.includes(code))
      .sort(),
    quotas: statuses
      .filter((item) => item.startsWith('402'))
      .flatMap((item) => [...(/^402(?: \(also |$)/.test(item) ? ['QUOTA_API_REQUESTS'] : []), ...quotedIn(item)])
      .sort(),
  };
}

function otherForm(item: string): [string, string][] {
  const form = /^(\d+) \((?:also )?(empty|token|flag|page)\)$/.exec(item);
  return form === null ? [] : [[form[1] as string, form[2] as string]];
}

function saidByTable(operation: Operation): Said {
  const success = Object.entries(operation.success).map(([status, { schema, array, entityTag }]) =>
    [status, array && '[]', schema, entityTag && 'with ETag'].filter(Boolean).join(' '),
  );
  return {
    credentials: operation.access.map((kind) => credentialNames[kind]).sort(),
    success: success.sort(),
    otherErrors: operation.otherErrors ?? {},
    codes: operation.codes.filter((code) => code === 'not_found' || !everywhere.includes(code)).sort(),
    quotas: [...(operation.quotaCodes ?? [])].sort(),
  };
}

describe('docs/contract.md', () => {
  const routes = rowsOf(tablesWith('Method', 'Path'));
  const name = (method = '', path = '') => `${method} ${path.replaceAll('`', '')}`;

  it('lists exactly the routes of the operations table, each once', () => {
    const listed = routes.map(([method, path]) => name(method, path));
    expect(listed.sort()).toEqual(
      Object.values(operations)
        .map(({ method, path }) => name(method, path))
        .sort(),
    );
  });

  it.each(routes)('describes %s %s like the operations table', (...row) => {
    const [method, path] = row;
    const operation = Object.values(operations).find((each) => name(each.method, each.path) === name(method, path));
    expect(saidByPage(row)).toEqual(operation && saidByTable(operation));
  });

  it('lists exactly the codes of the envelope with their statuses', () => {
    const listed = rowsOf(tablesWith('Status', '`error`')).map(([status, code = '']) => [
      code.slice(1, -1),
      Number(status),
    ]);
    expect(listed).toEqual(Object.entries(errorCodes).map(([code, { status }]) => [code, status]));
  });

  it('lists exactly the errors of the token endpoint with their statuses', () => {
    const listed = rowsOf(tablesWith('Status', '`error` of the token endpoint'));
    expect(listed.map(([status, code = '']) => [code.slice(1, -1), Number(status)])).toEqual(
      Object.entries(tokenErrorCodes).map(([code, { status }]) => [code, status]),
    );
  });

  it('lists exactly the codes of quotas', () => {
    const listed = rowsOf(tablesWith('`code`')).map(([code = '']) => code.slice(1, -1));
    expect(listed).toEqual(Object.keys(quotaCodes));
  });

  it('names the statuses of every route', () => {
    const unrouted: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];
    const statuses = transportCodes.filter((code) => !unrouted.includes(code)).map((code) => errorCodes[code].status);
    const section = text.slice(text.indexOf('### 11.4'), text.indexOf('### 11.5'));
    const [sentence = ''] = /Every route can also return [^.]*\./.exec(section) ?? [];
    expect([...sentence.matchAll(/\d{3}/g)].map(Number)).toEqual(statuses.sort((one, two) => one - two));
  });

  const records = tables.filter(({ head: [first = ''] }) => /^`[A-Z]\w+`$/.test(first));

  it('has only tables of existing records', () => {
    const names = records.map(({ head: [first = ''] }) => first.slice(1, -1));
    expect(names.filter((name) => !(name in components))).toEqual([]);
  });

  it.each(records.map((table) => [table.head[0]?.slice(1, -1) as keyof typeof components, table] as const))(
    'lists exactly the members of %s',
    (record, { rows }) => {
      const { properties } = components[record] as { readonly properties: object };
      expect(rows.map(([member = '']) => member.slice(1, -1)).sort()).toEqual(Object.keys(properties).sort());
    },
  );

  it('names the records of requests and responses', () => {
    expect(records.length).toBeGreaterThan(10);
    const named = new Set(quotedIn(text));
    const used = Object.values<Operation>(operations).flatMap(({ success, body }) => [
      ...Object.values(success).flatMap(({ schema }) => schema ?? []),
      ...(body === undefined ? [] : [body.schema]),
    ]);
    expect(used.filter((record) => !named.has(record))).toEqual([]);
  });

  it.each([
    ['Document', [stateCharactersMax]],
    ['Nesting of a document', [nestingDepthMax]],
    ['Comment', [commentCharactersMax]],
    ['`Idempotency-Key`', [idempotencyKeyCharactersMax, idempotencyKeyHoursKept, repeatsOfDocumentMax]],
    ['Display name', [nameCharactersMax]],
    ['End-user id', [playerIdCharactersMax]],
    ['JSON body of other routes', [recordBytesMax]],
    ['Form body', [formBytesMax]],
    ['Items on a page', [pageItemsMax]],
    ['Redirect URIs of a project', [redirectUrisMax, redirectUriCharactersMax]],
    ['Logo', [logoBytesMax]],
    ['Identity providers of an account', [identityProvidersMax]],
    ['`Retry-After` of 503', [storageRetryAfterSeconds]],
  ])('gives the limit of %s', (limit, values) => {
    const row = rowsOf(tablesWith('Limit', 'Value')).find(([what]) => what === limit);
    for (const value of values) expect(row?.[1]).toContain(value.toLocaleString('en-US'));
  });

  it('numbers its sections without a gap', () => {
    for (const [index, number] of headings.entries()) {
      const [chapter = 0, section] = number.split('.').map(Number);
      const before = headings[index - 1]?.split('.').map(Number) ?? [0];
      const next = section === undefined ? [(before[0] ?? 0) + 1] : [chapter, (before[1] ?? 0) + 1];
      expect(number).toBe(next.join('.'));
    }
  });
});

const sources = globSync('{packages,test,bench,torture,scripts,tooling,examples}/**/*.{ts,mjs,js,sql}', {
  cwd: root,
}).filter((path) => !path.includes('node_modules'));

it('comments name existing sections of docs/contract.md', () => {
  const cited = sources.flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8').replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ');
    const runs = [...source.matchAll(/docs\/contract\.md((?:,? (?:and |to )?§\d+(?:\.\d+)?)+)/g)];
    return runs.flatMap(([, run = '']) =>
      [...run.matchAll(/§([\d.]+\d|\d)/g)].map(([, section = '']) => ({ path, section })),
    );
  });
  expect(cited.length).toBeGreaterThan(60);
  expect(cited.filter(({ section }) => !headings.includes(section))).toEqual([]);
});

it('links in docs/contract.md name the section that they lead to', () => {
  const links = [...text.matchAll(/\[§([\d.]+)\]\(#(\d+)-/g)];
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter(([, section = '', anchor]) => section.replace('.', '') !== anchor).map(([link]) => link)).toEqual([]);
});
