/** `holdfast types` prints valid TypeScript that matches the schema. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandSandbox, createCommandSandbox } from '../command.fixture.ts';
import { typesOf } from './schema-types.ts';

const types = (schema: unknown, name = 'State') =>
  typesOf(typeof schema === 'string' ? schema : JSON.stringify(schema), name);
const lines = async (schema: unknown, name?: string) =>
  (await types(schema, name))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('the types of a schema', () => {
  it('have its members, required or not, with their descriptions', async () => {
    const schema = {
      type: 'object',
      required: ['gold'],
      properties: {
        gold: { type: 'integer', minimum: 0, 'x-write': 'server', description: 'What only servers write. */' },
        trophies: { type: 'array', items: { enum: ['cup', 'crown'] } },
        'best time': { type: ['number', 'null'] },
        log: { type: 'array' },
      },
    };
    expect(await types(schema, 'Save')).toBe(`export interface Save {
  /**
   * What only servers write. * /
   */
  gold: number
  trophies?: ("cup" | "crown")[]
  "best time"?: (number | null)
  log?: unknown[]
}
`);
  });

  it.each([
    [true, 'export type State = unknown'],
    [false, 'export type State = never'],
    [{}, 'export type State = unknown'],
    [{ minimum: 1 }, 'export type State = unknown'],
    [{ const: 5 }, 'export type State = 5'],
    [{ enum: ['a', null, { b: 1 }] }, 'export type State = ("a" | null | {"b":1})'],
    [{ prefixItems: [{ type: 'string' }, true], items: false, minItems: 2 }, 'export type State = [string, unknown]'],
    [{ type: 'array', minItems: 1_000_000, items: { type: 'string' } }, 'export type State = string[]'],
    [{ tsType: 'any; process.exit()' }, 'export type State = unknown'],
    [{ type: 'string', 'x-anything': 1, format: 'date' }, 'export type State = string'],
  ])('of %j', async (schema, expected) => {
    expect(await lines(schema)).toContain(expected);
  });

  it('follow references of every form to one declaration, never out of the schema', async () => {
    const schema = {
      properties: {
        pointer: { $ref: '#/$defs/item' },
        anchor: { $ref: '#of-item', description: 'the same' },
        other: { $ref: 'part' },
        place: { $ref: '#/properties/nested/properties/deep' },
        nested: { properties: { deep: { properties: { n: { type: 'number' } } } } },
        self: { $ref: '#' },
        draft: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
        dynamic: { $dynamicRef: '#of-item' },
      },
      $defs: {
        item: { $anchor: 'of-item', properties: { next: { $ref: '#/$defs/item' } } },
        part: { $id: 'part', properties: { q: { $ref: '#/$defs/r' } }, $defs: { r: { type: 'boolean' } } },
      },
    };
    const found = await lines(schema);
    expect(found).toEqual(
      expect.arrayContaining(['pointer?: Item', 'anchor?: Item', 'other?: Part', 'place?: Deep', 'self?: State']),
    );
    expect(found).toEqual(expect.arrayContaining(['draft?: unknown', 'dynamic?: unknown', 'next?: Item', 'q?: R']));
    expect(found.filter((line) => line.startsWith('export interface Item'))).toHaveLength(1);
  });

  it('support a root that refers to itself further down', async () => {
    const list = { properties: { next: { $ref: '#/$defs/list' } } };
    expect(await lines({ $ref: '#/$defs/list', $defs: { list } })).toContain('next?: List');
  });

  it('allow members of any name', async () => {
    const schema = '{"properties":{"__proto__":{"type":"string"},"constructor":true,"a\\"\\n":true,"":true}}';
    expect(await lines(schema)).toEqual(
      expect.arrayContaining(['__proto__?: string', 'constructor?: unknown', '"a\\"\\n"?: unknown', '""?: unknown']),
    );
  });

  it('leave other members open if some have a name', async () => {
    const properties = { n: { type: 'number' } };
    const text = { type: 'string' };
    const [open, named] = ['[k: string]: unknown', 'n?: number'];
    expect(await lines({ properties, additionalProperties: text })).toEqual(expect.arrayContaining([named, open]));
    expect(await lines({ properties, patternProperties: { '^x': text } })).toEqual(expect.arrayContaining([named, open]));
    expect(await lines({ properties })).not.toContain(open);
    expect(await lines({ patternProperties: { '^x': text } })).toContain('[k: string]: string');
  });

  it('combine all parts of a schema', async () => {
    const part = (name: string) => ({ properties: { [name]: { type: 'string' } } });
    const text = (await lines({ ...part('c'), allOf: [part('a'), { anyOf: [part('b'), { type: 'null' }] }] })).join(' ');
    expect(text).toMatch(/a\?: string.*&.*b\?: string.*\| null.*&.*c\?: string/);
  });
});

describe('the command', () => {
  let place: CommandSandbox;
  beforeAll(async () => {
    place = await createCommandSandbox();
  });
  afterAll(() => place.remove());
  const file = (text: string) => {
    const path = join(place.folder, 'a.schema.json');
    writeFileSync(path, text);
    return path;
  };

  it('prints the types', async () => {
    expect(await place.run(['types', file('{"type":"string"}'), '--name', 'Save'])).toMatchObject({
      code: 0,
      stdout: 'export type Save = string\n',
      stderr: '',
    });
  });

  it('prints the types of a schema inside the body that sends it', async () => {
    const body = file('{"version":2,"mode":"report","schema":{"type":"string"},"comment":null}');
    expect(await place.run(['types', body])).toMatchObject({ code: 0, stdout: 'export type State = string\n', stderr: '' });
    const wrong = await place.run(['types', file('{"mode":"report","schema":{"type":"strin"}}')]);
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('/type: "type" must be one of'),
    ]);
  });

  it.each(['{}', 'true', '{"title":"A save","description":"Of a player","minimum":1}', '{"schema":{"type":"string"}}'])(
    'warns that %s says nothing',
    async (text) => {
      expect(await place.run(['types', file(text)])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^export type State = unknown$/m),
        stderr: expect.stringMatching(
          /^holdfast: the schema in .*a\.schema\.json says nothing about the value, so its type is unknown\n$/,
        ),
      });
    },
  );

  it.each([
    ['{"properties":{"a":{"type":"integr"}}}', [], /cannot be used: \/properties\/a\/type: "type" must be one of/],
    ['{"$ref":"#"}', [], /cannot be used: its root: /],
    ['{"$ref":"http://127.0.0.1:1/"}', [], /cannot be used: \/\$ref/],
    ['{"type":', [], /not valid JSON/],
    ['{}', ['--name', 'a b'], /--name "a b" cannot be the name of a type/],
  ])('refuses %s %j in one line', async (text, options, message) => {
    const ended = await place.run(['types', file(text), ...options]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a missing file', async () => {
    const ended = await place.run(['types', 'none.json']);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/^holdfast: cannot read none\.json: /)]);
  });
});
