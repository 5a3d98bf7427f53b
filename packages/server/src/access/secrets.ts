/**
 * Secrets at rest: the 32-byte secret key of an installation, and sealing with it (AES-256-GCM).
 *
 * A sealed value is one version byte, a random nonce of 12 bytes, the tag of 16 bytes and the ciphertext. Purpose and record
 * are authenticated beside it, so a value moved to another record, or used for another purpose, does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;

/** A secret key or a sealed value that cannot be used, with what to do about it. */
export class SecretFault extends Error {
  override readonly name = 'SecretFault';
}

export interface Sealer {
  /** Encrypts `plain` for the record `recordId`. */
  seal(plain: Uint8Array, recordId: string): Uint8Array;
  /** Returns what was sealed for `recordId`; throws `SecretFault` when the value, record, purpose or key is another one. */
  open(sealed: Uint8Array, recordId: string): Uint8Array;
}

/** Returns a sealer for one purpose, such as `signing-key`. What it seals opens only under the same purpose. */
export function createSealer(secretKey: Uint8Array, purpose: string): Sealer {
  if (secretKey.length !== keyBytes) throw new SecretFault(`the secret key has ${secretKey.length} bytes instead of 32`);
  const associatedData = (recordId: string) => Buffer.from(JSON.stringify(['holdfast', formatVersion, purpose, recordId]));
  return {
    seal(plain, recordId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', secretKey, nonce).setAAD(associatedData(recordId));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Uint8Array.of(formatVersion), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, recordId) {
      const fault = `cannot open the ${purpose} of ${JSON.stringify(recordId)}`;
      if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== formatVersion) {
        throw new SecretFault(`${fault}: it is not a sealed value of format ${formatVersion}`);
      }
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', secretKey, nonce, { authTagLength: tagBytes });
      decipher.setAAD(associatedData(recordId)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]);
      } catch (cause) {
        throw new SecretFault(`${fault}: it was changed, or sealed with another secret key`, { cause });
      }
    },
  };
}

/** Returns the 32 bytes that `text` holds in base64; throws `SecretFault`, naming `source`, when it holds anything else. */
export function parseSecretKey(text: string, source: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== keyBytes || bytes.toString('base64') !== text.trim()) {
    throw new SecretFault(`${source} does not hold 32 bytes in base64; \`openssl rand -base64 32\` makes such a key`);
  }
  return bytes;
}

/**
 * Returns the secret key in `secret.key` of the data directory; makes it when there is none. The file appears complete or
 * not at all, and of several processes that begin at once one makes it and all read it.
 *
 * Throws `SecretFault` when the file holds no key, or when others than its owner may touch it: like an SSH key, it is
 * then refused and not repaired, since it may have been read already.
 */
export function loadOrCreateSecretKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'secret.key');
  return readSecretKey(path) ?? createSecretKey(dataDir, path);
}

function readSecretKey(path: string): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (fault) {
    if (isCode(fault, 'ENOENT')) return undefined;
    throw new SecretFault(`cannot read the secret key ${path}`, { cause: fault });
  }
  try {
    const mode = fstatSync(file).mode & 0o777;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new SecretFault(
        `the secret key ${path} is open to others (mode ${mode.toString(8).padStart(4, '0')}); \`chmod 600\` it if nobody read it`,
      );
    }
    return parseSecretKey(readFileSync(file, 'utf8'), path);
  } finally {
    closeSync(file);
  }
}

/** Writes a complete file under a name of its own, then links it to `path`: a link never replaces what is there. */
function createSecretKey(dataDir: string, path: string): Uint8Array {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, `${randomBytes(keyBytes).toString('base64')}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (fault) {
    if (!isCode(fault, 'EEXIST')) throw new SecretFault(`cannot create the secret key ${path}`, { cause: fault });
  } finally {
    closeSync(file);
    unlinkSync(draft);
  }
  syncDirectory(dataDir);
  const secretKey = readSecretKey(path);
  if (secretKey === undefined) throw new SecretFault(`the secret key ${path} vanished while it was created`);
  return secretKey;
}

/** Makes a new name in the directory survive a power cut; Windows has no such call and needs none. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function isCode(fault: unknown, code: string): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === code;
}
