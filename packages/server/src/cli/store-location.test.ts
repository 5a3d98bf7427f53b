import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseStoreLocation } from './store-location.ts';

it.each([
  ['data', 'data'],
  ['./data', 'data'],
  ['sqlite:data', 'data'],
  ['sqlite:/var/lib/holdfast', '/var/lib/holdfast'],
  ['sqlite:///srv/data', '/srv/data'],
  ['/srv/a b:c', '/srv/a b:c'],
])('%s is a folder', (text, folder) => {
  const dataDir = resolve(folder);
  expect(parseStoreLocation(text)).toEqual({ engine: 'sqlite', dataDir, name: dataDir });
});

it.each([
  ['postgres://ada@db.example.com/holdfast', 'postgres://ada@db.example.com/holdfast'],
  ['postgresql://ada:secret@db:5432/h?pgbouncer=true', 'postgresql://ada@db:5432/h?pgbouncer=true'],
  ['postgres://ada:se:c@ret@a,b:6432/h', 'postgres://ada@a,b:6432/h'],
  ['postgres://db/h?user=ada&password=secret&sslmode=require', 'postgres://db/h?user=ada&password=…&sslmode=require'],
])('%s is a database whose name hides its password', (url, name) => {
  expect(parseStoreLocation(url)).toEqual({ engine: 'postgres', url, name });
});

it.each(['', 'sqlite:', 'postgres://', 'postgres:///h', 'mysql://a/b', 'sqlite://a', 'file:data'])(
  '"%s" is neither',
  (text) => {
    expect(parseStoreLocation(text)).toBeUndefined();
  },
);
