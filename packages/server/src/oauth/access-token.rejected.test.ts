import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign as signBytes } from 'node:crypto';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStoreFixture, type StoreFixture } from '../access/store.fixture.ts';
import type { JwtKey } from '../common/secrets/jwt.ts';
import { createSealer } from '../secrets/sealer.ts';
import { type AccessTokens, createAccessTokens } from './access-token.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

const issuer = 'https://state.example';
const startMs = Date.UTC(2026, 0, 1) + 250;
const start = Math.floor(startMs / 1000);
let fixture: StoreFixture;
let nowMs = startMs;
let signingKeys: SigningKeys;
let signingKey: JwtKey;
let tokens: AccessTokens;

beforeAll(async () => {
  fixture = await openStoreFixture();
  const sealer = createSealer(Buffer.alloc(32, 1), 'signing-key');
  signingKeys = createSigningKeys({ store: fixture.store, purpose: 'access_token', ...sealer, now: () => nowMs });
});
afterAll(() => fixture.dispose());
beforeEach(async () => {
  nowMs = startMs;
  tokens = createAccessTokens({ signingKeys, issuer: () => issuer, now: () => nowMs });
  signingKey = await signingKeys.current();
});

const developer = { accountId: 'acc_1', subject: 'dev', seconds: 900 };

