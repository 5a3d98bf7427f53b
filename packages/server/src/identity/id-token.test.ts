import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type IssuerKey,
  type LoopbackIssuer,
  newIssuerKey,
  signIdToken,
  startLoopbackIssuer,
  unsignedToken,
} from '../../../../tooling/loopback-issuer.ts';
import { StoreUnavailable } from '../storage/store.ts';
import { createIdTokenVerifier, type IdTokenVerifier, type IdTokenVerifierOptions } from './id-token.ts';

const startMs = Date.UTC(2026, 2, 1, 12);
const startSeconds = startMs / 1000;
const audience = 'holdfast';
let key: IssuerKey;
let otherKey: IssuerKey;
let provider: LoopbackIssuer;
let nowMs: number;
let outages: unknown[];

beforeAll(async () => {
  key = await newIssuerKey('RS256', 'first');
  otherKey = await newIssuerKey('RS256', 'second');
  provider = await startLoopbackIssuer([]);
});
afterAll(() => provider.stop());
beforeEach(() => {
  nowMs = startMs;
  outages = [];
  provider.keys.splice(0, Number.POSITIVE_INFINITY, key.publicJwk);
  provider.asked.discovery = provider.asked.jwks = 0;
  provider.metadata = {};
  provider.disturb = () => false;
});

function newVerifier(options: Partial<IdTokenVerifierOptions> = {}): IdTokenVerifier {
  const { issuer } = provider;
  return createIdTokenVerifier({
    issuer,
    audience,
    now: () => nowMs,
    onUnavailable: (cause) => outages.push(cause),
    ...options,
  });
}

function claims(changes: Readonly<Record<string, unknown>> = {}): JWTPayload {
  const { issuer } = provider;
  return { iss: issuer, aud: audience, sub: 'u1', iat: startSeconds, exp: startSeconds + 3600, ...changes };
}

async function outcomeOf(changes: Readonly<Record<string, unknown>>, header = {}): Promise<string> {
  const outcome = await newVerifier().verify(await signIdToken(key, claims(changes), header));
  return outcome.kind === 'verified' ? 'verified' : outcome.reason;
}

describe('the claims of an ID token', () => {
  it('give subject, tenant, provider, email and name', async () => {
    const token = await signIdToken(
      key,
      claims({
        firebase: { tenant: 't-1', sign_in_provider: 'google.com' },
        email: 'a@example.com',
        email_verified: true,
        name: 'Ada',
      }),
    );
    expect(await newVerifier().verify(token)).toEqual({
      kind: 'verified',
      subject: 'u1',
      tenant: 't-1',
      provider: 'google.com',
      email: 'a@example.com',
      name: 'Ada',
    });
  });

  it('give null for missing values', async () => {
    expect(await newVerifier().verify(await signIdToken(key, claims()))).toEqual({
      kind: 'verified',
      subject: 'u1',
      tenant: null,
      provider: null,
      email: null,
      name: null,
    });
  });

  it.each([
    [{ email_verified: true }, 'a@example.com'],
    [{}, 'a@example.com'],
    [{ email_verified: false }, null],
    [{ email_verified: 'false' }, null],
  ])(
    'include the email unless the issuer says that it is unverified, if verification is assumed: %o',
    async (verified, email) => {
      const token = await signIdToken(key, claims({ email: 'a@example.com', ...verified }));
      expect(await newVerifier({ isEmailAssumedVerified: true }).verify(token)).toMatchObject({ email });
    },
  );

  it.each([
    [{ email_verified: true }, 'a@example.com'],
    [{ email_verified: 'true' }, 'a@example.com'],
    [{}, null],
    [{ email_verified: null }, null],
    [{ email_verified: 1 }, null],
    [{ email_verified: false }, null],
    [{ email_verified: 'false' }, null],
  ])('include the email only if the issuer says that it is verified: %o', async (verified, email) => {
    const token = await signIdToken(key, claims({ email: 'a@example.com', ...verified }));
    expect(await newVerifier().verify(token)).toMatchObject({ email });
  });

  it('give tenant and provider by a claim with dots in its name, and by a dotted path', async () => {
    const token = await signIdToken(
      key,
      claims({ 'https://example.com/tenant': 't-2', realm: { via: { name: 'oidc.kc' } } }),
    );
    const verifier = newVerifier({ tenantClaim: 'https://example.com/tenant', providerClaim: 'realm.via.name' });
    expect(await verifier.verify(token)).toMatchObject({ tenant: 't-2', provider: 'oidc.kc' });
  });

  it.each([['__proto__.toString'], ['constructor.name'], ['sub.length']])(
    'include no inherited member: %s',
    async (tenantClaim) => {
      const token = await signIdToken(key, claims());
      expect(await newVerifier({ tenantClaim }).verify(token)).toMatchObject({ tenant: null });
    },
  );

  it.each([
    ['an array', ['t-1']],
    ['a number', 7],
    ['an empty string', ''],
    ['an object', {}],
    ['false', false],
  ])('are rejected if the tenant is %s, which must not pass for a missing one', async (_, tenant) => {
    expect(await outcomeOf({ firebase: { tenant } })).toBe('the tenant in the ID token is not a string');
  });

  const otherAudience = 'the ID token is for another client';
  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ exp: startSeconds - 59 }, 'verified'],
    [{ exp: startSeconds - 60 }, 'the ID token expired'],
    [{ iat: startSeconds + 60 }, 'verified'],
    [{ iat: startSeconds + 61 }, 'the ID token was issued in the future'],
    [{ nbf: startSeconds + 60 }, 'verified'],
    [{ nbf: startSeconds + 61 }, 'the ID token is not valid yet'],
    [{ exp: undefined }, 'a claim of the ID token is malformed'],
    [{ iat: undefined }, 'a claim of the ID token is malformed'],
    [{ exp: '9999999999' }, 'a claim of the ID token is malformed'],
    [{ sub: undefined }, 'a claim of the ID token is malformed'],
    [{ sub: '' }, 'the ID token has no subject'],
    [{ sub: 42 }, 'the ID token has no subject'],
    [{ iss: undefined }, 'the ID token is of another issuer'],
    [{ iss: 'http://127.0.0.1:1' }, 'the ID token is of another issuer'],
    [{ aud: undefined }, otherAudience],
    [{ aud: 'other' }, otherAudience],
    [{ aud: [audience] }, 'verified'],
    [{ aud: [audience, 'other'] }, otherAudience],
    [{ aud: [audience, 'other'], azp: 'other' }, otherAudience],
    [{ aud: [audience, 'other'], azp: audience }, 'verified'],
    [{ aud: audience, azp: 'an app of the same project' }, 'verified'],
    [{ typ: 'Bearer' }, 'the token is not an ID token'],
    [{ typ: 'ID' }, 'verified'],
  ])('with %o: %s', async (changes, outcome) => {
    expect(await outcomeOf(changes)).toBe(outcome);
  });

  it('name the issuer exactly, trailing slash included', async () => {
    expect(await outcomeOf({ iss: `${provider.issuer}/` })).toBe('the ID token is of another issuer');
  });
});

