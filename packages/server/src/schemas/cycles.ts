/** Finds schemas that lead back to themselves without descending into the document. Their evaluation would never end. */
import { schemaFaultMessages } from '@holdfast/contract/messages';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { Resources } from './resource.ts';
import { type SchemaFault, schemaFault } from './schema-fault.ts';
import { schemasIn } from './subschemas.ts';

/** Throws `SchemaFault` for a listed schema that leads to itself. The budget handles dynamic references. */
export function refuseCycles(schemas: Iterable<JsonObject>, resources: Resources): void {
  const states = new Map<JsonObject, 'open' | 'done'>();
  for (const root of schemas) {
    const waiting: JsonObject[] = [root];
    for (let schema = waiting.at(-1); schema !== undefined; schema = waiting.at(-1)) {
      if (states.get(schema) !== undefined) {
        waiting.pop();
        states.set(schema, 'done');
        continue;
      }
      states.set(schema, 'open');
      for (const next of nextOf(schema, resources)) {
        const state = states.get(next);
        if (state === 'open') throw cycle(schema, resources);
        if (state === undefined) waiting.push(next);
      }
    }
  }
}

function nextOf(schema: JsonObject, resources: Resources): JsonObject[] {
  const children: JsonValue[] = [];
  for (const { nature, child } of schemasIn(schema)) if (nature.isInPlace) children.push(child);
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? resources.find($ref, resources.positionOf(schema).resource)?.target : undefined;
  return [...children, target].filter(isJsonObject);
}

function cycle(schema: JsonObject, resources: Resources): SchemaFault {
  const { location } = resources.positionOf(schema);
  const keyword = '$ref' in schema ? '$ref' : 'allOf';
  return schemaFault(location.slice(1), keyword, schemaFaultMessages.circle);
}