describe('an access token is rejected', () => {
  const rejected = { kind: 'rejected', reason: 'the token is malformed, or was not issued by this service' };
  const claims: JWTPayload = {
    iss: issuer,
    aud: issuer,
    sub: 'dev',
    client_id: 'svc-developer',
    iat: start,
    exp: start + 900,
    jti: 'j',
    svc_role: 'developer',
    svc_account_id: 'acc_1',
  };
  const playerClaims: JWTPayload = {
    ...claims,
    sub: 'u',
    user_id: 'u',
    client_id: 'acc_1.hello',
    svc_role: 'end_user',
    svc_project_slug: 'hello',
    svc_environment: 'staging',
  };
  const goodHeader = () => ({ alg: 'ES256', typ: 'at+jwt', kid: signingKey.keyId });
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (text: string) => `${text}.${signingKey.sign(text)}`;
  const sign = (payload: JWTPayload, header: object = {}) =>
    signed(`${part({ ...goodHeader(), ...header })}.${part(payload)}`);

  it('unless its claims and header are as this service writes them', async () => {
    expect(await tokens.verify(sign(claims))).toMatchObject({ kind: 'verified' });
    expect(await tokens.verify(sign(playerClaims))).toMatchObject({ kind: 'verified' });
  });

  it.each<[string, JWTPayload]>([
    ['of another issuer', { ...claims, iss: 'https://evil.example' }],
    ['of an issuer that begins like the service', { ...claims, iss: `${issuer}/` }],
    ['for another audience', { ...claims, aud: 'https://other.example' }],
  ])('%s, as if issued at another address of the service', async (_, payload) => {
    const reason = 'the token was issued for another address of the service';
    expect(await tokens.verify(sign(payload))).toEqual({ kind: 'rejected', reason });
  });

  it.each<[string, JWTPayload]>([
    ['without an issuer', { ...claims, iss: undefined as unknown as string }],
    ['without an audience', { ...claims, aud: undefined as unknown as string }],
    ['without an expiry', { ...claims, exp: undefined as unknown as number }],
    ['without an id', { ...claims, jti: undefined as unknown as string }],
    ['without a subject', { ...claims, sub: undefined as unknown as string }],
    ['with an empty subject', { ...claims, sub: '' }],
    ['of another client', { ...claims, client_id: 'acc_1.hello' }],
    ['without a client', { ...claims, client_id: undefined }],
    ['without a role', { ...claims, svc_role: undefined }],
    ['of an inherited role', { ...claims, svc_role: '__proto__' }],
    ['that acts as an unknown actor', { ...claims, svc_acts_as: 'root' }],
    ['that acts as a member by claim', { ...claims, svc_acts_as: 'member' }],
    ['of two roles', { ...claims, svc_role: ['developer', 'end_user'] }],
    ['without an account', { ...claims, svc_account_id: undefined }],
    ['of an account that is not a string', { ...claims, svc_account_id: { toString: 'acc_1' } }],
    ['of a player with another subject', { ...playerClaims, user_id: 'v' }],
    ['of a player without user_id', { ...playerClaims, user_id: undefined }],
    ['of a player without a project', { ...playerClaims, svc_project_slug: undefined }],
    ['of a player of another client', { ...playerClaims, client_id: 'acc_1.other' }],
    ['of a player without a valid environment', { ...playerClaims, svc_environment: 'Staging' }],
    ['of a player with a developer client', { ...playerClaims, client_id: 'svc-developer' }],
  ])('%s', async (_, payload) => {
    expect(await tokens.verify(sign(payload))).toEqual(rejected);
  });

  it('of another type', async () => {
    for (const typ of ['JWT', 'id_token', '', undefined]) {
      expect(await tokens.verify(sign(claims, { typ }))).toEqual(rejected);
    }
  });

  it('with any additional field in its header', async () => {
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = foreign.publicKey.export({ format: 'jwk' });
    for (const header of [
      { jwk },
      { jku: 'https://evil.example' },
      { x5c: ['x'] },
      { crit: ['b64'], b64: true },
      { cty: 'x' },
    ]) {
      expect(await tokens.verify(sign(claims, header))).toEqual(rejected);
    }
  });

  it('signed by a foreign key, with its own key id, ours, or one that steers a look-up', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    for (const kid of [
      signingKey.keyId,
      'foreign',
      '__proto__',
      '../../secret.key',
      "' OR 1=1 --",
      '',
      7 as unknown as string,
    ]) {
      for (const header of [{ kid }, { kid, jwk }]) {
        const token = await new SignJWT(claims).setProtectedHeader({ ...goodHeader(), ...header }).sign(privateKey);
        expect(await tokens.verify(token)).toEqual(rejected);
      }
    }
  });

  it('with a different algorithm, or none', async () => {
    const [published] = (await signingKeys.jwks()).keys;
    const publicKey = createPublicKey({ key: { ...published }, format: 'jwk' });
    const secrets = [publicKey.export({ format: 'pem', type: 'spki' }), JSON.stringify(published), published?.x ?? ''];
    for (const secret of secrets) {
      const forged = new SignJWT(claims).setProtectedHeader({ ...goodHeader(), alg: 'HS256' });
      expect(await tokens.verify(await forged.sign(Buffer.from(secret)))).toEqual(rejected);
    }
    for (const alg of ['none', 'None', 'NONE', '', 'ES256K', 'ES384', 'es256', undefined]) {
      const unsigned = `${part({ ...goodHeader(), alg })}.${part(claims)}`;
      for (const signature of ['', 'AAAA', Buffer.alloc(64).toString('base64url')]) {
        expect(await tokens.verify(`${unsigned}.${signature}`)).toEqual(rejected);
      }
    }
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsa = new SignJWT(claims).setProtectedHeader({ ...goodHeader(), alg: 'RS256' });
    expect(await tokens.verify(await rsa.sign(privateKey))).toEqual(rejected);
  });

  it('with an empty signature: all zeros, or in DER', async () => {
    const text = `${part(goodHeader())}.${part(claims)}`;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const der = (key: KeyObject) => signBytes('sha256', Buffer.from(text), key).toString('base64url');
    for (const signature of [Buffer.alloc(64).toString('base64url'), der(privateKey)]) {
      expect(await tokens.verify(`${text}.${signature}`)).toEqual(rejected);
    }
  });

  it('with any character changed or removed', async () => {
    const token = await tokens.signDeveloperToken(developer);
    const lastOfParts = new Set([token.indexOf('.') - 1, token.lastIndexOf('.') - 1, token.length - 1]);
    for (let i = 0; i < token.length; i++) {
      // The last character of a part may hold unused bits: the text then differs, but not the bytes.
      if (lastOfParts.has(i)) continue;
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      expect(await tokens.verify(changed)).toEqual(rejected);
      expect(await tokens.verify(token.slice(0, i))).toEqual(rejected);
    }
  });

  it('if it is not a token at all, without a fault', async () => {
    const [header, payload, signature] = (await tokens.signDeveloperToken(developer)).split('.');
    const texts = [
      '',
      '.',
      '..',
      '...',
      'a.b.c',
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      `${part(null)}.${payload}.${signature}`,
      `${part([])}.${payload}.${signature}`,
      `${part('x')}.${payload}.${signature}`,
      `${Buffer.from('{"alg":"ES256"').toString('base64url')}.${payload}.${signature}`,
      `${Buffer.from([0xff, 0xfe]).toString('base64url')}.${payload}.${signature}`,
      `${part({ alg: 'dir', enc: 'A256GCM' })}.a.b.c.d`,
      `${part({ ...goodHeader(), kid: ['a'] })}.${payload}.${signature}`,
      `${part(goodHeader())}.${Buffer.from('[').toString('base64url')}.${signature}`,
      '\0\0.\0.\0',
      'é.é.é',
      randomUUID(),
    ];
    for (const text of texts) expect(await tokens.verify(text)).toEqual(rejected);
  });

  it('if its signed claims are not an object', async () => {
    for (const payload of ['null', '[]', '7', '"x"', '{']) {
      const text = `${part(goodHeader())}.${Buffer.from(payload).toString('base64url')}`;
      expect(await tokens.verify(signed(text))).toEqual(rejected);
    }
  });

  it('immediately if it is huge', async () => {
    for (const character of ['a', '.', 'a.']) {
      const token = character.repeat(1_000_000);
      const milliseconds: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const started = process.threadCpuUsage();
        expect(await tokens.verify(token)).toEqual({ kind: 'rejected', reason: 'the token is too long' });
        milliseconds.push(process.threadCpuUsage(started).user / 1_000);
      }
      expect(Math.min(...milliseconds)).toBeLessThan(30);
    }
  });

  it('after its key is revoked, even if it was verified earlier', async () => {
    const token = await tokens.signDeveloperToken(developer);
    expect(await tokens.verify(token)).toMatchObject({ kind: 'verified' });
    await signingKeys.rotate();
    expect(await tokens.verify(token)).toMatchObject({ kind: 'verified' });
    await signingKeys.rotate({ revoke: true });
    expect(await tokens.verify(token)).toEqual(rejected);
    expect(await tokens.verify(await tokens.signDeveloperToken(developer))).toMatchObject({ kind: 'verified' });
  });
});
