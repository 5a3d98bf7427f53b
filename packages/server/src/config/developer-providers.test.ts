import { expect, test } from 'vitest';
import { developerProviders } from './developer-providers.ts';

const parse = (value: unknown) => developerProviders.parse(typeof value === 'string' ? value : JSON.stringify(value));
const none = { name: null, issuer: null, tenant: null, teamId: null, keyId: null };

test('providers are read with their settings', () => {
  const company = { clientId: 'a', issuer: 'https://id.company.example', name: 'Company' };
  expect(parse({ 'google.com': { clientId: 'g', clientSecret: 's' }, 'oidc.company': company })).toEqual({
    value: [
      { ...none, providerId: 'google.com', clientId: 'g', secret: 's' },
      { ...none, ...company, providerId: 'oidc.company', secret: null },
    ],
  });
  expect(parse({ 'microsoft.com': { clientId: 'm', clientSecret: 's' } })).toMatchObject({ value: [{ tenant: 'common' }] });
  expect(parse({})).toEqual({ value: [] });
});

test.each<[string, unknown, RegExp]>([
  ['invalid JSON', '{', /not a JSON object/],
  ['a list', [], /not a JSON object/],
  ['no provider', { password: {} }, /not a JSON object of the settings/],
  ['no settings', { 'google.com': 'secret text' }, /"google.com": it must be an object/],
  ['an unknown member', { 'google.com': { secret: 'secret text' } }, /"secret" is not a known member/],
  ['a member that is not a string', { 'google.com': { clientId: 7 } }, /"clientId" must be a text/],
  ['no secret', { 'github.com': { clientId: 'secret text' } }, /"clientSecret" is missing/],
  ['no issuer', { 'oidc.x': { clientId: 'a' } }, /"issuer" is missing/],
  ['an issuer without TLS', { 'oidc.x': { clientId: 'a', issuer: 'http://id.example' } }, /not an https URL/],
  ['no key', { 'apple.com': { clientId: 'a', teamId: 't', keyId: 'k' } }, /"privateKey" is missing/],
])('%s is refused, without showing a secret', (_, value, fault) => {
  const parsed = parse(value);
  expect(parsed).toEqual({ fault: expect.stringMatching(fault) });
  expect(JSON.stringify(parsed)).not.toContain('secret text');
});
