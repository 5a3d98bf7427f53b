/** Records of accounts. */

/** A new account: it requires no second factor. */
export interface NewAccount {
  readonly accountId: string;
  readonly name: string;
  readonly idpTenantId: string;
  readonly createdAt: number;
}

export interface Account extends NewAccount {
  /** Whether its members must sign in with a second factor. */
  readonly requireSecondFactor: boolean;
  /** When the operator suspended it; null: it is not suspended. */
  readonly suspendedAt: number | null;
  /** When the operator last ended all its sessions; earlier access tokens are rejected. */
  readonly signedOutAt: number | null;
}

/** Changes to an account. Omitted fields stay as they are. */
export type AccountChanges = Partial<Pick<Account, 'name' | 'requireSecondFactor'>>;

/** An account as a list shows it. */
export interface ListedAccount extends Account {
  /** When one of its developers was last seen, to the hour; null for never. */
  readonly lastSeenAt: number | null;
}
