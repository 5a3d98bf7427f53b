/**
 * The door of reads: whatever reads many or large records of the store goes through it, from whichever room it comes. Accounts take turns
 * there, and so do the documents and players of each. A few reads are under way at a time, each begins in a turn of the event loop that has
 * time for it, and how many may wait is bounded. A read of one record of ordinary size does not come here.
 *
 * Each read takes a portion: what a verb may hold at once is its own bound. So what holds the event loop is one portion.
 */
import { FairQueue, type Owner } from '../common/fair-queue.ts';
import { overloaded } from '../http/admission.ts';
import type { ParseScheduler } from '../http/event-loop.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';

/** Reads under way at a time, and those of one account. In the embedded engine a read is over when it returns; over a network it lasts. */
const underWayMax = 8;
const accountUnderWayMax = 4;
/** Reads that wait, and those of one account: a minute of what several of its developers may ask, at some 300 bytes each. */
const waitingMax = 16_384;
const accountWaitingMax = 4_096;

/** The verbs of the store that read. Those that write return a promise on every engine. */
type ReadName = {
  [Name in Exclude<keyof Store, 'onAccessChange' | 'onTokensEnded'>]: ReturnType<Store[Name]> extends Promise<unknown>
    ? never
    : Name;
}[Exclude<keyof Store, 'onAccessChange' | 'onTokensEnded'>];

/** Those that read one record, or a few small ones, by what names them. */
type SmallRead =
  | 'currentPublicVersions'
  | 'currentUserVersions'
  | 'findAccount'
  | 'findApiKey'
  | 'findAuthorizationCode'
  | 'findDeveloper'
  | 'findHolderOfEmail'
  | 'findIdentityProvider'
  | 'findInvitation'
  | 'findLinkedPlayer'
  | 'findMail'
  | 'findMember'
  | 'findPasskey'
  | 'findPasswordReset'
  | 'findPlayer'
  | 'findPlayerAccess'
  | 'findPlayerOfFamily'
  | 'findProject'
  | 'findRefreshFamily'
  | 'findRepeat'
  | 'findSecondFactor'
  | 'findServiceAccount'
  | 'findServiceAccountBySecret'
  | 'findSignUp'
  | 'findSignUpByEmail'
  | 'findUser'
  | 'findUserByEmail'
  | 'hasUserStates'
  | 'isEmpty'
  | 'isSuspendedFamily'
  | 'isTokenEnded'
  | 'isUpgradeFinished'
  | 'listDueMails'
  | 'listEndedTokens'
  | 'listKeptKeys'
  | 'listLimitedApiKeys'
  | 'listMailsTo'
  | 'listMemberships'
  | 'listPasskeys'
  | 'listProviderLinks'
  | 'listSessions'
  | 'listSigningKeys'
  | 'marks'
  | 'mustHaveSecondFactor'
  | 'nameCallers'
  | 'readPlayerRestrictions'
  | 'readClockMark'
  | 'readDailyRequests'
  | 'readPlayerAuth'
  | 'readOpenStreams'
  | 'readPublicState'
  | 'readSchemas'
  | 'readUsage'
  | 'readUserState'
  | 'takeFromWindow';

/** All others. A new verb that reads is in neither list and does not compile: it says here, or above, which it is. */
const largeReads: Readonly<Record<Exclude<ReadName, SmallRead>, true>> = {
  listAccounts: true,
  listApiKeys: true,
  listAuditRecords: true,
  listBoundedHistories: true,
  listIdentityProviders: true,
  listInvitations: true,
  listKeptUserStates: true,
  listMembers: true,
  listPlayers: true,
  listProjects: true,
  listPublicStateHistory: true,
  listPublicStateVersions: true,
  listRequestFigures: true,
  listServiceAccounts: true,
  listSchemaHistory: true,
  listUserStateHistory: true,
  listUserStateVersions: true,
  listUserStates: true,
  listUsers: true,
  readPublicStateVersion: true,
  readSchema: true,
  readUserStateVersion: true,
};

/** The names of the reads that go through the door. */
export const largeReadNames = Object.keys(largeReads) as readonly (keyof typeof largeReads)[];

/** Runs a read of an owner when it is its turn. Rejects with its error, and with the refusal `service_unavailable` when too many wait. */
export type ReadDoor = <Result>(owner: Owner, read: () => Result | Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly owner: Owner;
  /** Its place among all reads, from 1. */
  readonly number: number;
  /** Takes the read through. Returns with what the store has refused it because it is out of reach, and never rejects. */
  run(): Promise<StoreUnavailable | undefined>;
  reject(error: unknown): void;
}

/**
 * Returns a door. `inTurn` shares the event loop between what reads and what parses.
 *
 * While the store is out of reach each read lasts until its time is up. So what has waited for an account all that time is refused with such
 * a read, and not let in a few at a time, to wait as long once more.
 */
export function createReadDoor(inTurn: ParseScheduler['run']): ReadDoor {
  const waiting = new FairQueue<Waiting>({
    weightMax: waitingMax,
    accountWeightMax: accountWaitingMax,
    accountTakenMax: accountUnderWayMax,
  });
  let underWay = 0;
  let newest = 0;
  /** By account, while reads are under way: the last error of a store out of reach, and the newest read when that one began. */
  const outages = new Map<string, { readonly error: StoreUnavailable; readonly number: number }>();

  async function begin({ owner, number, run, reject }: Waiting): Promise<void> {
    const outage = outages.get(owner.account);
    if (outage !== undefined && number <= outage.number) {
      waiting.done(owner.account);
      return reject(outage.error);
    }
    underWay++;
    const newestBefore = newest;
    const error = await run();
    if (error !== undefined) outages.set(owner.account, { error, number: newestBefore });
    underWay--;
    waiting.done(owner.account);
    goOn();
    if (underWay === 0) outages.clear();
  }

  function goOn(): void {
    while (underWay < underWayMax) {
      const next = waiting.take();
      if (next === undefined) return;
      void begin(next);
    }
  }

  return (owner, read) =>
    new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await inTurn(() => owner, read));
          return undefined;
        } catch (error) {
          reject(error);
          return error instanceof StoreUnavailable ? error : undefined;
        }
      };
      newest++;
      if (waiting.offer(owner, { owner, number: newest, run, reject }, 1)) goOn();
      else reject(overloaded());
    });
}

type AnyRead = (...args: readonly unknown[]) => unknown;

/** Returns the store, whose large reads go through the door. */
export function withReadDoor(store: Store, door: ReadDoor): Store {
  const reads = largeReadNames.map((name) => {
    const read = store[name].bind(store) as AnyRead;
    return [name, (...args: readonly unknown[]) => door(ownerOf(args), () => read(...args))] as const;
  });
  return { ...store, ...Object.fromEntries(reads) };
}

/** Whose read it is, by the first argument: the id of an account, or what names a record in one. The operator's have neither. */
function ownerOf([of]: readonly unknown[]): Owner {
  if (typeof of === 'string') return { account: of, subject: '' };
  const { accountId = '', slug = '', environment = '', playerId = '' } = (of ?? {}) as Readonly<Record<string, string>>;
  return { account: accountId, subject: `reads of ${slug}/${environment}/${playerId}` };
}
