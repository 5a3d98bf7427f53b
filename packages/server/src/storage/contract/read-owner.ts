/** For whom the store reads many or large records: accounts take turns, and so do the documents and players of each. Writes name the account that they lock in the same way. */

export interface ReadOwner {
  /** Empty for what the service or its operator reads. */
  readonly account: string;
  /** Who or what it is within the account. */
  readonly subject: string;
}

/** Names the owner of a read by its arguments. */
export type OwnerOf<Args extends readonly unknown[]> = (...args: Args) => ReadOwner;

/** The owner of reads of a whole account. */
export const ofAccount = (accountId: string): ReadOwner => ({ account: accountId, subject: '' });

/** The owner of a record of an account. */
export const ofItsAccount = ({ accountId }: { readonly accountId: string }): ReadOwner => ofAccount(accountId);

/** The owner of reads of a project, an environment, or a player's state. */
export const ofRecord = (key: {
  readonly accountId: string;
  readonly slug: string;
  readonly environment?: string;
  readonly playerId?: string;
}): ReadOwner => ({
  account: key.accountId,
  subject: `reads of ${key.slug}/${key.environment ?? ''}/${key.playerId ?? ''}`,
});

/** The owner of reads across accounts. */
export const ofInstallation = (): ReadOwner => ({ account: '', subject: '' });
