/** Keywords that apply further schemas to the same value: references, combinations and conditions. */
import { fits, type Keyword } from '../keyword.ts';

const reference: Keyword = (written, at) => {
  const found = at.compiler.refer(at.text(written), at.place.resource);
  if (found === undefined) throw unknown(at.fault.bind(at));
  const { schema } = found;
  return (value, run) => fits(schema, value, run);
};

const unknown = (fault: (message: string) => Error) =>
  fault('leads to no schema in this one: a reference to somewhere else is never fetched');

/** Leads to the schema with the same dynamic anchor in the outermost resource that the evaluation has come through. */
const dynamicReference: Keyword = (written, at) => {
  const { compiler } = at;
  const found = compiler.refer(at.text(written), at.place.resource);
  if (found === undefined) throw unknown(at.fault.bind(at));
  const { schema, fragment, resource } = found;
  if (!resource.dynamicAnchors.has(fragment)) return (value, run) => fits(schema, value, run);
  return (value, run) => {
    run.spend(run.resources.length);
    const outermost = run.resources.find(({ dynamicAnchors }) => dynamicAnchors.has(fragment));
    return fits((outermost && compiler.dynamic(outermost, fragment)) ?? schema, value, run);
  };
};

const allOf: Keyword = (written, at) => {
  const schemas = at.schemas(written);
  return (value, run) => {
    let result = true;
    for (const schema of schemas) {
      if (!fits(schema, value, run)) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  };
};

const anyOf: Keyword = (written, at) => {
  const schemas = at.schemas(written);
  const message = `must fit one of the ${schemas.length} schemas of "anyOf"`;
  return (value, run) => {
    let result = false;
    for (const schema of schemas) {
      if (run.tentatively(() => fits(schema, value, run))) result = true;
      // What the others look at matters only to who asks for it.
      if (result && run.evaluated === undefined) break;
    }
    return result || run.violation(at.keyword, at.location, message);
  };
};

const oneOf: Keyword = (written, at) => {
  const schemas = at.schemas(written);
  return (value, run) => {
    let count = 0;
    for (const schema of schemas) if (run.tentatively(() => fits(schema, value, run))) count++;
    if (count === 1) return true;
    return run.violation(
      at.keyword,
      at.location,
      `must fit exactly one of the ${schemas.length} schemas of "oneOf", not ${count}`,
    );
  };
};

const not: Keyword = (written, at) => {
  const schema = at.compile(written);
  return (value, run) => {
    const { evaluated } = run;
    run.evaluated = undefined;
    const result = run.silently(() => fits(schema, value, run));
    run.evaluated = evaluated;
    return !result || run.violation(at.keyword, at.location, 'must not fit the schema of "not"');
  };
};

const condition: Keyword = (written, at) => {
  const test = at.compile(written);
  const [then, otherwise] = ['then', 'else'].map((keyword) => {
    const place = at.beside(keyword);
    return place?.compile(place.value);
  });
  return (value, run) => {
    const next = run.tentatively(() => fits(test, value, run)) ? then : otherwise;
    return next === undefined || fits(next, value, run);
  };
};

export const inPlaceKeywords: Readonly<Record<string, Keyword>> = {
  $ref: reference,
  $dynamicRef: dynamicReference,
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
};
