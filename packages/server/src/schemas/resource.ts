/**
 * The targets of references in a schema: resources, each with its own identifier, and their anchors. Nothing is ever fetched: a reference
 * resolves to a part of the schema itself or to a schema of the draft.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
import { schemaFaultMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonObject, type JsonValue, pathOfPointer } from '@holdfast/json';
import { schemaDepthMax, schemaNodesMax, schemaReferencesMax } from './bounds.ts';
import { pointerBelow } from './pointer.ts';
import { schemaFault } from './schema-fault.ts';
import type { Resource, SchemaPosition } from './schema-position.ts';
import { schemasIn } from './subschemas.ts';

/** The URI of a schema that does not declare one. */
const unnamedUri = 'schema:/';

export class Resources {
  readonly #byUri = new Map<string, Resource>();
  readonly #positions = new Map<JsonObject, SchemaPosition>();
  readonly #vocabulariesOf: (metaschemaUri: string) => ReadonlySet<string> | undefined;
  #nodes = 0;
  #references = 0;

  /** `vocabulariesOf` returns the vocabularies of a metaschema. Throws `SchemaFault` if the metaschema is unknown. */
  constructor(vocabulariesOf: (metaschemaUri: string) => ReadonlySet<string> | undefined) {
    this.#vocabulariesOf = vocabulariesOf;
  }

  /** Adds a document and returns its outermost resource. Throws `SchemaFault` if the document is malformed or exceeds the bounds. */
  add(document: JsonValue, uri = unnamedUri): Resource {
    const resource = this.#newResource(document, uri, '#');
    this.#index(document, { resource, location: '#' }, 0);
    return isJsonObject(document) ? (this.#positions.get(document)?.resource ?? resource) : resource;
  }

  /** The position of an added schema. */
  positionOf(schema: JsonObject): SchemaPosition {
    const position = this.#positions.get(schema);
    if (position === undefined) throw new Error('a schema has no place');
    return position;
  }

  /** Returns the target of a reference; undefined if it is unknown. Throws `SchemaFault`. */
  find(
    reference: string,
    from: Resource,
  ): { readonly target: JsonValue; readonly resource: Resource; readonly fragment: string } | undefined {
    const absolute = resolved(reference, from.uri);
    if (absolute === undefined) return undefined;
    const [uri, fragment] = parted(absolute);
    const resource = this.#byUri.get(uri);
    if (resource === undefined) return undefined;
    const target =
      fragment === '' || fragment.startsWith('/') ? this.#at(resource, fragment) : resource.anchors.get(fragment);
    if (target === undefined) return undefined;
    return { target, resource: isJsonObject(target) ? this.positionOf(target).resource : resource, fragment };
  }

  /** The target of a JSON Pointer. A value that is not in the position of a schema becomes a schema when it is referred to. */
  #at(resource: Resource, pointer: string): JsonValue | undefined {
    let value: JsonValue | undefined = resource.root;
    const parts = pathOfPointer(pointer);
    let within = resource;
    for (const part of parts) {
      value = Array.isArray(value) || isJsonObject(value) ? memberOf(value, part) : undefined;
      if (value === undefined) return undefined;
      if (isJsonObject(value)) within = this.#positions.get(value)?.resource ?? within;
    }
    if (isJsonObject(value) && !this.#positions.has(value)) {
      this.#index(value, { resource: within, location: pointerBelow(resource.location, parts) }, 0);
    }
    return isJsonObject(value) || typeof value === 'boolean' ? value : undefined;
  }

  #index(schema: JsonValue, outer: SchemaPosition, depth: number): void {
    const { location } = outer;
    if (++this.#nodes > schemaNodesMax) throw tooMany(location, schemaFaultMessages.schemas, schemaNodesMax);
    if (depth > schemaDepthMax) throw tooMany(location, schemaFaultMessages.levels, schemaDepthMax);
    if (typeof schema === 'boolean') return;
    if (!isJsonObject(schema)) throw schemaFault(location.slice(1), 'type', schemaFaultMessages.notSchema);
    const position = this.#positionIn(schema, outer);
    this.#positions.set(schema, position);
    this.#addAnchors(schema, position);
    for (const { path, child } of schemasIn(schema)) {
      this.#index(child, { resource: position.resource, location: pointerBelow(location, path) }, depth + 1);
    }
  }

  #positionIn(schema: JsonObject, outer: SchemaPosition): SchemaPosition {
    const { resource, location } = outer;
    const { $id } = schema;
    if ($id === undefined) return outer;
    const at = location.slice(1);
    if (typeof $id !== 'string') throw schemaFault(at, '$id', schemaFaultMessages.string);
    const absolute = resolved($id, resource.uri);
    if (absolute === undefined) throw schemaFault(at, '$id', schemaFaultMessages.uri);
    const [uri, fragment] = parted(absolute);
    if (fragment !== '') throw schemaFault(at, '$id', schemaFaultMessages.fragment);
    if (uri === resource.uri && resource.root === schema) return outer;
    if (this.#byUri.has(uri)) throw schemaFault(at, '$id', schemaFaultMessages.sameId);
    return { resource: this.#newResource(schema, uri, location, resource), location };
  }

  #newResource(root: JsonValue, uri: string, location: string, outer?: Resource): Resource {
    const metaschema = isJsonObject(root) ? root.$schema : undefined;
    if (metaschema !== undefined && typeof metaschema !== 'string') {
      throw schemaFault(location.slice(1), '$schema', schemaFaultMessages.string);
    }
    const vocabularies = metaschema === undefined ? outer?.vocabularies : this.#vocabulariesOf(metaschema);
    const resource = { uri, root, location, anchors: new Map(), dynamicAnchors: new Map(), vocabularies };
    this.#byUri.set(uri, resource);
    return resource;
  }

  #addAnchors(schema: JsonObject, { resource, location }: SchemaPosition): void {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword];
      if (name === undefined) continue;
      if (typeof name !== 'string' || !/^[A-Za-z_][-A-Za-z0-9._]*$/.test(name)) {
        throw schemaFault(location.slice(1), keyword, schemaFaultMessages.anchor);
      }
      if (resource.anchors.has(name) && resource.anchors.get(name) !== schema) {
        throw schemaFault(location.slice(1), keyword, schemaFaultMessages.sameAnchor);
      }
      resource.anchors.set(name, schema);
      if (keyword === '$dynamicAnchor') resource.dynamicAnchors.set(name, schema);
    }
    for (const keyword of ['$ref', '$dynamicRef']) if (schema[keyword] !== undefined) this.#references++;
    if (this.#references > schemaReferencesMax)
      throw tooMany(location, schemaFaultMessages.references, schemaReferencesMax);
  }
}

function memberOf(value: JsonObject | readonly JsonValue[], name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,8})$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const { schemas, levels, references } = schemaFaultMessages;
const tooMany = (location: string, pattern: typeof schemas | typeof levels | typeof references, limit: number) =>
  schemaFault(location.slice(1), 'budget', pattern, { limit });

function resolved(reference: string, base: string): string | undefined {
  return URL.parse(reference, base)?.href;
}

/** Splits a URI into the part before the fragment and the fragment. */
function parted(uri: string): [string, string] {
  const at = uri.indexOf('#');
  if (at === -1) return [uri, ''];
  return [uri.slice(0, at), decoded(uri.slice(at + 1))];
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
