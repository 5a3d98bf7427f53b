/** Determines from its keywords whether a schema can refuse any document. It may wrongly say yes, but never wrongly no. */
import type { CompiledSchema } from './compiled.ts';
import type { RefusalSearch } from './keyword.ts';
import { keywords, neverOperation } from './keywords.ts';

/** Known results for schemas, for objects and for any value. A schema still being searched counts as not refusing. */
interface Known {
  readonly ofObjects: Map<CompiledSchema, boolean>;
  readonly ofValues: Map<CompiledSchema, boolean>;
}

/** Whether the schema can refuse a document. Documents are objects. */
export const canRefuse = (root: CompiledSchema): boolean =>
  refuses(root, { ofObjects: new Map(), ofValues: new Map() }, true);

/** `isObject`: the value is certainly an object. */
function refuses(schema: CompiledSchema, known: Known, isObject: boolean): boolean {
  const answers = isObject ? known.ofObjects : known.ofValues;
  const found = answers.get(schema);
  if (found !== undefined) return found;
  answers.set(schema, false);
  const search: RefusalSearch = {
    isObject,
    ofSame: (schemas) => schemas.some((each) => each !== undefined && refuses(each, known, isObject)),
    ofAny: (schemas) => schemas.some((each) => refuses(each, known, false)),
    isNever: ({ checks }) => checks.some(({ operation }) => operation === neverOperation),
  };
  const result = schema.checks.some((check) => {
    const keyword = keywords[check.operation]?.keyword;
    if (keyword === undefined) return true; // the schema `false`
    return !(isObject && keyword.acceptsObjects) && (keyword.canRefuse?.(check, search) ?? true);
  });
  answers.set(schema, result);
  return result;
}
