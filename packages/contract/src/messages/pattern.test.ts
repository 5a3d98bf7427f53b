import { describe, expect, expectTypeOf, it } from 'vitest';
import * as messages from '../messages.ts';
import {
  type Filling,
  fill,
  fillFrom,
  messageReader,
  type Patterns,
  parametersIn,
  type ReadParameters,
} from './pattern.ts';

const { accountMessages, flagFaultMessages, flagMessages, patternFaultMessages } = messages;
const { schemaFaultMessages, schemaRefusalMessages, schemaWarningMessages, violationMessages } = messages;
const tables: Readonly<Record<string, Patterns>> = {
  accountMessages,
  flagFaultMessages,
  flagMessages,
  patternFaultMessages,
  schemaFaultMessages,
  schemaRefusalMessages,
  schemaWarningMessages,
  violationMessages,
};
/** Text with everything that has a meaning in patterns, JSON or regular expressions. */
const hostile = '"{limit}\\p{L}; $& (.*) must be\n';

describe.each(Object.entries(tables))('%s', (_, patterns) => {
  it.each(Object.keys(patterns))('%s is read back with its parameters', (name) => {
    const pattern = patterns[name] ?? '';
    const names = [...pattern.matchAll(/\{([a-z]\w*)\}/g)].map(([, parameter = '']) => parameter);
    for (const value of ['7', hostile]) {
      const parameters = Object.fromEntries(names.map((parameter, index) => [parameter, `${value}${index}`]));
      const message = fillFrom(pattern, parameters);
      const text = pattern.split(/\{[a-z]\w*\}/);
      expect(message).toBe(text.reduce((before, after, index) => `${before}${value}${index - 1}${after}`));
      expect(messageReader(patterns)(message)[0]).toEqual({ name, parameters });
    }
  });
});

it('all tables are tested', () => {
  const names = Object.keys(messages).filter((name) => name.endsWith('Messages'));
  expect(Object.keys(tables)).toEqual(names.sort());
});

it('braces around anything but a name with a small first letter are text', () => {
  expect(fill('such as \\p{L}; at most {limit}', { limit: 3 })).toBe('such as \\p{L}; at most 3');
  expectTypeOf<ReadParameters<'such as \\p{L}; at most {limit}'>>().toEqualTypeOf<{ readonly limit: string }>();
});

it('the parameters follow from the pattern', () => {
  expectTypeOf<Filling<'must be'>>().toEqualTypeOf<[]>();
  expectTypeOf<Filling<'{least} to {most}'>>().toEqualTypeOf<
    [parameters: { readonly least: string | number; readonly most: string | number }]
  >();
  expectTypeOf<Filling<'"{keyword}" of {types}', 'keyword'>>().toEqualTypeOf<
    [parameters: { readonly types: string | number }]
  >();
});

it('another message has no parameters', () => {
  expect(parametersIn('must be at most {limit}', 'must be at least 3')).toBeUndefined();
  expect(parametersIn('must be at most {limit}', 'it must be at most 3')).toBeUndefined();
  expect(parametersIn('is not allowed here', 'is not allowed here')).toEqual({});
  expect(messageReader(violationMessages)('is a message of a later release')).toEqual([]);
});
