/** Carries out writes of public state on their paths (`../write-paths.ts`). */

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
import type { Margin, NearLimit, WriteOwner } from '../guarded-writes.ts';
import { type PathConditions, writePathOf } from '../write-paths.ts';
import { storeSubscribedChange } from './collected-changes.ts';
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

type WriteDependencies = Pick<Dependencies, 'database' | 'writes' | 'quotas' | 'marks' | 'layout'>;

/** The maximum bytes of state in one statement, unless it makes a single write: less than the largest state has. */
const jointBytesMax = 512 * 1024;
/** The size that a write counts in addition to its bytes, so that a statement carries out at most 32 writes. */
const writeBytes = 16 * 1024;

/** Returns the function that writes public state. */
export function createPublicStateWrites(dependencies: WriteDependencies): WritePublicState {
  const { database, writes, quotas, marks, layout } = dependencies;
  const alone = { ...layout.publicConditions, canJoin: false };

  const writeInTurn = createTurnBatches<PublicStateWrite, PublicStateWritten>({
    groupOf: ({ key }) => key.accountId,
    sizeOf: ({ next, stored }) => writeBytes + (stored.depth === 0 ? next.stateBytes : stored.state.length),
    sizeMax: jointBytesMax,
    carryOut: async (batch) => {
      const marginBytes = writes.marginOf(batch[0]?.key.accountId as string)?.bytes;
      if (batch.length === 1 || marginBytes === undefined) return batch.map((write) => carryOut(write, alone));
      const outcomes = await writeJointly(database.query, batch, quotas.storageBytes, marginBytes);
      return outcomes.map((outcome, index) => outcome ?? carryOut(batch[index] as PublicStateWrite, alone));
    },
  });

  function carryOut(write: PublicStateWrite, conditions: PathConditions): Promise<PublicStateWritten> {
    const path = writePathOf(write.next, conditions);
    switch (path) {
      case 'joint':
        return writeInTurn(write);
      case 'collected':
        return writeCollected(dependencies, write);
      case 'records':
        return writeWithRecords(dependencies, write);
      case 'statement':
      case 'steps':
        return writes.carryOut[path](ownerOf(write), (query, margin) => attempt(query, dependencies, write, margin));
    }
  }

  return (key, expected, next, before) => {
    const expectedVersion = expected.kind === 'version' ? expected.version : null;
    const floor = marks().versionFloor;
    const write = { key, expectedVersion, next, floor, stored: encodeVersion(next, before, floor) };
    return carryOut(write, layout.publicConditions);
  };
}

/** Carries it out in one statement if, for each of its webhooks, a waiting change takes it in; with its records if not, or near a limit. */
async function writeCollected(dependencies: WriteDependencies, write: PublicStateWrite): Promise<PublicStateWritten> {
  const { database, writes } = dependencies;
  const { subscribers } = write.next;
  const marginBytes = writes.marginOf(write.key.accountId)?.bytes;
  if (marginBytes === undefined || subscribers === undefined) return writeWithRecords(dependencies, write);
  const outcome = await writeSingle(database.query, dependencies, write, { marginBytes, subscribers });
  return outcome.kind === 'near_limit' || outcome.kind === 'uncollected' ? writeWithRecords(dependencies, write) : outcome;
}

/** Carries it out in a transaction with the records that belong to it: events of webhooks, the audit record, and the application of a proposal. */
function writeWithRecords(dependencies: WriteDependencies, write: PublicStateWrite): Promise<PublicStateWritten> {
  const { key, expectedVersion, next } = write;
  const { comment, by, subscribers, application } = next;
  return dependencies.writes.carryOut.records(ownerOf(write), async (query, margin) => {
    const notApplied = application && (await takeSteps(query, checkProposalWrite({ clock }, key, application)));
    if (notApplied !== undefined) return notApplied;
    const outcome = await attempt(query, dependencies, write, margin);
    if (outcome.kind !== 'written') return outcome;
    const { version } = outcome.record;
    const from = expectedVersion ?? 0;
    if (subscribers !== undefined) {
      const { author, writtenAt: at } = next;
      await takeSteps(query, storeSubscribedChange(key, { from, version, author, comment, at }));
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
  margin: Margin,
): Promise<PublicStateWritten | NearLimit> {
  const outcome = await writeSingle(query, dependencies, write, { marginBytes: margin.bytes });
  if (outcome.kind === 'uncollected') throw new StoreFault('a write that stores its events itself waited for others');
  return outcome;
}
