/** The subschemas in a schema. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { KeywordNature } from './keyword.ts';
import { natures } from './keywords.ts';

interface Subschema {
  /** The nature of the keyword that has it. */
  readonly nature: KeywordNature;
  readonly path: (string | number)[];
  readonly child: JsonValue;
}

/** The direct subschemas of a schema, each with its path. */
export function* schemasIn(schema: JsonObject): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const nature = natures.get(keyword);
    if (nature?.subschemas === undefined) continue;
    if (nature.subschemas === 'one') yield { nature, path: [keyword], child: value };
    else if (nature.subschemas === 'list' && Array.isArray(value)) {
      for (const [index, child] of value.entries()) yield { nature, path: [keyword, index], child };
    } else if (nature.subschemas === 'members' && isJsonObject(value)) {
      for (const [name, child] of Object.entries(value)) yield { nature, path: [keyword, name], child };
    }
  }
}