describe('the signature of an ID token', () => {
  const notAccepted = 'the algorithm of the ID token is not accepted';

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'])('may be %s', async (algorithm) => {
    const ownKey = await newIssuerKey(algorithm, 'own');
    provider.keys.splice(0, 1, ownKey.publicJwk);
    expect(await newVerifier().verify(await signIdToken(ownKey, claims()))).toMatchObject({ kind: 'verified' });
  });

  it.each(['PS384', 'PS512', 'ES512'])('may not be %s', async (algorithm) => {
    const ownKey = await newIssuerKey(algorithm, 'own');
    provider.keys.splice(0, 1, ownKey.publicJwk);
    expect(await newVerifier().verify(await signIdToken(ownKey, claims()))).toEqual({
      kind: 'rejected',
      reason: notAccepted,
    });
  });

  it.each(['none', 'None', 'NONE'])('is required, even with alg %s', async (alg) => {
    expect((await newVerifier().verify(unsignedToken({ alg, kid: 'first' }, claims()))).kind).toBe('rejected');
  });

  it('may not be an HMAC with the published key as secret', async () => {
    const publicKey = await importJWK(key.publicJwk, 'RS256', { extractable: true });
    const secrets = [await exportSPKI(publicKey as CryptoKey), JSON.stringify(key.publicJwk), key.publicJwk.n as string];
    for (const secret of secrets) {
      const token = unsignedToken({ alg: 'HS256', kid: 'first' }, claims()).slice(0, -1);
      const signature = createHmac('sha256', secret).update(token).digest('base64url');
      expect(await newVerifier().verify(`${token}.${signature}`)).toEqual({ kind: 'rejected', reason: notAccepted });
    }
  });

  it('must belong to the issuer, whatever key the token contains', async () => {
    const forged = await signIdToken(otherKey, claims(), { kid: 'first', jwk: otherKey.publicJwk });
    expect(await newVerifier().verify(forged)).toEqual({
      kind: 'rejected',
      reason: 'the signature of the ID token is wrong',
    });
  });

  it('covers the claims', async () => {
    const [header, , signature] = (await signIdToken(key, claims())).split('.');
    const body = Buffer.from(JSON.stringify(claims({ sub: 'someone else' }))).toString('base64url');
    expect(await newVerifier().verify(`${header}.${body}.${signature}`)).toMatchObject({ kind: 'rejected' });
  });

  it.each(['at+jwt', 'logout+jwt', 'application/at+jwt'])('of another token type, %s, is refused', async (typ) => {
    expect(await outcomeOf({}, { typ })).toBe('the token is not an ID token');
  });

  it.each(['JWT', 'jwt', undefined])('of type %s is accepted', async (typ) => {
    expect(await outcomeOf({}, typ === undefined ? {} : { typ })).toBe('verified');
  });

  it.each(['', '.', '..', 'a.b.c', 'not a token', 'x'.repeat(40_000)])(
    'of a malformed token is rejected (%#)',
    async (token) => {
      expect(await newVerifier().verify(token)).toMatchObject({ kind: 'rejected' });
      expect(provider.asked.discovery).toBe(0);
    },
  );
});

