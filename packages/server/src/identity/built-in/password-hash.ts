/**
 * Password hashes: argon2id in PHC string format. Each takes 19 MiB and some tens of milliseconds of a processor, so few run
 * at once, few wait, and of those that wait one client address may hold only a part.
 *
 * @see RFC 9106, OWASP Password Storage Cheat Sheet
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordUnitsMax } from './password-rules.ts';

interface Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

const currentCost: Cost = { memoryKib: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const runningMax = 2;
const waitingMax = 32;
/** Of those that run or wait, so many for one client address. */
const ownedMax = 8;

/** Computes an argon2id tag. */
export type Argon2id = (password: string, salt: Uint8Array, cost: Cost, tagBytes: number) => Promise<Uint8Array>;

const derive = promisify(argon2);
const argon2id: Argon2id = (password, salt, { memoryKib, passes, parallelism }, tagLength) =>
  derive('argon2id', { message: password, nonce: salt, memory: memoryKib, passes, parallelism, tagLength });

/**
 * `outdated`: the password is right, and should be hashed again at today's cost. `twin`: it is not that of the hash, but that
 * of its twin.
 */
export type Verification = 'right' | 'outdated' | 'twin' | 'wrong';

export interface PasswordHasher {
  /**
   * Returns the hash of a password, or `busy`. `address` is who asks. The hash is the twin of another one if that is given:
   * of the same salt and cost, so that one computation tells whether a password fits either. The password has passed
   * `passwordFaults`; a longer one is a `RangeError`.
   */
  hash(address: string, password: string, sibling?: string): Promise<string | 'busy'>;
  /**
   * Compares a password with a hash, and with its twin if there is one. The work is always one computation: also without a
   * hash, when the password is wrong, and for a twin that is none, which no password fits. A text that is too long to be a
   * password is `wrong` without any work, whatever it is compared with.
   */
  verify(address: string, password: string, phc: string | null, twin?: string): Promise<Verification | 'busy'>;
}

/** Returns the password hasher; `compute` stands in for argon2id where computations are counted. */
export function createPasswordHasher(compute: Argon2id = argon2id): PasswordHasher {
  const turns = createPlaces();
  return {
    hash: async (address, password, sibling) => {
      if (password.length > passwordUnitsMax) throw new RangeError('a password was not checked before it is hashed');
      return turns(address, async () => {
        const { cost, salt } =
          sibling === undefined ? { cost: currentCost, salt: randomBytes(saltBytes) } : parsePhc(sibling);
        return phcText(cost, salt, await compute(canonical(password), salt, cost, tagBytes));
      });
    },
    verify: async (address, password, phc, twin) => {
      if (password.length > passwordUnitsMax) return 'wrong';
      return turns(address, async () => {
        const { cost, salt, tag } = phc === null ? nobody : parsePhc(phc);
        const computed = await compute(canonical(password), salt, cost, tag.length);
        const isRight = timingSafeEqual(computed, tag) && phc !== null;
        if (isRight) return isOutdated(cost) ? 'outdated' : 'right';
        return twin === phcText(cost, salt, computed) ? 'twin' : 'wrong';
      });
    },
  };
}

/** What somebody who does not exist is compared with. */
const nobody = { cost: currentCost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) };

/** One password typed on two keyboards is one password. Nothing else is changed, blanks included. @see RFC 8265 §4.2.2 */
function canonical(password: string): string {
  return password.normalize('NFC');
}

const isOutdated = ({ memoryKib, passes, parallelism }: Cost) =>
  memoryKib < currentCost.memoryKib || passes < currentCost.passes || parallelism < currentCost.parallelism;

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

function phcText({ memoryKib, passes, parallelism }: Cost, salt: Uint8Array, tag: Uint8Array): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Throws an `Error`, which does not show it, for a text that is no hash. */
function parsePhc(text: string): { readonly cost: Cost; readonly salt: Uint8Array; readonly tag: Uint8Array } {
  const [, memoryKib, passes, parallelism, salt, tag] = phcPattern.exec(text) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('a stored password hash is no argon2id hash');
  const cost = { memoryKib: Number(memoryKib), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** Returns what runs work when its turn comes, or answers `busy` when too much is waiting already. */
function createPlaces() {
  const owned = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let running = 0;

  function release(owner: string): void {
    const left = (owned.get(owner) ?? 1) - 1;
    if (left === 0) owned.delete(owner);
    else owned.set(owner, left);
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result | 'busy'> => {
    const count = owned.get(owner) ?? 0;
    if (count >= ownedMax || (running >= runningMax && waiting.length >= waitingMax)) return 'busy';
    owned.set(owner, count + 1);
    if (running < runningMax) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      release(owner);
    }
  };
}
