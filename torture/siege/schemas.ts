/** Attacks by schemas, and by documents that are compared with them, from somebody who owns an account. */

import { type Api, createApi, writesAfter } from '../../tooling/api.ts';
import type { Credentials } from '../../tooling/credentials.ts';
import { projectPath, publicStatePath } from '../../tooling/credentials.ts';
import { Counts } from '../../tooling/statistics.ts';
import { clock, quick, type SentInput, type SiegeCase, sendAtRate, type Target } from './case.ts';

interface HostileSchema {
  readonly name: string;
  /** JSON. */
  schema(): string;
  /** JSON of the document that exploits it most. */
  document?(): string;
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => make(n));
const json = (value: unknown) => (): string => JSON.stringify(value);
const text = (piece: string, length: number) => piece.repeat(length / piece.length);

/** Each level refers to the next one twice. */
function doubling(keyword: 'allOf' | 'anyOf' | 'oneOf', levels: number): unknown {
  const next = (level: number) => ({ $ref: `#/$defs/d${level + 1}` });
  const define = (level: number) =>
    level === levels ? { minProperties: 1_000 } : { [keyword]: [next(level), next(level)] };
  return { $ref: '#/$defs/d0', $defs: Object.fromEntries(times(levels + 1, (level) => [`d${level}`, define(level)])) };
}

/** Nested resources with one dynamic anchor: its meaning depends on the whole path of the evaluation. */
function tower(levels: number): unknown {
  let schema: unknown = { $id: `r${levels}`, $dynamicAnchor: 'n', properties: { a: { $dynamicRef: '#n' } } };
  for (let level = levels - 1; level >= 0; level--) {
    schema = {
      $id: `r${level}`,
      $dynamicAnchor: 'n',
      allOf: [schema, { additionalProperties: { $dynamicRef: '#n' } }],
      unevaluatedProperties: { $dynamicRef: '#n' },
    };
  }
  return schema;
}

function nested(levels: number, inner = '1'): string {
  return `${'{"a":'.repeat(levels)}${inner}${'}'.repeat(levels)}`;
}

const numbers = (count: number, number: string): string => `{"a":[${times(count, () => number).join()}]}`;

const hostileSchemas: readonly HostileSchema[] = [
  { name: 'a reference to itself', schema: json({ $ref: '#' }) },
  {
    name: 'a circle of 900 references',
    schema: json({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(times(900, (n) => [`d${n}`, { $ref: `#/$defs/d${(n + 1) % 900}` }])),
    }),
  },
  { name: 'a circle through not and if', schema: json({ not: { if: { $ref: '#' } } }) },
  { name: '100,000 schemas', schema: () => `{"allOf":[${text('true,', 500_000)}true]}` },
  { name: 'schemas in each other on 30,000 levels', schema: () => text('{"not":', 210_000) },
  { name: '30,000 references', schema: () => `{"allOf":[${times(30_000, () => '{"$ref":"#/$defs/a"}').join()}]}` },
  { name: 'a reference to another server', schema: json({ $ref: 'http://127.0.0.1:1/schema' }) },
  { name: 'a pattern that compiles to a million parts', schema: json({ pattern: '((a{100}){100}){100}' }) },
  { name: '10,000 patterns', schema: () => `{"allOf":[${times(10_000, (n) => `{"pattern":"a${n}"}`).join()}]}` },
  {
    name: 'members named __proto__',
    schema: () => `{"__proto__":{"$ref":"#"},"properties":{"__proto__":{"type":"null"}}}`,
  },
  {
    name: 'rules of the wrong type',
    schema: json({ properties: Object.fromEntries(times(500, (n) => [n, { 'x-write': 1, 'x-increase-max': {} }])) }),
  },
  ...(['allOf', 'anyOf', 'oneOf'] as const).map((keyword) => ({
    name: `${keyword} that doubles at each of 60 levels`,
    schema: json(doubling(keyword, 60)),
    document: json({ a: 1 }),
  })),
  { name: 'a tower of dynamic references', schema: json(tower(60)), document: () => nested(200) },
  {
    name: 'a pattern that other engines never come back from',
    schema: json({ properties: { a: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } }),
    document: json({ a: text('a', 200_000) }),
  },
  {
    name: '200 patterns for each of 20,000 members',
    schema: json({ patternProperties: Object.fromEntries(times(200, (n) => [`^(a|b|c)*${n}x$`, true])) }),
    document: json(Object.fromEntries(times(20_000, (n) => [`abcabc${n}`, 1]))),
  },
  {
    name: 'multiples of 1e-999999',
    schema: () => '{"properties":{"a":{"items":{"multipleOf":1e-999999}}}}',
    document: () => numbers(20_000, '1e999999'),
  },
  {
    name: 'long numbers and their multiples',
    schema: () => `{"properties":{"a":{"items":{"multipleOf":0.${text('37', 10_000)}}}}}`,
    document: () => `{"a":[${text('8', 100_000)},${text('9', 100_000)}.5]}`,
  },
  {
    name: 'exponents of 50 digits',
    schema: () => `{"properties":{"a":{"items":{"maximum":1e${text('9', 50)}}}}}`,
    document: () => numbers(4_000, `1e${text('9', 50)}`),
  },
  {
    name: 'unique items that differ at their ends',
    schema: json({ properties: { a: { uniqueItems: true } } }),
    document: () => `{"a":[${times(200, (n) => `"${text('x', 1_200)}${n}"`).join()}]}`,
  },
  {
    name: 'unevaluated members of unevaluated members',
    schema: json({
      $defs: {
        n: { anyOf: times(8, () => ({ additionalProperties: { $ref: '#/$defs/n' } })), unevaluatedProperties: false },
      },
      $ref: '#/$defs/n',
    }),
    document: () => nested(250),
  },
  {
    name: 'an enum of 12,000 values for 20,000 items',
    schema: json({ properties: { a: { items: { enum: times(12_000, (n) => n) } } } }),
    document: () => numbers(20_000, '0.5'),
  },
];

