/**
 * The ways to write public state. A single write is one statement that compares, writes and appends to the history. Writes of different
 * environments in the same turn of the event loop are one statement and one commit. A write with further records is a transaction.
 */

import type { Expectation, NewPublicState, PublicStateKey } from '../../../contract/public-states.ts';
import { encodeVersion, type KeptVersion } from '../../../history/versions.ts';
import { recordStateWrite } from '../../../sql/audit/audit.ts';
import { checkProposalWrite, recordProposalWrite } from '../../../sql/proposals/proposal-applications.ts';
import { StoreFault } from '../../../store.ts';
import type { Query } from '../../connection/query.ts';
import type { Dependencies } from '../../dependencies.ts';
import { clock } from '../../engine-sql.ts';
import { takeSteps } from '../../steps.ts';
import { createTurnBatches } from '../../turn-batches.ts';
import type { Headroom, NearLimit, WriteOwner } from '../guarded-writes.ts';
import { storeHeardChange } from './collected-changes.ts';
import { writeJointly } from './joint-public-writes.ts';
import type { PublicStateWrite, PublicStateWritten } from './public-state-outcomes.ts';
import { writeSingle } from './single-public-write.ts';

/**
 * Carries out a conditional write; `before` is the expected version, if available. No other write of this node to the same environment may
 * be running.
 */
export type WritePublicState = (
  key: PublicStateKey,
  expected: Expectation,
  next: NewPublicState,
  before?: KeptVersion,
) => Promise<PublicStateWritten>;

type WriteDependencies = Pick<Dependencies, 'database' | 'writes' | 'quotas' | 'marks' | 'isDistributed'>;

/** The maximum bytes of state in one statement, unless it makes a single write: less than the largest state has. */
const jointBytesMax = 512 * 1024;
/** The size that a write counts in addition to its bytes, so that a statement carries out at most 32 writes. */
const writeBytes = 16 * 1024;

/** Returns the function that writes public state. */
export function createPublicStateWrites(dependencies: WriteDependencies): WritePublicState {
  const { database, writes, quotas, marks, isDistributed } = dependencies;

  const writeInTurn = createTurnBatches<PublicStateWrite, PublicStateWritten>({
    groupOf: ({ key }) => key.accountId,
    sizeOf: ({ next, stored }) => writeBytes + (stored.depth === 0 ? next.stateBytes : stored.state.length),
    sizeMax: jointBytesMax,
    carryOut: async (batch) => {
      const headroomBytes = writes.headroomOf(batch[0]?.key.accountId as string)?.bytes;
      if (batch.length === 1 || headroomBytes === undefined || isDistributed) {
        return batch.map((write) => writeAlone(dependencies, write));
      }
      const outcomes = await writeJointly(database.query, batch, quotas.storageBytes, headroomBytes);
      return outcomes.map((outcome, index) => outcome ?? writeAlone(dependencies, batch[index] as PublicStateWrite));
    },
  });
  return (key, expected, next, before) => {
    const expectedVersion = expected.kind === 'version' ? expected.version : null;
    const floor = marks().versionFloor;
    const write = { key, expectedVersion, next, floor, stored: encodeVersion(next, before, floor) };
    if (next.by !== undefined || next.application !== undefined) return writeWithRecords(dependencies, write);
    return next.repeat === undefined ? writeInTurn(write) : writeAlone(dependencies, write);
  };
}

/** Carries out a write without an audit record and a proposal. */
async function writeAlone(dependencies: WriteDependencies, write: PublicStateWrite): Promise<PublicStateWritten> {
  const { hearers } = write.next;
  if (hearers === undefined) return writeUnheard(dependencies, write);
  const written = dependencies.isDistributed ? undefined : await writeCollected(dependencies, write, hearers);
  return written ?? writeWithRecords(dependencies, write);
}

/** Carries it out in one statement, or in a distributed database in a transaction of two. No webhook must hear of the change. */
function writeUnheard(dependencies: WriteDependencies, write: PublicStateWrite): Promise<PublicStateWritten> {
  const { writes, isDistributed } = dependencies;
  const carryOut = isDistributed ? writes.writeInSteps : writes.write;
  return carryOut(ownerOf(write), (query, headroom) => attempt(query, dependencies, write, headroom));
}

/** Carries it out in one statement if, for each of these webhooks, a waiting change takes it in; undefined if not, or near a limit. */
async function writeCollected(
  dependencies: WriteDependencies,
  write: PublicStateWrite,
  hearers: string,
): Promise<PublicStateWritten | undefined> {
  const { database, writes } = dependencies;
  const headroomBytes = writes.headroomOf(write.key.accountId)?.bytes;
  if (headroomBytes === undefined) return undefined;
  const outcome = await writeSingle(database.query, dependencies, write, { headroomBytes, hearers });
  return outcome.kind === 'near_limit' || outcome.kind === 'uncollected' ? undefined : outcome;
}

/** Carries it out in a transaction with the records that belong to it: events of webhooks, the audit record, and the application of a proposal. */
function writeWithRecords(dependencies: WriteDependencies, write: PublicStateWrite): Promise<PublicStateWritten> {
  const { key, expectedVersion, next } = write;
  const { comment, by, hearers, application } = next;
  return dependencies.writes.writeInTransaction(ownerOf(write), async (query, headroom) => {
    const notApplied = application && (await takeSteps(query, checkProposalWrite({ clock }, key, application)));
    if (notApplied !== undefined) return notApplied;
    const outcome = await attempt(query, dependencies, write, headroom);
    if (outcome.kind !== 'written') return outcome;
    const { version } = outcome.record;
    const from = expectedVersion ?? 0;
    if (hearers !== undefined) {
      const { author, writtenAt: at } = next;
      await takeSteps(query, storeHeardChange(key, { from, version, author, comment, at }));
    }
    if (by !== undefined) await takeSteps(query, recordStateWrite(key, by, { version, comment }));
    if (application !== undefined) await takeSteps(query, recordProposalWrite(key, application, { from, version }));
    return outcome;
  });
}

const ownerOf = ({ key: { accountId } }: PublicStateWrite): WriteOwner => ({ accountId, isGuest: false });

async function attempt(
  query: Query,
  dependencies: WriteDependencies,
  write: PublicStateWrite,
  headroom: Headroom,
): Promise<PublicStateWritten | NearLimit> {
  const outcome = await writeSingle(query, dependencies, write, { headroomBytes: headroom.bytes });
  if (outcome.kind === 'uncollected') throw new StoreFault('a write that stores its events itself waited for others');
  return outcome;
}
