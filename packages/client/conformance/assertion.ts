/** Checks a guest's assertion like the service. */
import { createPublicKey, hash, verify } from 'node:crypto';
import type { AssertionRule } from './cases.ts';

/** Returns the fault of an assertion for the service at `origin`, or undefined. `saved` contains keys and ids from earlier in the case. */
export function assertionFault(
  rule: AssertionRule,
  text: string,
  origin: string,
  saved: Map<string, string>,
): string | undefined {
  const [head = '', body = '', signature = ''] = text.split('.');
  const header = parse(head);
  const claims = parse(body);
  const { jwk } = header;
  const { crv, kty, x, y } = Object(jwk) as Readonly<Record<string, unknown>>;
  const wanted = { typ: 'guest+jwt', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x, y } };
  if (!isSame(header, wanted)) return `the header of the assertion is ${JSON.stringify(header)}`;
  const thumbprint = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
  const { nonce = null, jti, ...rest } = claims;
  const said = {
    iss: thumbprint,
    sub: thumbprint,
    aud: origin,
    client_id: rule.clientId,
    scope: rule.scope,
    ...rule.claims,
  };
  for (const [name, value] of Object.entries(said)) {
    if (rest[name] !== value) return `${name} of the assertion is ${rest[name]}, and not ${value}`;
  }
  if (nonce !== rule.nonce) return `nonce of the assertion is ${nonce}, and not ${rule.nonce}`;
  if (typeof jti !== 'string' || jti.length > 64 || saved.has(`jti ${jti}`)) return `jti of the assertion is ${jti}`;
  saved.set(`jti ${jti}`, '');
  if ((saved.get(rule.key) ?? thumbprint) !== thumbprint) return 'the assertion is signed with another key than before';
  saved.set(rule.key, thumbprint);
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: String(x), y: String(y) }, format: 'jwk' });
  const how = { key, dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), how, Buffer.from(signature, 'base64url'));
  return isSigned ? undefined : 'the signature of the assertion is wrong';
}

function parse(part: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString()));
  } catch {
    return {};
  }
}

/** Whether two values have the same members, whatever their order. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)));
}