it.each(['\u212aen@example.com', '\u017fue@example.com', 'k\u0131m@example.com', 'gro\u00df@example.com', 'ada@\u2488com'])(
  'the lookalike email %j is dropped unless it comes from our own issuer',
  async (email) => {
    const token = await signIdToken(key, claims({ email, email_verified: true }));
    expect(await newVerifier().verify(token)).toMatchObject({ kind: 'verified', email: null });
    expect(
      await newVerifier({ findKey: () => importJWK(key.publicJwk, 'RS256') as Promise<CryptoKey> }).verify(token),
    ).toMatchObject({ email });
  },
);

it.each([
  ['Ada@\uff45xample.com', 'Ada@example.com'],
  ['ada@b\u00fccher\u3002example', 'ada@b\u00fccher.example'],
  ['root@localhost', 'root@localhost'],
])('the email %j is kept as %j', async (email, kept) => {
  const token = await signIdToken(key, claims({ email, email_verified: true }));
  expect(await newVerifier().verify(token)).toMatchObject({ email: kept });
});

describe("the issuer's keys", () => {
  it('are fetched once for many sign-ins, even simultaneous ones', async () => {
    const verifier = newVerifier();
    const token = await signIdToken(key, claims());
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(token)));
    await verifier.verify(token);
    expect(provider.asked).toEqual({ discovery: 1, jwks: 1 });
  });

  it('are fetched again after ten minutes, so that a withdrawn key stops working', async () => {
    const verifier = newVerifier();
    const token = await signIdToken(key, claims());
    await verifier.verify(token);
    provider.keys.splice(0, 1, otherKey.publicJwk);
    nowMs += 599_999;
    expect(await verifier.verify(token)).toMatchObject({ kind: 'verified' });
    nowMs += 1;
    expect(await verifier.verify(token)).toMatchObject({ kind: 'rejected' });
  });

  it('are fetched again for an unknown key id, at most once in five seconds', async () => {
    const verifier = newVerifier();
    await verifier.verify(await signIdToken(key, claims()));
    provider.keys.push(otherKey.publicJwk);
    const rotated = await signIdToken(otherKey, claims());
    nowMs += 4_999;
    expect(await verifier.verify(rotated)).toMatchObject({ kind: 'rejected' });
    expect(provider.asked.jwks).toBe(1);
    nowMs += 1;
    expect(await verifier.verify(rotated)).toMatchObject({ kind: 'verified' });
    expect(provider.asked.jwks).toBe(2);

    const invented = await Promise.all(
      Array.from({ length: 50 }, (_, index) => signIdToken(otherKey, claims(), { kid: `invented-${index}` })),
    );
    nowMs += 5_000;
    const outcomes = await Promise.all(invented.map((token) => verifier.verify(token)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    expect(provider.asked.jwks).toBe(3);
  });

  it('may include an unusable or unknown key beside the right one', async () => {
    provider.keys.unshift({ kty: 'XYZ', kid: 'first' }, { kty: 'RSA', kid: 'broken', n: '%', e: 'AQAB' });
    expect(await outcomeOf({})).toBe('verified');
    const broken = await signIdToken(key, claims(), { kid: 'broken' });
    expect(await newVerifier().verify(broken)).toMatchObject({ kind: 'rejected' });
  });

  it.each<[string, (path: string, response: import('node:http').ServerResponse) => boolean]>([
    ['status 500', (_, response) => Boolean(response.writeHead(500).end())],
    ['invalid JSON', (_, response) => Boolean(response.end('<html>'))],
    ['a value other than an object', (_, response) => Boolean(response.end('null'))],
    ['a redirect', (_, response) => Boolean(response.writeHead(302, { Location: `${provider.issuer}/elsewhere` }).end())],
    ['more than 256 KiB', (_, response) => Boolean(response.end(JSON.stringify({ keys: [], fill: 'x'.repeat(270_000) })))],
    ['a broken connection', (_, response) => Boolean(response.destroy())],
  ])('are unavailable with %s; sign-in recovers without a restart', async (_, disturbance) => {
    const verifier = newVerifier();
    const token = await signIdToken(key, claims());
    for (const disturbed of ['/.well-known/openid-configuration', '/jwks']) {
      provider.disturb = (path, response) => path === disturbed && disturbance(path, response);
      expect(await verifier.verify(token)).toEqual({ kind: 'rejected', reason: 'the identity provider is unavailable' });
      expect(outages.at(-1)).toBeInstanceOf(Error);
      provider.disturb = () => false;
      nowMs += 1_000;
      expect(await verifier.verify(token)).toMatchObject({ kind: 'verified' });
      nowMs += 600_000;
    }
  });

  it('that are not JSON are not quoted in the log', async () => {
    const verifier = newVerifier();
    const token = await signIdToken(key, claims());
    for (const disturbed of ['/.well-known/openid-configuration', '/jwks']) {
      provider.disturb = (path, response) => path === disturbed && Boolean(response.end('very secret'));
      await verifier.verify(token);
      nowMs += 2_000;
    }
    expect(outages).toHaveLength(2);
    const told = inspect(outages, { depth: 9 });
    expect(told).toContain('the body is not JSON');
    expect(told).not.toMatch(/very|secret/);
  });

  it('are not requested more than once a second while unavailable', async () => {
    const verifier = newVerifier();
    const token = await signIdToken(key, claims());
    provider.disturb = (_, response) => Boolean(response.writeHead(503).end());
    for (let i = 0; i < 20; i++) await verifier.verify(token);
    expect(provider.asked.discovery).toBe(1);
  });

  it.each([
    [{ issuer: 'https://example.com' }],
    [{ issuer: undefined }],
    [{ jwks_uri: undefined }],
    [{ jwks_uri: 'http://keys.example.com/jwks' }],
    [{ jwks_uri: 'file:///etc/passwd' }],
    [{ jwks_uri: 'http://user:password@127.0.0.1/jwks' }],
  ])('are not used if the metadata contains %o', async (metadata) => {
    provider.metadata = metadata;
    expect(await outcomeOf({})).toBe('the identity provider is unavailable');
    expect(provider.asked.jwks).toBe(0);
  });

  it('of an https issuer must use https', async () => {
    const asked: string[] = [];
    const issuer = 'https://login.example.com/';
    const verifier = newVerifier({
      issuer,
      fetch: async (url) => {
        asked.push(url);
        return Response.json({ issuer, jwks_uri: `${provider.issuer}/jwks` });
      },
    });
    expect(await verifier.verify(await signIdToken(key, claims({ iss: issuer })))).toMatchObject({ kind: 'rejected' });
    expect(asked).toEqual(['https://login.example.com/.well-known/openid-configuration']);
  });
});

