import { expect, it } from 'vitest';
import { createCookies } from './cookies.ts';

it('over https a cookie can be set by this host alone, and over https alone', () => {
  const [, line] = createCookies(true).set('browser', 'value', 60);
  expect(line).toBe('__Host-holdfast_browser=value; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60');
});

it('on loopback without TLS it is one for as long as the browser is open', () => {
  const cookies = createCookies(false);
  expect(cookies.set('flow', 'value')).toEqual(['Set-Cookie', 'holdfast_flow=value; Path=/; HttpOnly; SameSite=Lax']);
  expect(cookies.clear('flow')[1]).toContain('holdfast_flow=; Path=/');
  expect(cookies.clear('flow')[1]).toMatch(/; Max-Age=0$/);
});

it('has several of one kind, each by its name', () => {
  const cookies = createCookies(false);
  expect(cookies.set('invitation', 'value', 60, 'a')[1]).toMatch(/^holdfast_invitation-a=value;/);
  const cookie = 'holdfast_invitation-a=1; holdfast_invitation-b=2; holdfast_invitation=3; holdfast_flow-c=4';
  expect(cookies.names({ cookie }, 'invitation')).toEqual(['a', 'b']);
  expect([cookies.read({ cookie }, 'invitation', 'b'), cookies.read({ cookie }, 'invitation')]).toEqual(['2', '3']);
});

it('reads its own among others, and no cookie that only ends in its name', () => {
  const cookie = 'a=1; x__Host-holdfast_flow=no; __Host-holdfast_flow=a.b=c;holdfast_flow=no';
  expect(createCookies(true).read({ cookie }, 'flow')).toBe('a.b=c');
  expect(createCookies(true).read({ cookie }, 'device')).toBeUndefined();
  expect(createCookies(false).read({}, 'flow')).toBeUndefined();
});
