/**
 * A queue that several owners share fairly: accounts are served in turn, and so are the subjects of each account. The room that is left
 * decides how much an owner may put in.
 */

/** Who some work is for. */
export interface Owner {
  /** The account, or a substitute for one. */
  readonly account: string;
  /** Who it is within the account: a player, a document, a client address. */
  readonly subject: string;
}

export interface FairQueueBounds {
  /** The weight of all waiting items. A single item is always taken, whatever it weighs. */
  readonly weightMax: number;
  /** The weight of one account's waiting items. */
  readonly accountWeightMax: number;
  /** Items of one account that may be taken but not done at one time; unbounded by default. */
  readonly accountTakenMax?: number;
}

interface Entry<Item> {
  readonly item: Item;
  readonly weight: number;
}

interface Subject<Item> {
  readonly entries: Entry<Item>[];
  weight: number;
}

interface Account<Item> {
  /** Subjects with waiting items. The first is next. */
  readonly subjects: Map<string, Subject<Item>>;
  weight: number;
}

export class FairQueue<Item> {
  readonly #bounds: FairQueueBounds;
  /** Accounts with waiting items. The first that may take something is next. */
  readonly #accounts = new Map<string, Account<Item>>();
  /** Items taken but not done, by account. */
  readonly #taken = new Map<string, number>();
  #weight = 0;
  #size = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /**
   * Puts an item at the end of its owner's queue, and returns whether there was room. The items of one owner weigh at most as much as the
   * room that is left: an owner that asks for everything gets half, and there is room for the next.
   */
  offer({ account: accountName, subject: subjectName }: Owner, item: Item, weight: number): boolean {
    const account = this.#accounts.get(accountName) ?? { subjects: new Map<string, Subject<Item>>(), weight: 0 };
    const subject = account.subjects.get(subjectName) ?? { entries: [], weight: 0 };
    const { weightMax, accountWeightMax } = this.#bounds;
    const room = Math.min(weightMax - this.#weight, accountWeightMax - account.weight);
    if (this.#weight > 0 && subject.weight + weight > room) return false;
    subject.entries.push({ item, weight });
    this.#size += 1;
    account.subjects.set(subjectName, subject);
    this.#accounts.set(accountName, account);
    this.#add(account, subject, weight);
    return true;
  }

  /** Takes the next item; undefined if none waits, or every account has taken all it may. Call `done` for each item taken. */
  take(): Item | undefined {
    const { accountTakenMax = Number.POSITIVE_INFINITY } = this.#bounds;
    for (const [name, account] of this.#accounts) {
      const taken = this.#taken.get(name) ?? 0;
      if (taken >= accountTakenMax) continue;
      this.#taken.set(name, taken + 1);
      this.#accounts.delete(name);
      const item = this.#takeFrom(account);
      if (account.subjects.size > 0) this.#accounts.set(name, account);
      return item;
    }
    return undefined;
  }

  /** Marks a taken item of the account as done. */
  done(account: string): void {
    const left = (this.#taken.get(account) ?? 0) - 1;
    if (left > 0) this.#taken.set(account, left);
    else this.#taken.delete(account);
  }

  /** Removes and returns all items that wait. */
  clear(): Item[] {
    const all = [...this.#accounts.values()].flatMap(({ subjects }) => [...subjects.values()]);
    this.#accounts.clear();
    this.#weight = 0;
    this.#size = 0;
    return all.flatMap(({ entries }) => entries.map(({ item }) => item));
  }

  #takeFrom(account: Account<Item>): Item {
    const [first] = account.subjects;
    const entry = first?.[1].entries.shift();
    if (first === undefined || entry === undefined) throw new Error('an account without work is in the queue');
    const [name, subject] = first;
    const { item, weight } = entry;
    this.#size -= 1;
    account.subjects.delete(name);
    this.#add(account, subject, -weight);
    if (subject.entries.length > 0) account.subjects.set(name, subject);
    return item;
  }

  #add(account: Account<Item>, subject: Subject<Item>, weight: number): void {
    subject.weight += weight;
    account.weight += weight;
    this.#weight += weight;
  }
}
