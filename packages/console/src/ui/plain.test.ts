import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Address } from './plain.tsx';

it('an address may break before its last @ only, and other texts nowhere', () => {
  const shown = (text: string) => renderToStaticMarkup(createElement(Address, null, text));
  expect(shown('ada@sea@lanternfish.example')).toBe('<bdi>ada@sea<wbr/>@lanternfish.example</bdi>');
  expect(shown('ada')).toBe('<bdi><wbr/>ada</bdi>');
});
