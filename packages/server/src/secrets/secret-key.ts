/** The 32-byte secret key of an installation, which seals every secret at rest. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
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
import { createOwnedFile, denialOf } from '../common/owned-files.ts';
import { textOfBytes } from '../common/text-file.ts';

export const secretKeyBytes = 32;

/** The secret keys of an installation. The first one seals, and all of them open: there are two while the key changes. */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]];

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
 * Returns the secret key in `secret.key` of the data directory; creates it if there is none. The file appears complete or
 * not at all, and of several processes that start at once, one creates it and all read it.
 *
 * Throws `SecretFault` when the file holds no key, and when somebody else knows it or may replace it, which `exposureOf` says: like an
 * SSH key, it is then refused and not repaired, since it may have been read already.
 */
export function loadOrCreateSecretKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'secret.key');
  return readSecretKey(path) ?? createSecretKey(dataDir, path);
}

/** Where the secret keys of an installation are. */
export interface SecretKeySettings {
  /** Undefined: the file `secret.key` of the data directory has it. */
  readonly secretKey: Uint8Array | undefined;
  /** A second key, which only opens. */
  readonly secretKeyOther: Uint8Array | undefined;
  readonly dataDir: string;
}

/** Returns the secret keys of an installation. Creates the file as `loadOrCreateSecretKey` does, and throws what that throws. */
export function loadOrCreateSecretKeys({ secretKey, secretKeyOther, dataDir }: SecretKeySettings): SecretKeys {
  return secretKeysOf(secretKey ?? loadOrCreateSecretKey(dataDir), secretKeyOther);
}

/** Returns a key that seals, with the one that opens beside it, if there is one. */
export const secretKeysOf = (sealing: Uint8Array, other: Uint8Array | undefined): SecretKeys =>
  other === undefined ? [sealing] : [sealing, other];

const root = 0;
const permissionsOfOthers = 0o077;
/** What is left to a group is to read: a secret that root mounts for a service is readable by the group of the service. */
const permissionsBesidesGroupReads = 0o037;

/** Who uses a secret key, and whose folder it is in. */
export interface SecretKeyUsers {
  readonly user: number;
  readonly folder: number;
}

/**
 * Returns what exposes a secret key to others, and what to do; undefined when nothing does. It belongs to who uses it, or to root, or,
 * if root uses it, to the owner of its folder, who could replace all that is in there. Nobody else may read it, except the group of a
 * key that root gives to another user.
 */
export function exposureOf(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  { user, folder }: SecretKeyUsers,
): { finding: string; advice: string } | undefined {
  const isTrusted = uid === user || uid === root || (user === root && uid === folder);
  if (!isTrusted)
    return {
      finding: `belongs to user ${uid}, and this runs as user ${user}`,
      advice: `\`chown ${user}\` it if that user may know it`,
    };
  const forbidden = uid === root && user !== root ? permissionsBesidesGroupReads : permissionsOfOthers;
  if ((mode & forbidden) === 0) return undefined;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return { finding: `is open to others (mode ${octal})`, advice: '`chmod 600` it if nobody read it' };
}

function readSecretKey(path: string): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (fault) {
    if (isCode(fault, 'ENOENT')) return undefined;
    const denial = denialOf(path, constants.R_OK);
    const reason = denial ? `: ${denial.reason}; ${denial.advice}, or set SVC_SECRET_KEY` : '';
    throw new SecretFault(`cannot read the secret key ${path}${reason}`, { cause: fault });
  }
  try {
    const user = process.getuid?.();
    const exposure =
      user === undefined ? undefined : exposureOf(fstatSync(file), { user, folder: statSync(dirname(path)).uid });
    if (exposure)
      throw new SecretFault(`the secret key ${path} ${exposure.finding}; ${exposure.advice}, or set SVC_SECRET_KEY`);
    return parseSecretKey(textOfBytes(readFileSync(file)), path);
  } finally {
    closeSync(file);
  }
}

/** Writes a complete file under a name of its own, then links it to `path`: a link never replaces what is there. */
function createSecretKey(dataDir: string, path: string): Uint8Array {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = createOwnedFile(draft);
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
