/** Schemas for readers: a line per field, with its type and limits, and nested fields below. */

import type { JsonSchema, OpenApi } from '@holdfast/contract/openapi';
import { type Html, html } from '@holdfast/server/common/html';
import { inlineMarkdown } from './html.ts';
import { resolveSchema } from './resolve.ts';

type Components = OpenApi['components'];

/** The fields of a record, or the type of a schema without fields. */
export function schemaView(components: Components, schema: JsonSchema): Html {
  const { core, prefix } = unwrapped(components, schema);
  const fields = fieldList(components, core);
  if (fields === undefined) return html`<p>${typeView(components, schema)}</p>`;
  return html`${prefix !== '' && html`<p class="type">${prefix}</p>`}${fields}`;
}

/** A longer pattern is left out: the description explains it better. */
const patternCharactersMax = 80;

/** The type of a schema with its limits, in a few words. */
export function typeView(components: Components, schema: JsonSchema): Html {
  const resolved = resolveSchema(components, schema);
  const { anyOf, items, enum: values } = resolved;
  if (anyOf !== undefined)
    return joined(
      anyOf.map((part) => typeView(components, part)),
      ' or ',
    );
  if ('const' in resolved) return html`<code>${JSON.stringify(resolved.const)}</code>`;
  if (values !== undefined)
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    );
  if (items !== undefined) return html`${limited('array', resolved)} of ${typeView(components, items)}`;
  const base = resolved.format === 'date-time' ? 'date and time' : (resolved.type ?? 'any JSON value');
  const { pattern } = resolved;
  const isReadable = pattern !== undefined && pattern.length <= patternCharactersMax;
  return html`${limited(base, resolved)}${isReadable && html` like <code>${pattern}</code>`}`;
}

function fieldList(components: Components, schema: JsonSchema): Html | undefined {
  const entries = Object.entries(schema.properties ?? {});
  const variants = (schema.anyOf ?? []).filter((part) => part.type !== 'null');
  if (entries.length > 0) {
    const required = new Set(schema.required);
    return html`<ul class="fields">${entries.map(([name, part]) => field(components, name, part, required.has(name)))}</ul>`;
  }
  if (variants.length < 2) return undefined;
  const lists = variants.map((part) => fieldList(components, resolveSchema(components, part)));
  return lists.every((list) => list !== undefined) ? joined(lists, html`<p class="type">or</p>`) : undefined;
}

function field(components: Components, name: string, schema: JsonSchema, isRequired: boolean): Html {
  const { core, prefix } = unwrapped(components, schema);
  const inner = fieldList(components, core);
  const type = inner === undefined ? typeView(components, schema) : prefix || 'object';
  const description = describe(components, schema);
  return html`<li><code class="name">${name}</code> <span class="type">${type}${!isRequired && ', optional'}</span>${
    description !== undefined && html` <span class="about">${inlineMarkdown(description)}</span>`
  }${inner}</li>`;
}

/** The item or non-null schema inside a schema, and a phrase for it. */
function unwrapped(components: Components, schema: JsonSchema): { core: JsonSchema; prefix: string } {
  const resolved = resolveSchema(components, schema);
  if (resolved.items === undefined) return { core: resolved, prefix: '' };
  return { core: resolveSchema(components, resolved.items), prefix: `${limited('array', resolved)} of:` };
}

function describe(components: Components, schema: JsonSchema): string | undefined {
  const resolved = resolveSchema(components, schema);
  return (
    resolved.description ?? resolved.anyOf?.map((part) => describe(components, part)).find((text) => text !== undefined)
  );
}

function limited(type: string, schema: JsonSchema): string {
  const limits = [
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minimum, schema.maximum, ''),
    schema.uniqueItems === true ? 'no two alike' : undefined,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? type : `${type} (${limits.join(', ')})`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const shown = (value: number) => value.toLocaleString('en-US');
  const named = (value: number) => (unit === '' ? shown(value) : `${shown(value)} ${unit}${value === 1 ? '' : 's'}`);
  if (least !== undefined && most !== undefined) return `${shown(least)} to ${named(most)}`;
  if (least !== undefined) return `at least ${named(least)}`;
  return most === undefined ? undefined : `at most ${named(most)}`;
}

function joined(parts: readonly Html[], separator: string | Html): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
