import { expect, it } from 'vitest';
import { redirectUriFault } from './redirect-uri.ts';

it.each([
  'https://example.com',
  'https://example.com/callback?app=1',
  'https://example.com:8443/a/b;c=d/%20',
  'https://[2001:db8::1]/cb',
  'HTTPS://Example.com/Callback',
  'http://127.0.0.1:8976/callback',
  'http://127.8.9.10/',
  'http://localhost:3000/callback?x=@',
  'http://LOCALHOST',
  'http://[::1]:80/cb',
  'com.example.app:/cb',
  'com.example.app://oauth/callback',
  `https://example.com/${'a'.repeat(2_000 - 20)}`,
])('%s may be registered', (uri) => {
  expect(redirectUriFault(uri)).toBeUndefined();
});

it.each([
  ['', /character/],
  ['https://example.com/#', /fragment/],
  ['com.example.app:/cb#x', /fragment/],
  ['https://*.example.com/cb', /wildcard/],
  ['https://example.com/*', /wildcard/],
  ['http://example.com/cb', /loopback/],
  ['http://localhost.example.com/cb', /loopback/],
  ['http://127.0.0.1.example.com/cb', /loopback/],
  ['http://127.0.0.1@example.com/cb', /loopback/],
  ['http://127.0.0.1:80@example.com/', /loopback/],
  ['http://127.1/cb', /loopback/],
  ['http://0.0.0.0/cb', /loopback/],
  ['http://127.0.0.999/cb', /host/],
  ['http://localhost:99999/cb', /host/],
  ['http:localhost/cb', /loopback/],
  ['http:/localhost/cb', /loopback/],
  ['https:example.com', /host/],
  ['https:///example.com', /host/],
  ['https://', /host/],
  ['https://?x', /host/],
  ['https://user:password@example.com/', /user information/],
  ['https://@example.com/', /user information/],
  ['https://example.com\\@evil.test/', /character/],
  ['https://example.com/ ', /character/],
  ['https://example.com/\r\nLocation:x', /character/],
  ['https://exämple.com/', /character/],
  ['https://example.com/%zz', /character/],
  ['https://example.com/%2', /character/],
  ['/callback', /neither/],
  ['//example.com/cb', /neither/],
  ['javascript:alert(1)', /neither/],
  ['data:text/html,x', /neither/],
  ['myapp:/cb', /neither/],
  ['.app:/cb', /neither/],
  ['com..app:/cb', /neither/],
  ['com.example.app:', /neither/],
  ['com.example.app', /neither/],
  ['ftp://example.com', /neither/],
  [`https://example.com/${'a'.repeat(2_000)}`, /more than 2000/],
])('%j may not be registered', (uri, fault) => {
  expect(redirectUriFault(uri)).toMatch(fault);
});
