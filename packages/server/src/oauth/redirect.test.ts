import { describe, expect, it } from 'vitest';
import { codeLocation, errorLocation } from './redirect.ts';

const issuer = 'https://holdfast.example';
const iss = 'iss=https%3A%2F%2Fholdfast.example';

describe('the redirect to the client', () => {
  it.each([
    ['https://app.example/cb', `https://app.example/cb?code=c&state=s&${iss}`],
    ['https://app.example/cb?tab=1', `https://app.example/cb?tab=1&code=c&state=s&${iss}`],
    ['https://app.example/cb?', `https://app.example/cb?code=c&state=s&${iss}`],
    ['https://app.example/cb?tab=1&', `https://app.example/cb?tab=1&code=c&state=s&${iss}`],
    ['HTTPS://App.Example', `HTTPS://App.Example?code=c&state=s&${iss}`],
    ['com.example.app:/cb', `com.example.app:/cb?code=c&state=s&${iss}`],
    ['http://127.0.0.1:8976/callback', `http://127.0.0.1:8976/callback?code=c&state=s&${iss}`],
  ])('keeps %s as registered', (redirectUri, location) => {
    expect(codeLocation({ redirectUri, state: 's', issuer }, 'c')).toBe(location);
  });

  it.each(['', '&code=stolen', '#fragment', '\r\nSet-Cookie: a=b', 'é😀', 'a+b c/%25', '"<script>'])(
    'returns the state unchanged, and nothing else: %j',
    (state) => {
      const location = new URL(codeLocation({ redirectUri: 'https://app.example/cb', state, issuer }, 'c'));
      expect([...location.searchParams]).toEqual([
        ['code', 'c'],
        ['state', state],
        ['iss', issuer],
      ]);
      expect(location.hash).toBe('');
      expect(location.host).toBe('app.example');
    },
  );

  it('has an error without a code, and no state if there was none', () => {
    const to = { redirectUri: 'https://app.example/cb', state: undefined, issuer };
    const location = new URL(errorLocation(to, 'access_denied', 'the ID token expired'));
    expect([...location.searchParams]).toEqual([
      ['error', 'access_denied'],
      ['error_description', 'the ID token expired'],
      ['iss', issuer],
    ]);
  });
});