describe("the issuer's address", () => {
  it.each(['https://a.example', 'https://a.example/t/1/', 'http://localhost:9', 'http://127.0.0.1', 'http://[::1]:8'])(
    'may be %s',
    (issuer) => expect(newVerifier({ issuer }).issuer).toBe(issuer),
  );

  it.each([
    'http://a.example',
    'http://localhost.a.example',
    'http://127.0.0.1.a.example',
    'ftp://a.example',
    'a.example',
    '',
    'https://u:p@a.example',
    'https://a.example/?x=1',
    'https://a.example/#x',
  ])('may not be %s', (issuer) => expect(() => newVerifier({ issuer })).toThrow(TypeError));
});

describe('locally known keys', () => {
  const issuer = 'http://service.example/identity';
  const signed = () => signIdToken(key, claims({ iss: issuer }));

  it("are used without a request, whatever the issuer's address", async () => {
    const publicKey = (await importJWK(key.publicJwk, 'RS256')) as CryptoKey;
    const asked: unknown[] = [];
    const findKey = async (header: object) => {
      asked.push(header);
      return publicKey;
    };
    expect(await newVerifier({ issuer, findKey }).verify(await signed())).toMatchObject({ kind: 'verified' });
    expect(asked).toEqual([{ alg: 'RS256', kid: 'first' }]);
    expect(provider.asked).toEqual({ discovery: 0, jwks: 0 });
    const forged = await signIdToken(otherKey, claims({ iss: issuer }), { kid: 'first' });
    expect(await newVerifier({ issuer, findKey }).verify(forged)).toMatchObject({ kind: 'rejected' });
  });

  it('that the store cannot read are not a fault of the token', async () => {
    const findKey = () => Promise.reject(new StoreUnavailable('down'));
    await expect(newVerifier({ issuer, findKey }).verify(await signed())).rejects.toBeInstanceOf(StoreUnavailable);
    expect(outages).toEqual([]);
  });
});
