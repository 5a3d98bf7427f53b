/** Prints and signs JSON Web Tokens. `jose` verifies them. */

/** A key pair that signs with ES256. */
export interface JwtKey {
  /** The id that the public key is published under. */
  readonly keyId: string;
  /** Returns the ES256 signature of a text in base64url. @see RFC 7518 §3.4 */
  readonly sign: (text: string) => string;
}

/** Returns a function that turns claims into a token of the type `typ`, signed with the key. @see RFC 7515 §7.1, RFC 7519 §7.1 */
export function jwtSigner({ keyId, sign }: JwtKey, typ: string): (claims: object) => string {
  const header = encode({ alg: 'ES256', typ, kid: keyId });
  return (claims) => {
    const text = `${header}.${encode(claims)}`;
    return `${text}.${sign(text)}`;
  };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
