/** `holdfast secret-key reseal`: seals with the secret key what the other key has sealed. */

import { createHash } from 'node:crypto';
import type { Sealer } from '../common/secrets/sealer.ts';
import { now } from '../common/time/clock.ts';
import type { Config } from '../config/config.ts';
import { recoveryKeyOf } from '../secrets/recovery-key.ts';
import { createSealer } from '../secrets/sealer.ts';
import {
  keptKeyPurpose,
  keptKeyRecord,
  type Replacement,
  type SealedKind,
  sealedKinds,
  sealedRecords,
} from '../storage/contract/kept-keys.ts';
import { textAt } from '../storage/rows/columns.ts';
import type { Store } from '../storage/store.ts';
import type { TransferReader } from '../storage/transfer/copy.ts';
import type { TransferRecord } from '../storage/transfer/kinds.ts';
import { withSnapshot } from './export/export.ts';
import { CommandFault } from './fault.ts';
import { withOperator } from './operator.ts';
import { printJson, printTable } from './print.ts';
import { sealedFields } from './sealed-fields.ts';
import { findSecretKeys } from './secret-key.ts';
import { locationOf } from './store-location.ts';
import { formatCount } from './units.ts';

export interface ResealOptions {
  /** Whether to change nothing. */
  readonly check?: true;
  readonly json?: true;
}

/** The number of sealed values by the key that opens them. */
interface Sealed {
  readonly sealed: number;
  readonly sealedByOther: number;
  readonly unopened: number;
}

/** The keys to try. */
interface Keys {
  readonly sealing: Uint8Array;
  readonly other: Uint8Array | undefined;
}

/** How many values a transaction replaces. Nodes write in between. */
const replacedAtOnce = 200;
/** Maximum number of passes, which find values that nodes seal meanwhile. */
const passesMax = 20;

/**
 * Reseals values that only `SVC_SECRET_KEY_OTHER` opens, while services may run, and prints what is left. Exits with 1 if anything is left.
 * Throws `CommandFault` if the secret key is not known.
 */
export async function resealCommand(config: Config, { check, json }: ResealOptions): Promise<void> {
  const [sealing, other] = findSecretKeys(config) ?? [];
  if (sealing === undefined) throw new CommandFault('the secret key is not known: set SVC_SECRET_KEY');
  const keys = { sealing, other };
  const { resealed, left } = await withOperator(config, async (store) => {
    const left = await readSealed(config, keys);
    if (check || other === undefined || left.sealedByOther === 0) return { resealed: 0, left };
    await keepRecoveryKey(store, sealing, other);
    return reseal(config, store, keys);
  });
  const isDone = left.sealedByOther === 0 && left.unopened === 0;
  if (json) printJson({ resealed, ...left });
  else report(resealed, left, other !== undefined);
  if (!isDone) process.exitCode = 1;
}

/** Keeps the key for recovery codes hashed by nodes with the other key, since hashes cannot be converted. */
async function keepRecoveryKey(store: Store, sealing: Uint8Array, other: Uint8Array): Promise<void> {
  const key = recoveryKeyOf(other);
  const keyId = createHash('sha256').update(key).digest('hex');
  const sealedKey = createSealer(sealing, keptKeyPurpose).seal(key, keptKeyRecord({ keyId }));
  await store.keepKey({ keyId, sealedKey, createdAt: now() });
}

async function reseal(config: Config, store: Store, keys: Keys): Promise<{ resealed: number; left: Sealed }> {
  let resealed = 0;
  for (let passes = 1; ; passes++) {
    const left = await readSealed(config, keys, async (kind, replacements) => {
      resealed += await store.replaceSealed(kind, replacements);
    });
    if (left.sealedByOther === 0 || passes === passesMax) return { resealed, left };
  }
}

type Replace = (kind: SealedKind, replacements: readonly Replacement[]) => Promise<void>;

/** Reads every sealed value. `replace` gets those that only the other key opens, resealed. */
function readSealed(config: Config, keys: Keys, replace?: Replace): Promise<Sealed> {
  return withSnapshot(locationOf(config), async (reader) => {
    const counts = { sealed: 0, sealedByOther: 0, unopened: 0 };
    for (const kind of sealedKinds) {
      for await (const found of sealedValues(reader, kind, keys)) {
        for (const { state } of found) counts[state]++;
        if (replace !== undefined) await replaceInSlices(kind, found, replace);
      }
    }
    return counts;
  });
}

async function replaceInSlices(kind: SealedKind, found: readonly Found[], replace: Replace): Promise<void> {
  const replacements = found.flatMap(({ replacement }) => replacement ?? []);
  for (let i = 0; i < replacements.length; i += replacedAtOnce) {
    await replace(kind, replacements.slice(i, i + replacedAtOnce));
  }
}

/** A sealed value: the key that opens it, and its replacement. */
interface Found {
  readonly state: keyof Sealed;
  readonly replacement?: Replacement;
}

async function* sealedValues(reader: TransferReader, kind: SealedKind, keys: Keys): AsyncIterable<readonly Found[]> {
  for await (const { records } of reader.read(kind, null)) {
    yield records.flatMap((record) => {
      const value = record[sealedRecords[kind].field];
      return value instanceof Uint8Array ? [examine(kind, record, value, keys)] : [];
    });
  }
}

function examine(kind: SealedKind, record: TransferRecord, from: Uint8Array, { sealing, other }: Keys): Found {
  const { purpose, recordId } = sealedFields[kind];
  const id = recordId(record);
  const own = createSealer(sealing, purpose);
  if (openedBy(own, from, id) !== undefined) return { state: 'sealed' };
  const plain = other && openedBy(createSealer(other, purpose), from, id);
  if (plain === undefined) return { state: 'unopened' };
  const key = sealedRecords[kind].key.map((column) => textAt(record, column));
  return { state: 'sealedByOther', replacement: { key, from, to: own.seal(plain, id) } };
}

function openedBy(sealer: Sealer, sealed: Uint8Array, recordId: string): Uint8Array | undefined {
  try {
    return sealer.open(sealed, recordId);
  } catch {
    return undefined;
  }
}

function report(resealed: number, { sealed, sealedByOther, unopened }: Sealed, hasOther: boolean): void {
  printTable([
    ['Sealed again', formatCount(resealed)],
    ['Sealed with SVC_SECRET_KEY', formatCount(sealed)],
    ...(hasOther ? [['Only SVC_SECRET_KEY_OTHER opens', formatCount(sealedByOther)]] : []),
    ['No key opens', formatCount(unopened)],
  ]);
  if (!hasOther) return;
  process.stdout.write(
    sealedByOther === 0
      ? '\nNothing in the database needs SVC_SECRET_KEY_OTHER any more.\n'
      : '\nKeep SVC_SECRET_KEY_OTHER, and run "holdfast secret-key reseal" again.\n',
  );
}
