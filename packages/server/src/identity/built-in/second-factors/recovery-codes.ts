/** Codes that replace an authenticator app, each once. */
import { createHmac, randomBytes } from 'node:crypto';
import { plainCode } from '../../../common/text/typed-code.ts';

const codesCount = 10;
const codeCharacters = 16;
/** Crockford's base 32: no letter looks like a digit. 16 characters hold 80 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns new codes as they are shown, for example `x3k9-p2mq-71tb-zz4e`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: codesCount }, () => {
    const digits = [...randomBytes(codeCharacters)].map((byte) => alphabet[byte % alphabet.length]).join('');
    return (digits.match(/.{4}/g) ?? []).join('-');
  });
}

/** Returns a typed code in the form that is hashed; undefined if it cannot be a code. */
export function parseRecoveryCode(typed: string): string | undefined {
  const code = plainCode(typed).toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1');
  return code.length === codeCharacters && [...code].every((digit) => alphabet.includes(digit)) ? code : undefined;
}

/** Hashes somebody's code with a key of the installation, so that a reader of the database cannot try codes. */
export const recoveryHash = (key: Uint8Array, whom: string, code: string): Uint8Array =>
  Uint8Array.from(
    createHmac('sha256', key)
      .update(JSON.stringify([whom, code]))
      .digest(),
  );
