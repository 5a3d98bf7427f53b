/** The 32-byte secret key of an installation, which seals every stored secret. */

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
import { createOwnedFile, denialOf } from '../common/files/owned-files.ts';
import { textOfBytes } from '../common/files/text-file.ts';

export const secretKeyBytes = 32;

/** The secret keys of an installation. The first one seals, and all of them open: there are two during a change of keys. */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]];

/** An unusable secret key or sealed value, with what to do about it. */
export class SecretFault extends Error {
  override readonly name = 'SecretFault';
}

/** A sealed value that the secret key does not open. */
export class SealFault extends SecretFault {}

/** Returns the 32 bytes of the base64 `text`; throws `SecretFault`, naming `source`, for anything else. */
export function parseSecretKey(text: string, source: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== secretKeyBytes || bytes.toString('base64') !== text.trim()) {
    throw new SecretFault(`${source} is not 32 bytes in base64; \`openssl rand -base64 32\` makes such a key`);
  }
  return bytes;
}

/**
 * Returns the secret key in `secret.key` of the data directory; creates the file if it is missing. The file appears complete or not at all,
 * and of several processes that start together, one creates it and all read it.
 *
 * Throws `SecretFault` if the file holds no key, and if others may read or replace it (`exposureOf`): like an SSH key, it is then refused
 * and not repaired, since it may have been read already.
 */
export function loadOrCreateSecretKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'secret.key');
  return readSecretKey(path) ?? createSecretKey(dataDir, path);
}

/** Where the secret keys of an installation are. */
export interface SecretKeySettings {
  /** Undefined: the key is in the file `secret.key` of the data directory. */
  readonly secretKey: Uint8Array | undefined;
  /** A second key, which only opens. */
  readonly secretKeyOther: Uint8Array | undefined;
  readonly dataDir: string;
}

/** Returns the secret keys of an installation. Creates the file as `loadOrCreateSecretKey` does, and throws the same faults. */
export function loadOrCreateSecretKeys({ secretKey, secretKeyOther, dataDir }: SecretKeySettings): SecretKeys {
  return secretKeysOf(secretKey ?? loadOrCreateSecretKey(dataDir), secretKeyOther);
}

/** Returns the sealing key, followed by the second key, if any, which only opens. */
export const secretKeysOf = (sealing: Uint8Array, other: Uint8Array | undefined): SecretKeys =>
  other === undefined ? [sealing] : [sealing, other];

const root = 0;
const permissionsOfOthers = 0o077;
/** A group may only read: a secret that root mounts for a service is readable by the service's group. */
const permissionsBesidesGroupReads = 0o037;

/** The users of a secret key and of its folder. */
export interface SecretKeyUsers {
  readonly user: number;
  readonly folder: number;
}

/**
 * Returns what exposes a secret key to others, and what to do; undefined if nothing does. It must belong to its user, to root, or, if root
 * uses it, to the owner of its folder, who could replace everything in it. Nobody else may read it, except the group of a key that root
 * gives to another user.
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

/** Writes a complete file under a temporary name, then links it to `path`: a link never replaces an existing file. */
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
