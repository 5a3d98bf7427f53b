/** Keywords that apply schemas to the items of an array. */

import { violationMessages } from '@holdfast/contract/messages';
import type { JsonValue } from '@holdfast/json';
import type { CompiledSchema } from '../compiled.ts';
import { type KeywordContext, keyword } from '../keyword.ts';
import type { Run } from '../run.ts';

const item = (value: readonly JsonValue[], index: number, schema: CompiledSchema, run: Run) =>
  run.inside(index, false, () => run.fits(schema, value[index] ?? null));

const prefixItems = keyword({
  acceptsObjects: true,
  subschemas: 'list',
  keepsRules: true,
  price: 1,
  read: (written, at) => ({ schemas: at.schemas(written) }),
  canRefuse: ({ schemas }, search) => search.ofAny(schemas),
  holds(value, { schemas }, run) {
    if (!Array.isArray(value)) return true;
    let result = true;
    for (const [index, schema] of schemas.entries()) {
      if (index >= value.length) break;
      if (!item(value, index, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    run.evaluated?.reach(Math.min(schemas.length, value.length));
    return result;
  },
});

const items = keyword({
  acceptsObjects: true,
  subschemas: 'one',
  keepsRules: true,
  price: 1,
  read(written, at) {
    const prefix = at.beside('prefixItems');
    return { schema: at.compile(written), from: prefix === undefined ? 0 : prefix.list(prefix.value).length };
  },
  canRefuse: ({ schema }, search) => search.ofAny([schema]),
  holds(value, { schema, from }, run) {
    if (!Array.isArray(value)) return true;
    let result = true;
    for (let index = from; index < value.length; index++) {
      if (!item(value, index, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    run.evaluated?.reach(value.length);
    return result;
  },
});

/** Also reads `minContains` and `maxContains`, which have no effect without it. */
const contains = keyword({
  acceptsObjects: true,
  subschemas: 'one',
  brokenBy: 'value',
  price: 1,
  read: (written, at) => ({
    schema: at.compile(written),
    least: limitBeside(at, 'minContains') ?? 1,
    most: limitBeside(at, 'maxContains'),
  }),
  holds(value, { schema, least, most, location }, run) {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const index of value.keys()) {
      run.spend(1);
      if (!run.silently(() => item(value, index, schema, run))) continue;
      count++;
      run.evaluated?.items.add(index);
      if (run.evaluated === undefined && count >= least && most === undefined) break;
    }
    if (count >= least && (most === undefined || count <= most)) return true;
    return most === undefined
      ? run.violation('contains', location, violationMessages.contains, { least })
      : run.violation('contains', location, violationMessages.containsUpTo, { least, most });
  },
});

function limitBeside(at: KeywordContext, name: string): number | undefined {
  const context = at.beside(name);
  return context?.count(context.value);
}

/** Checked by `contains`; alone, it only has to be a number. */
const limitOfContains = keyword({
  price: 0,
  read(written, at) {
    at.count(written);
    return undefined;
  },
  holds: () => true,
});

/** Applies to items that no other schema has evaluated. Runs after all other keywords. */
const unevaluatedItems = keyword({
  acceptsObjects: true,
  subschemas: 'one',
  brokenBy: 'value',
  price: 1,
  read: (written, at) => ({ schema: at.compile(written) }),
  canRefuse: ({ schema }, search) => search.ofAny([schema]),
  holds(value, { schema }, run) {
    const { evaluated } = run;
    if (!Array.isArray(value) || evaluated === undefined) return true;
    let result = true;
    for (let index = evaluated.itemsTo; index < value.length; index++) {
      run.spend(1);
      if (evaluated.items.has(index)) continue;
      if (!item(value, index, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    if (result) evaluated.reach(value.length);
    return result;
  },
});

export const arrayKeywords = {
  prefixItems,
  items,
  contains,
  minContains: limitOfContains,
  maxContains: limitOfContains,
};
export const unevaluatedItemKeywords = { unevaluatedItems };