const create = writesAfter(0);
const schemaPath = (account: Credentials) => `${projectPath(account)}/schemas/production/public-state`;
const statePath = (account: Credentials) => publicStatePath(account, 'production');
const asOwner = ({ baseUrl, developerToken }: Credentials) => createApi(baseUrl, `Bearer ${developerToken}`);

/** Writes the schema, then the document `atOnce` times in parallel. Returns faults, and counts the statuses. */
async function tryOne(
  api: Api,
  account: Credentials,
  { schema, document }: HostileSchema,
  atOnce: number,
  statuses: Counts,
): Promise<string[]> {
  const body = `{"mode":"enforce","schema":${schema()}}`;
  const written = await api.send('PUT', schemaPath(account), { headers: create, body });
  statuses.add(`schema ${written.status}`);
  if (![200, 400].includes(written.status)) return [`the schema gave ${written.status}: ${written.text.slice(0, 100)}`];
  await api.send('POST', `${schemaPath(account)}/check`, { body: `{"schema":${schema()}}` });
  if (document === undefined || written.status !== 200) return [];
  const state = `{"state":${document()}}`;
  const answers = await Promise.all(
    times(atOnce, () => api.send('PUT', statePath(account), { headers: create, body: state })),
  );
  for (const { status } of answers) statuses.add(`document ${status}`);
  // Excess waiting requests are refused with 503.
  const wrong = answers.find(({ status }) => ![200, 400, 412, 503].includes(status));
  return wrong === undefined ? [] : [`the document gave ${wrong.status}: ${wrong.text.slice(0, 100)}`];
}

/** Every schema in a separate account, with the time of each. */
const eachSchema: SiegeCase = {
  name: 'hostile schemas, and documents against them, one after the other',
  async prepare(target) {
    const chosen = target.size.isSmall ? hostileSchemas.filter((_, n) => (n + target.seed) % 3 === 0) : hostileSchemas;
    const accounts: Credentials[] = [];
    for (const _ of chosen) accounts.push(await target.operator.newAccount('Schemas'));
    return async () => {
      const inputs: SentInput[] = [];
      const faults: string[] = [];
      const statuses = new Counts();
      for (const [index, schema] of chosen.entries()) {
        const account = accounts[index];
        if (account === undefined) continue;
        const api = asOwner(account);
        const from = clock();
        const found = await tryOne(api, account, schema, target.sized(6, 2), statuses);
        faults.push(...found.map((fault) => `${schema.name}: ${fault}`));
        inputs.push({ name: schema.name, from, to: clock() });
        api.close();
      }
      return { sent: `${chosen.length} schemas of up to 650 KB`, note: String(statuses), faults, inputs };
    };
  },
};

/** What one account can cause with a schema that uses the whole budget of every evaluation. */
const wholeBudgets: SiegeCase = {
  name: 'documents that take the whole budget of a schema, again and again, of one account',
  async prepare(target) {
    const account = await target.operator.newAccount('Budgets');
    const api = asOwner(account);
    const body = `{"mode":"enforce","schema":${JSON.stringify(doubling('anyOf', 60))}}`;
    await api.send('PUT', schemaPath(account), { headers: create, body });
    const padding = text('x', 30_000);
    return () => repeat(api, target, statePath(account), JSON.stringify({ state: { padding } }));
  },
};

/** Scans compile a schema each time, and read the stored documents. */
const scans: SiegeCase = {
  name: 'checks with the largest schema, again and again, of one account',
  async prepare(target) {
    const account = await target.operator.newAccount('Scans');
    const api = asOwner(account);
    const properties = Object.fromEntries(times(2_000, (n) => [`member-${n}`, { type: 'integer', minimum: n }]));
    const patterns = times(100, (n) => ({ pattern: `^(a|b|c){${n}}(d|e)*$` }));
    const body = JSON.stringify({ schema: { properties, allOf: patterns }, scan: true });
    return () => repeat(api, target, `${schemaPath(account)}/check`, body);
  },
};

async function repeat(api: Api, target: Target, path: string, body: string) {
  const perSecond = 30;
  const method = path.endsWith('/check') ? 'POST' : 'PUT';
  const headers = method === 'PUT' ? create : {};
  const statuses = new Counts<number>();
  const send = async () => statuses.add((await api.send(method, path, { headers, body })).status);
  const count = await sendAtRate(api, perSecond, target.size.seconds, send);
  const sent = `${count} requests of ${Math.round(body.length / 1_000)} KB, ${perSecond} a second`;
  return { sent, note: String(statuses), faults: statuses.has(500) ? ['500'] : [] };
}

export const schemaCases: readonly SiegeCase[] = [quick(eachSchema), wholeBudgets, scans];
