/// <reference path="./json-schema-to-typescript-lite.d.ts" />
/**
 * Translates a JSON Schema 2020-12 to TypeScript. The library knows the draft of 2018, so it gets the schema in that draft's keywords. What
 * a type cannot express, such as `minimum` or `not`, is left out: the type then allows more than the schema.
 */
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '@holdfast/json';
import { compileStateSchema } from '../../schemas/compile-state-schema.ts';
import { metaschemas } from '../../schemas/metaschemas.ts';
import type { Resources } from '../../schemas/resource.ts';

/** A schema for the library. Its keywords have other types than in the library's declarations. */
type Drawn = Readonly<Record<string, unknown>>;

/** The type of any value. */
const anything: Drawn = { tsType: 'unknown' };
const nothing: Drawn = { tsType: 'never' };

/** Maximum number of array items for a tuple. The library writes one tuple for each length. */
const tupleItemsMax = 8;

/** Returns the declarations of a schema in JSON, with the type name `name`. Throws `SchemaFault` for an unusable schema. */
export async function typesOf(schemaText: string, name: string): Promise<string> {
  const { written, resources } = compileStateSchema(schemaText).schema;
  const drawn = new Drawing(resources, written).draw();
  const { compile } = await import('json-schema-to-typescript-lite');
  return compile(drawn, name, {
    additionalProperties: false,
    unknownAny: true,
    $refOptions: { resolve: { external: false, file: false, http: false } },
  });
}

class Drawing {
  readonly #resources: Resources;
  readonly #root: JsonValue;
  /** The targets of references, by their names among the definitions. */
  readonly #referred = new Map<JsonObject, string>();
  readonly #names = new Set<string>();

  constructor(resources: Resources, root: JsonValue) {
    this.#resources = resources;
    this.#root = root;
  }

  draw(): Drawn {
    const { title: _, ...drawn } = this.#schema(this.#root);
    const $defs: Record<string, Drawn> = {};
    // A written schema may refer to others, which are appended to the map.
    for (const [schema, name] of this.#referred) $defs[name] = this.#schema(schema);
    // If the root is only a reference, it would equal its target, under two names.
    return { ...('$ref' in drawn ? { allOf: [drawn] } : drawn), $defs };
  }

  #schema(schema: JsonValue): Drawn {
    if (!isJsonObject(schema)) return schema === false ? nothing : anything;
    const { $ref } = schema;
    const own = this.#withoutReference(schema);
    if (typeof $ref !== 'string') return own ?? anything;
    const referred = this.#reference($ref, schema);
    return own === undefined ? referred : { allOf: [referred, own] };
  }

  /** A reference as the library resolves it: to one of the definitions, or to the root. */
  #reference(reference: string, from: JsonObject): Drawn {
    const found = this.#resources.find(reference, this.#resources.positionOf(from).resource);
    if (!isJsonObject(found?.target)) return found?.target === false ? nothing : anything;
    const { target, resource } = found;
    if (Object.hasOwn(metaschemas, resource.uri)) return anything;
    if (target === this.#root) return { $ref: '#' };
    return { $ref: `#/$defs/${this.#nameOf(target)}` };
  }

  /** The name of a target: the last part of its location, with a number if that is taken. */
  #nameOf(target: JsonObject): string {
    const known = this.#referred.get(target);
    if (known !== undefined) return known;
    const last = this.#resources.positionOf(target).location.split('/').at(-1) ?? '';
    const plain = last.replaceAll(/[^A-Za-z0-9_]/g, '_');
    let name = plain;
    for (let number = 2; this.#names.has(name); number++) name = `${plain}_${number}`;
    this.#names.add(name);
    this.#referred.set(target, name);
    return name;
  }

  /** The types of the other keywords; undefined if there are none. */
  #withoutReference(schema: JsonObject): Drawn | undefined {
    const { type, description, title, deprecated } = schema;
    const notes = {
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(deprecated === true && { deprecated }),
    };
    if (Array.isArray(type) && type.length > 1) {
      return {
        ...notes,
        anyOf: type.map((one) => this.#withoutReference({ ...plainType(schema), type: one }) ?? anything),
      };
    }
    const values = valuesOf(schema);
    if (values !== undefined) return { ...notes, enum: values };
    const kind = Array.isArray(type) ? type[0] : type;
    const parts = { ...this.#objectParts(schema, kind), ...this.#arrayParts(schema, kind), ...this.#inPlace(schema) };
    if (kind === undefined && Object.keys(parts).length === 0) return undefined;
    return { ...notes, ...(kind !== undefined && { type: kind }), ...parts };
  }

  #objectParts(schema: JsonObject, kind: JsonValue | undefined): Drawn {
    if (kind !== undefined && kind !== 'object') return {};
    const { properties, patternProperties, additionalProperties, required } = schema;
    const named = isJsonObject(properties) ? this.#each(properties) : {};
    const matched = isJsonObject(patternProperties) ? this.#each(patternProperties) : {};
    const parts = { properties: named, patternProperties: matched };
    const hasNamed = Object.keys(named).length > 0;
    const hasMatched = Object.keys(matched).length > 0;
    if (!hasNamed && !hasMatched && additionalProperties === undefined) return {};
    const others = additionalProperties === undefined ? hasMatched && hasNamed : this.#others(additionalProperties);
    // TypeScript requires the type of other members to include those of named members.
    const mixes = hasNamed && (hasMatched || typeof others !== 'boolean');
    const open = mixes ? { properties: named, additionalProperties: true } : { ...parts, additionalProperties: others };
    return { type: 'object', ...open, ...(Array.isArray(required) && { required }) };
  }

  #others(schema: JsonValue): Drawn | boolean {
    return typeof schema === 'boolean' ? schema : this.#schema(schema);
  }

  #arrayParts(schema: JsonObject, kind: JsonValue | undefined): Drawn {
    if (kind !== undefined && kind !== 'array') return {};
    const { items, prefixItems, minItems, maxItems } = schema;
    if (items === undefined && prefixItems === undefined) return {};
    const bounds = { ...(isFew(minItems) && { minItems }), ...(isFew(maxItems) && { maxItems }) };
    if (!Array.isArray(prefixItems)) return { type: 'array', items: this.#schema(items ?? true), ...bounds };
    return {
      type: 'array',
      items: prefixItems.map((item) => this.#schema(item)),
      additionalItems: this.#others(items ?? true),
      ...bounds,
    };
  }

  #inPlace(schema: JsonObject): Drawn {
    const found: Record<string, unknown> = {};
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) found[keyword] = branches.map((branch) => this.#schema(branch));
    }
    return found;
  }

  #each(schemas: JsonObject): Drawn {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.#schema(schema)]));
  }
}

const isFew = (count: JsonValue | undefined): count is number => typeof count === 'number' && count <= tupleItemsMax;

/** A schema without the annotations of its type. */
function plainType({
  title: _title,
  description: _description,
  deprecated: _deprecated,
  ...others
}: JsonObject): JsonObject {
  return others;
}

/** The listed values of a schema, as plain JSON; undefined if it lists none. */
function valuesOf(schema: JsonObject): unknown[] | undefined {
  const { const: only, enum: listed } = schema;
  if (only !== undefined) return [JSON.parse(printJson(only))];
  return Array.isArray(listed) ? JSON.parse(printJson(listed)) : undefined;
}
