/**
 * Password hashes: argon2id in PHC string format. Each takes 19 MiB and tens of milliseconds of processor time, so few run in parallel and
 * few wait. Directories take turns, and so do the client addresses in each.
 *
 * @see RFC 9106, OWASP Password Storage Cheat Sheet
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { FairQueue, type Owner } from '../../../common/threads/fair-queue.ts';
import { passwordUnitsMax } from './password-rules.ts';

interface Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

const currentCost: Cost = { memoryKib: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** One per core. The runtime has four threads for such work; one is kept for files and host names. */
export const hashesRunningMax = (cores: number): number => Math.min(Math.max(cores, 1), 3);
/** How many may wait for each one that may run. One directory gets at most three quarters. */
const waitingEach = 16;
const directoryShare = 0.75;
/** How many may run or wait for one client address. */
const ownedMax = 8;

/** Computes an argon2id tag. */
export type Argon2id = (password: string, salt: Uint8Array, cost: Cost, tagBytes: number) => Promise<Uint8Array>;

const derive = promisify(argon2);
const argon2id: Argon2id = (password, salt, { memoryKib, passes, parallelism }, tagLength) =>
  derive('argon2id', { message: password, nonce: salt, memory: memoryKib, passes, parallelism, tagLength });

/**
 * `outdated`: the password is right, and should be hashed again at today's cost. `twin`: the password fits the twin of the hash instead.
 */
type Verification = 'right' | 'outdated' | 'twin' | 'wrong';

export interface PasswordHasher {
  /**
   * Returns the hash of a password, or `busy`. `owner` is the directory and client address of the request. If another hash is given, the
   * new one is its twin: it has the same salt and cost, so that one computation compares a password with both. The password has passed
   * `passwordFaults`; a longer one throws `RangeError`.
   */
  hash(owner: Owner, password: string, sibling?: string): Promise<string | 'busy'>;
  /**
   * Compares a password with a hash, and with its twin if there is one. This always takes one computation: even without a hash, for a wrong
   * password, and for a twin that no password fits. A string too long for a password is always `wrong`, without a computation.
   */
  verify(owner: Owner, password: string, phc: string | null, twin?: string): Promise<Verification | 'busy'>;
}

export interface PasswordHasherOptions {
  /** Replaces argon2id in tests, which count computations or need cheap ones. */
  readonly compute?: Argon2id;
  /** How many run in parallel. By default, depends on the machine's cores. */
  readonly runningMax?: number;
}

/** Returns the password hasher. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { compute = argon2id, runningMax = hashesRunningMax(availableParallelism()) } = options;
  const inTurn = createTurns(runningMax);
  return {
    hash: async (owner, password, sibling) => {
      if (password.length > passwordUnitsMax) throw new RangeError('a password was not checked before it is hashed');
      return inTurn(owner, async () => {
        const { cost, salt } =
          sibling === undefined ? { cost: currentCost, salt: randomBytes(saltBytes) } : parsePhc(sibling);
        return phcText(cost, salt, await compute(canonical(password), salt, cost, tagBytes));
      });
    },
    verify: async (owner, password, phc, twin) => {
      if (password.length > passwordUnitsMax) return 'wrong';
      return inTurn(owner, async () => {
        const { cost, salt, tag } = phc === null ? dummyHash : parsePhc(phc);
        const computed = await compute(canonical(password), salt, cost, tag.length);
        const isRight = timingSafeEqual(computed, tag) && phc !== null;
        if (isRight) return isOutdated(cost) ? 'outdated' : 'right';
        return twin === phcText(cost, salt, computed) ? 'twin' : 'wrong';
      });
    },
  };
}

/** Compared with if the user does not exist. */
const dummyHash = { cost: currentCost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) };

/** Maps a password typed on different keyboards to one string. Nothing else changes, blanks included. @see RFC 8265 §4.2.2 */
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

/** Throws an `Error`, which does not quote the text, if it is not a hash. */
function parsePhc(text: string): { readonly cost: Cost; readonly salt: Uint8Array; readonly tag: Uint8Array } {
  const [, memoryKib, passes, parallelism, salt, tag] = phcPattern.exec(text) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('a stored password hash is not an argon2id hash');
  const cost = { memoryKib: Number(memoryKib), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** Returns a function that runs work when its owner's turn comes, or returns `busy` if too much is waiting. */
function createTurns(runningMax: number) {
  const weightMax = runningMax * waitingEach;
  const waiting = new FairQueue<() => void>({ weightMax, accountWeightMax: weightMax * directoryShare });
  /** Running and waiting work, by client address. */
  const owned = new Map<string, number>();
  let running = 0;

  function begin(): void {
    if (running >= runningMax) return;
    const next = waiting.take();
    if (next === undefined) return;
    running += 1;
    next();
  }

  function release({ account, subject }: Owner): void {
    const left = (owned.get(subject) ?? 1) - 1;
    if (left === 0) owned.delete(subject);
    else owned.set(subject, left);
    waiting.done(account);
    running -= 1;
    begin();
  }

  return async <Result>(owner: Owner, work: () => Promise<Result>): Promise<Result | 'busy'> => {
    const count = owned.get(owner.subject) ?? 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (count >= ownedMax || !waiting.offer(owner, resolve, 1)) return 'busy';
    owned.set(owner.subject, count + 1);
    begin();
    await promise;
    try {
      return await work();
    } finally {
      release(owner);
    }
  };
}
