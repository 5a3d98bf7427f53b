import { describe, expect, it } from 'vitest';
import { type CookieBounds, createCookies } from './cookies.ts';

it('over https only this host can set a cookie, and only over https', () => {
  const [, line] = createCookies(true).set('browser', 'value', 60);
  expect(line).toBe('__Host-holdfast_browser=value; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60');
});

it('on loopback without TLS a cookie lasts as long as the browser is open', () => {
  const cookies = createCookies(false);
  expect(cookies.set('flow', 'value')).toEqual(['Set-Cookie', 'holdfast_flow=value; Path=/; HttpOnly; SameSite=Lax']);
  expect(cookies.clear('flow')[1]).toContain('holdfast_flow=; Path=/');
  expect(cookies.clear('flow')[1]).toMatch(/; Max-Age=0$/);
});

it('several cookies of one kind are stored, each by its name', () => {
  const cookies = createCookies(false);
  expect(cookies.set('invitation', 'value', 60, 'a')[1]).toMatch(/^holdfast_invitation-a=value;/);
  const cookie = 'holdfast_invitation-a=1; holdfast_invitation-b=2; holdfast_invitation=3; holdfast_flow-c=4';
  expect(cookies.names({ cookie }, 'invitation')).toEqual(['a', 'b']);
  expect([cookies.read({ cookie }, 'invitation', 'b'), cookies.read({ cookie }, 'invitation')]).toEqual(['2', '3']);
});

it('a cookie is found among others by its whole name', () => {
  const cookie = 'a=1; x__Host-holdfast_flow=no; __Host-holdfast_flow=a.b=c;holdfast_flow=no';
  expect(createCookies(true).read({ cookie }, 'flow')).toBe('a.b=c');
  expect(createCookies(true).read({ cookie }, 'device')).toBeUndefined();
  expect(createCookies(false).read({}, 'flow')).toBeUndefined();
});

describe('several cookies of one kind', () => {
  const cookies = createCookies(false);
  const cleared = (lines: readonly string[]) =>
    lines.flatMap((line) => /^holdfast_flow-([\w-]+)=; .*; Max-Age=0$/.exec(line)?.[1] ?? []);
  const set = (cookie: string, of: string, value: string, bounds: CookieBounds) =>
    cookies.setAmong({ cookie }, ['flow', of], value, 60, bounds);

  it("are kept up to a number, and the browser's first ones are dropped first", () => {
    const cookie = 'holdfast_flow-a=1; other=2; holdfast_flow-b=3; holdfast_flow-c=4; holdfast_flow=5';
    const lines = set(cookie, 'd', 'new', { countMax: 3 });
    expect(cleared(lines)).toEqual(['a']);
    expect(lines.at(-1)).toBe('holdfast_flow-d=new; Path=/; HttpOnly; SameSite=Lax; Max-Age=60');
    expect(cleared(set(cookie, 'd', 'new', { countMax: 4 }))).toEqual([]);
    expect(cleared(set(cookie, 'a', 'new', { countMax: 3 }))).toEqual([]); // replaces the one with its name
  });

  it('are kept up to a total length, names included', () => {
    const cookie = ['a', 'b', 'c'].map((of) => `holdfast_flow-${of}=${'x'.repeat(84)}`).join('; '); // 100 characters each
    const bounds = { countMax: 8, charactersMax: 300 };
    expect(cleared(set(cookie, 'd', 'x'.repeat(84), bounds))).toEqual(['a']);
    expect(cleared(set(cookie, 'd', 'x'.repeat(90), bounds))).toEqual(['b', 'a']);
    expect(cleared(set(cookie, 'd', 'x'.repeat(400), bounds))).toEqual(['c', 'b', 'a']);
  });

  it('with unknown names are neither read nor sent, and do not count towards the length', () => {
    const cookie =
      'holdfast_flow-a b=1; holdfast_flow-=2; holdfast_flow-c\r\nSet-Cookie: x=3; holdfast_flow-ok=4; holdfast_flow-d';
    expect(cookies.names({ cookie }, 'flow')).toEqual(['ok']);
    expect(cleared(set(cookie, 'new', '1', { countMax: 1 }))).toEqual(['ok']);
    const many = Array.from({ length: 500 }, (_, i) => `holdfast_flow-${i}=1`).join('; ');
    expect(cleared(set(many, 'new', '1', { countMax: 1 }))).toHaveLength(20);
    expect(cleared(cookies.dropExcess({ cookie: many }, 'flow', { countMax: 498 }))).toEqual(['1', '0']);
  });
});
