/** Keywords that apply schemas to the items of an array. */

import type { JsonValue } from '@holdfast/json';
import { type CompiledSchema, fits, type Keyword, type KeywordPlace } from '../keyword.ts';
import type { Run } from '../run.ts';

const prefixItems: Keyword = (written, at) => {
  const schemas = at.schemas(written);
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let result = true;
    for (const [index, schema] of schemas.entries()) {
      if (index >= value.length) break;
      if (!item(value, index, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    if (run.evaluated !== undefined)
      run.evaluated.itemsTo = Math.max(run.evaluated.itemsTo, Math.min(schemas.length, value.length));
    return result;
  };
};

const item = (value: readonly JsonValue[], index: number, schema: CompiledSchema, run: Run) =>
  run.inside(index, false, () => fits(schema, value[index] ?? null, run));

const items: Keyword = (written, at) => {
  const schema = at.compile(written);
  const prefix = at.beside('prefixItems');
  const from = prefix === undefined ? 0 : prefix.list(prefix.value).length;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let result = true;
    for (let index = from; index < value.length; index++) {
      if (!item(value, index, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    if (run.evaluated !== undefined) run.evaluated.itemsTo = Math.max(run.evaluated.itemsTo, value.length);
    return result;
  };
};

/** `minContains` and `maxContains` mean nothing without it, so it reads them. */
const contains: Keyword = (written, at) => {
  const schema = at.compile(written);
  const least = limitBeside(at, 'minContains') ?? 1;
  const most = limitBeside(at, 'maxContains') ?? Number.POSITIVE_INFINITY;
  const isWithin = (count: number) => count >= least && count <= most;
  const says = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const index of value.keys()) {
      if (!run.silently(() => item(value, index, schema, run))) continue;
      count++;
      run.evaluated?.items.add(index);
      if (run.evaluated === undefined && count >= least && most === Number.POSITIVE_INFINITY) break;
    }
    return isWithin(count) || run.violation(at.keyword, at.location, `must have ${says} items that fit "contains"`);
  };
};

function limitBeside(at: KeywordPlace, keyword: string): number | undefined {
  const place = at.beside(keyword);
  return place?.count(place.value);
}

/** Checked with `contains`; alone it only has to be a number. */
const limitOfContains: Keyword = (written, at) => {
  at.count(written);
  return undefined;
};

/** Applies to what no other schema has looked at. It runs after the others. */
export const unevaluatedItems: Keyword = (written, at) => {
  const schema = at.compile(written);
  return (value, run) => {
    const { evaluated } = run;
    if (!Array.isArray(value) || evaluated === undefined) return true;
    let result = true;
    for (let index = evaluated.itemsTo; index < value.length; index++) {
      run.spend(1);
      if (evaluated.items.has(index)) continue;
      if (!item(value, index, schema, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    if (result) evaluated.itemsTo = Math.max(evaluated.itemsTo, value.length);
    return result;
  };
};

export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  prefixItems,
  items,
  contains,
  minContains: limitOfContains,
  maxContains: limitOfContains,
};
