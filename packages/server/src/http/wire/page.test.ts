import { describe, expect, it } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';
import { pageBody, parsePageLimit, parsePageRequest } from './page.ts';

const query = (text: string) => new URLSearchParams(text);
const invalid = (name: string) =>
  expect.objectContaining({ code: 'validation_error', message: expect.stringContaining(`query parameter ${name}`) });

describe('limit', () => {
  it.each([
    ['', 50],
    ['limit=1', 1],
    ['limit=50', 50],
    ['limit=007', 7],
    ['limit=0', 1],
    ['limit=-0', 1],
    ['limit=-7', 1],
    ['limit=51', 50],
    ['limit=2147483647', 50],
    ['limit=-2147483648', 1],
  ])('%j asks for %i items', (text, items) => {
    expect(parsePageLimit(query(text))).toBe(items);
  });

  it.each([
    'limit=',
    'limit',
    'limit=%2B5',
    'limit=+5',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit=--1',
    'limit=-',
    'limit=5%0A',
    'limit=%D9%A1',
    'limit=ten',
    'limit=1,2',
    'limit=1&limit=1',
    'limit=2147483648',
    'limit=-2147483649',
    `limit=${'9'.repeat(400)}`,
  ])('%j is refused', (text) => {
    expect(() => parsePageLimit(query(text))).toThrow(invalid('limit'));
  });
});

describe('a cursor', () => {
  const position = { createdAt: 1_789_000_000_123, tie: 'my-game' };
  const cursor = formatCursor(position, 'projects of acc_1');

  it.each([
    position,
    { createdAt: 0, tie: ':' },
    { createdAt: Number.MAX_SAFE_INTEGER, tie: 'ü\n€𝄞' },
    { createdAt: 1, tie: '€'.repeat(512) },
  ])('holds the position %j', (held) => {
    expect(parseCursor(formatCursor(held, 'a list'), 'a list')).toEqual(held);
  });

  it('is safe in a URL', () => {
    expect(formatCursor({ createdAt: 1, tie: 'ÿþý?>>' }, 'a list')).toMatch(/^[\w-]+$/);
  });

  it('of another list is malformed', () => {
    for (const scope of ['projects of acc_2', 'projects of acc_', 'projects of acc_11', '']) {
      expect(() => parseCursor(cursor, scope)).toThrow(invalid('cursor'));
    }
  });

  it('with any character changed, removed or added is malformed', () => {
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      expect(() => parseCursor(changed, 'projects of acc_1')).toThrow(invalid('cursor'));
      expect(() => parseCursor(cursor.slice(0, i), 'projects of acc_1')).toThrow(invalid('cursor'));
    }
    for (const end of ['A', '=', ' ', '\n', 'AAAA', '+']) {
      expect(() => parseCursor(cursor + end, 'projects of acc_1')).toThrow(invalid('cursor'));
    }
  });

  it('with unused bits set is malformed', () => {
    const one = formatCursor({ createdAt: 1, tie: 'ab' }, 'a list'); // 12 bytes: no spare bits
    const two = formatCursor({ createdAt: 1, tie: 'abc' }, 'a list'); // 13 bytes: 4 spare bits
    expect(parseCursor(one, 'a list').tie).toBe('ab');
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spare = two.slice(0, -1) + last[last.indexOf(two.at(-1) ?? '') + 1];
    expect(Buffer.from(spare, 'base64url')).toEqual(Buffer.from(two, 'base64url'));
    expect(() => parseCursor(spare, 'a list')).toThrow(invalid('cursor'));
  });

  it('of huge length is malformed', () => {
    expect(() => parseCursor('A'.repeat(1_000_000), 'a list')).toThrow(invalid('cursor'));
  });

  it('with a NUL is refused, which not every store can look for', () => {
    const created = formatCursor({ createdAt: 1, tie: 'a\0b' }, 'a list');
    expect(() => parseCursor(created, 'a list')).toThrow(invalid('cursor'));
  });
});

describe('a page', () => {
  it('starts at the newest without a cursor, and after the cursor with one', () => {
    expect(parsePageRequest(query(''), 'a list')).toEqual({ after: null, itemsMax: 50 });
    const after = { createdAt: 5, tie: 'x' };
    const text = `limit=2&cursor=${formatCursor(after, 'a list')}`;
    expect(parsePageRequest(query(text), 'a list')).toEqual({ after, itemsMax: 2 });
  });

  it.each(['cursor=', 'cursor=x', 'cursor=null'])('is refused for %j', (text) => {
    expect(() => parsePageRequest(query(text), 'a list')).toThrow(invalid('cursor'));
  });

  it('is refused for two cursors', () => {
    const cursor = formatCursor({ createdAt: 5, tie: 'x' }, 'a list');
    expect(() => parsePageRequest(query(`cursor=${cursor}&cursor=${cursor}`), 'a list')).toThrow(invalid('cursor'));
  });

  it('has a cursor only if more follows', () => {
    expect(pageBody({ items: [1, 2], next: null }, 'a list', String)).toEqual({
      items: ['1', '2'],
      cursor: null,
      hasMore: false,
    });
    const next = { createdAt: 5, tie: 'x' };
    expect(pageBody({ items: [1], next }, 'a list', String)).toEqual({
      items: ['1'],
      cursor: formatCursor(next, 'a list'),
      hasMore: true,
    });
  });
});
