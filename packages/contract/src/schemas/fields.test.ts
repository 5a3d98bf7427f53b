import { Compile } from 'typebox/compile';
import { expect, it } from 'vitest';
import { plainSchema } from '../json-schema.ts';
import { httpsAddress, line, nullable } from './fields.ts';

const description = 'What it is for.';

it.each([
  ['a line', line(10), 'two words', true],
  ['a line', line(10), '', true],
  ['a line', line(10), 'a\tb', false],
  ['a line', line(10), 'a\u2028b', false],
  ['a line', line(10), 'eleven char', false],
  ['a line', line(10, { charactersMin: 1 }), '', false],
  ['an address', httpsAddress(40), 'https://example.com/a?b#c', true],
  ['an address', httpsAddress(40), 'HTTPS://example.com', true],
  ['an address', httpsAddress(40), 'http://example.com', false],
  ['an address', httpsAddress(40), 'javascript:alert(1)', false],
  ['an address', httpsAddress(40), 'https://ada@example.com', false],
  ['an address', httpsAddress(40), 'example.com', false],
  ['an address', httpsAddress(40), '', false],
  ['an address', httpsAddress(40), 'https:example.com', false],
  ['an address', httpsAddress(40), 'https:\\\\example.com', false],
  ['an address', httpsAddress(40), ' https://example.com\n', false],
  ['an address', httpsAddress(40), 'https://exa\nmple.com', false],
  ['an address', httpsAddress(40), 'https://example.com/a b', false],
  ['an address', httpsAddress(40), `https://example.com/${'a'.repeat(40)}`, false],
  ['an address or null', nullable(httpsAddress(40)), null, true],
])('%s: %#', (_, schema, value, isOne) => {
  expect(Compile(schema).Check(value)).toBe(isOne);
});

it('a description of it has the rules as keywords', () => {
  expect(plainSchema(line(10, { description }))).toMatchObject({ maxLength: 10, description });
  expect('a\u0085').not.toMatch(new RegExp(String(plainSchema(line(10)).pattern), 'u'));
  expect(plainSchema(httpsAddress(40))).toMatchObject({ format: 'uri', maxLength: 40, minLength: 1 });
});

it('a fault says what is wrong with the text, without the text', () => {
  const faults = Compile(httpsAddress(40))
    .Errors('http://secret.example')
    .map(({ message }) => message);
  expect(faults).toEqual(['must begin with https://']);
});
