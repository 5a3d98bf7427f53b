import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { type Column, Table } from './table.tsx';

vi.mock('../texts/index.ts', () => ({}));

it('a table keeps the roles of its parts, whatever their layout', () => {
  const columns: [Column<string>, Column<string>] = [
    { name: 'Name', cell: (row) => row },
    { name: 'Length', kind: 'number', cell: (row) => row.length },
  ];
  const html = renderToStaticMarkup(
    createElement(Table<string>, { label: 'Words', rows: ['kelp'], keyOf: (row) => row, columns, isLinked: true }),
  );
  const rolesOf = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}(?: role="(\\w+)")?[ >]`, 'g'))].map(([, role]) => role);
  expect(rolesOf('table')).toEqual(['table']);
  expect([rolesOf('thead'), rolesOf('tbody')]).toEqual([['rowgroup'], ['rowgroup']]);
  expect(rolesOf('tr')).toEqual(['row', 'row']);
  expect(rolesOf('th')).toEqual(['columnheader', 'columnheader', 'rowheader']);
  expect(rolesOf('td')).toEqual(['cell', 'cell', 'cell']);
});
