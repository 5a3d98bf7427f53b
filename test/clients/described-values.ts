/** Values that a JSON Schema of the description allows, and values that it just does not. */
import type { JsonSchema, OpenApi } from '@holdfast/contract/openapi';
import fc from 'fast-check';

const longTextMax = 1_100;

/** Returns values of a schema as far as its keywords say it one by one; rules between members are left to whoever checks them. */
export function valuesOf(document: OpenApi, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { $ref, enum: values, anyOf, type } = schema;
  if ($ref !== undefined) return valuesOf(document, document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  if (values !== undefined) return fc.constantFrom(...values);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(document, one)));
  switch (type) {
    case 'object':
      return objectsOf(document, schema);
    case 'array':
      return fc.array(valuesOf(document, schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: 1_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(document: OpenApi, { properties, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  if (properties === undefined)
    return fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  const members = Object.entries(properties).map(([name, part]) => [name, valuesOf(document, part)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}

/** No character outside the basic plane: JSON Schema counts those once, and the service twice. */
function textsOf({ pattern, format, minLength = 0, maxLength = longTextMax }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('2090-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
      .map((time) => time.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' });
  const short = fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, 12)) });
  return fc.oneof(
    { weight: 4, arbitrary: short },
    { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(maxLength, longTextMax))) },
  );
}

/** Values with one thing changed, anywhere: most of them are not allowed any more, and some still are. */
export function changed(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.nat(), fc.nat()).map(([value, place, way]) => changeAt(value, place, way));
}

const strangers: readonly unknown[] = [
  null,
  7,
  -1,
  1.5,
  true,
  '',
  'x',
  [],
  {},
  ['x'],
  { op: 'add' },
  'x'.repeat(longTextMax),
  '~',
  '/',
];

function changeAt(value: unknown, place: number, way: number): unknown {
  if (typeof value !== 'object' || value === null) return strangers[way % strangers.length];
  const keys = Object.keys(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  if (keys.length === 0 || place % 7 === 0) return Array.isArray(value) ? [...value, ...value] : { ...copy, stranger: way };
  const key = keys[place % keys.length] as string;
  if (way % 4 === 0) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else if (way % 4 === 1) copy[key] = strangers[Math.floor(way / 4) % strangers.length];
  else if (way % 4 === 2 && typeof copy[key] === 'string') copy[key] = `${copy[key]}${' /~#é\n'[way % 6]}`;
  else copy[key] = changeAt(copy[key], Math.floor(place / keys.length), Math.floor(way / 4));
  return copy;
}
