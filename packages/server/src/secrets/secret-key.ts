/** The 32-byte secret key of an installation, which seals every secret at rest. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export const secretKeyBytes = 32;

/** A secret key or a sealed value that cannot be used, with what to do about it. */
export class SecretFault extends Error {
  override readonly name = 'SecretFault';
}

/** A sealed value that the secret key does not open. */
export class SealFault extends SecretFault {}

/** Returns the 32 bytes that `text` holds in base64; throws `SecretFault`, naming `source`, when it holds anything else. */
export function parseSecretKey(text: string, source: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== secretKeyBytes || bytes.toString('base64') !== text.trim()) {
    throw new SecretFault(`${source} is not 32 bytes in base64; \`openssl rand -base64 32\` makes such a key`);
  }
  return bytes;
}

/**
 * Returns the secret key in `secret.key` of the data directory; makes it when there is none. The file appears complete or
 * not at all, and of several processes that begin at once one makes it and all read it.
 *
 * Throws `SecretFault` when the file holds no key, is somebody else's, or when others than its owner may touch it: like an SSH key, it is
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
    demandPrivate(path, fstatSync(file));
    return parseSecretKey(readFileSync(file, 'utf8'), path);
  } finally {
    closeSync(file);
  }
}

/**
 * Throws `SecretFault` unless the file belongs to who runs this and nobody else may touch it. Root also takes that of the user whose the
 * folder is: then it works on that user's installation.
 */
function demandPrivate(path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): void {
  const self = process.getuid?.();
  if (self === undefined) return; // Windows
  if (uid !== self && !(self === 0 && uid === statSync(dirname(path)).uid)) {
    throw new SecretFault(
      `the secret key ${path} belongs to user ${uid}, and this runs as user ${self}; \`chown ${self}\` it if nobody else knows it, or set SVC_SECRET_KEY`,
    );
  }
  if ((mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    throw new SecretFault(
      `the secret key ${path} is open to others (mode ${shown}); \`chmod 600\` it if nobody read it, or set SVC_SECRET_KEY`,
    );
  }
}

/** Writes a complete file under a name of its own, then links it to `path`: a link never replaces what is there. */
function createSecretKey(dataDir: string, path: string): Uint8Array {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, `${randomBytes(secretKeyBytes).toString('base64')}\n`);
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
