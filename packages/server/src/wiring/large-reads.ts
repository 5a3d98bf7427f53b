/**
 * The read door: every read of many or large records goes through it, whichever room it comes from. Accounts take turns there, and so do
 * the documents and players of each. Only a few reads run at a time, each begins in a turn of the event loop that has time for it, and the
 * number of waiting reads is bounded. A read of one record of ordinary size does not pass here.
 *
 * Each read takes one portion, whose size its verb bounds. The event loop is therefore never held for more than one portion.
 */
import { FairQueue, type Owner } from '../common/threads/fair-queue.ts';
import { overloaded } from '../http/admission.ts';
import type { ParseScheduler } from '../http/turns/event-loop.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';

/** Running reads at a time, in all and for one account. In the embedded engine a read is over when it returns; over a network it lasts. */
const underWayMax = 8;
const accountUnderWayMax = 4;
/** Waiting reads, in all and for one account: a minute of what several of its developers may ask for, at some 300 bytes each. */
const waitingMax = 16_384;
const accountWaitingMax = 4_096;

/** The verbs of the store that read. Verbs that write return a promise on every engine. */
type ReadName = {
  [Name in Exclude<keyof Store, 'onAccessChange' | 'onTokensRevoked'>]: ReturnType<Store[Name]> extends Promise<unknown>
    ? never
    : Name;
}[Exclude<keyof Store, 'onAccessChange' | 'onTokensRevoked'>];

/** Reads of one record, or of a few small ones, by key. */
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
  | 'findNames'
  | 'findPasskey'
  | 'findPasswordReset'
  | 'findPlayer'
  | 'findPlayerAccess'
  | 'findPlayerOfFamily'
  | 'findProject'
  | 'findRefreshFamily'
  | 'findRepeat'
  | 'findRepeatedProposal'
  | 'findSecondFactor'
  | 'findServiceAccount'
  | 'findServiceAccountBySecret'
  | 'findSignUp'
  | 'findSignUpByEmail'
  | 'findUser'
  | 'findUserByEmail'
  | 'findWebhook'
  | 'findWebhookDelivery'
  | 'hasUserStates'
  | 'isEmpty'
  | 'isSuspendedFamily'
  | 'isTokenRevoked'
  | 'isUpgradeFinished'
  | 'listDueMails'
  | 'listDueProposals'
  | 'listDueWebhooks'
  | 'listRevokedTokens'
  | 'listKeptKeys'
  | 'listLimitedApiKeys'
  | 'listMailsTo'
  | 'listMemberships'
  | 'listPasskeys'
  | 'listProviderLinks'
  | 'listSessions'
  | 'listSigningKeys'
  | 'listWebhooks'
  | 'marks'
  | 'mustHaveSecondFactor'
  | 'nameCallers'
  | 'readPlayerRestrictions'
  | 'readClockMark'
  | 'readDailyRequests'
  | 'readPlayerAuth'
  | 'readOpenStreams'
  | 'readPublicState'
  | 'recallPublicState'
  | 'readSchemas'
  | 'readWebhookNetworks'
  | 'readUsage'
  | 'readUserState'
  | 'takeFromWindow';

/** All other reads. A new read verb in neither list does not compile: it must be added here or above. */
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
  findProposal: true,
  listProjects: true,
  listProposals: true,
  listPublicStateHistory: true,
  listPublicStateVersions: true,
  listRequestFigures: true,
  listServiceAccounts: true,
  listSchemaHistory: true,
  listUserStateHistory: true,
  listUserStateVersions: true,
  listUserStates: true,
  listUsers: true,
  listWebhookDeliveries: true,
  listWordlessAccounts: true,
  readPublicStateVersion: true,
  readSchema: true,
  readUserStateVersion: true,
};

/** The names of the reads that go through the read door. */
export const largeReadNames = Object.keys(largeReads) as readonly (keyof typeof largeReads)[];

/** Runs a read for an owner when it is its turn. Rejects with its error, or with the refusal `service_unavailable` if too many wait. */
export type ReadDoor = <Result>(owner: Owner, read: () => Result | Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly owner: Owner;
  /** Its position among all reads, from 1. */
  readonly number: number;
  /** Runs the read. Resolves with the store's error if the store is unreachable, and never rejects. */
  run(): Promise<StoreUnavailable | undefined>;
  reject(error: unknown): void;
}

/**
 * Returns a read door. `inTurn` shares the event loop between reading and parsing.
 *
 * While the store is unreachable, each read lasts until its timeout. Reads that have waited for an account all that time are therefore
 * refused together with such a read, instead of being let in a few at a time to wait as long again.
 */
export function createReadDoor(inTurn: ParseScheduler['run']): ReadDoor {
  const waiting = new FairQueue<Waiting>({
    weightMax: waitingMax,
    accountWeightMax: accountWaitingMax,
    accountTakenMax: accountUnderWayMax,
  });
  let underWay = 0;
  let newest = 0;
  /** By account, while reads run: the last error of an unreachable store, and the newest read when the failed one began. */
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
    resume();
    if (underWay === 0) outages.clear();
  }

  function resume(): void {
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
      if (waiting.offer(owner, { owner, number: newest, run, reject }, 1)) resume();
      else reject(overloaded());
    });
}

type AnyRead = (...args: readonly unknown[]) => unknown;

/** Returns the store with its large reads behind the read door. */
export function withReadDoor(store: Store, door: ReadDoor): Store {
  const reads = largeReadNames.map((name) => {
    const read = store[name].bind(store) as AnyRead;
    return [name, (...args: readonly unknown[]) => door(ownerOf(args), () => read(...args))] as const;
  });
  return { ...store, ...Object.fromEntries(reads) };
}

/** The owner of a read, from the first argument: an account id, or the key of a record in an account. Operator reads have neither. */
function ownerOf([of]: readonly unknown[]): Owner {
  if (typeof of === 'string') return { account: of, subject: '' };
  const { accountId = '', slug = '', environment = '', playerId = '' } = (of ?? {}) as Readonly<Record<string, string>>;
  return { account: accountId, subject: `reads of ${slug}/${environment}/${playerId}` };
}
