/** What a list of accounts can be sorted by, as `--sort` says it. */
export const usageSorts = ['requests', 'projects', 'end-users', 'storage'] as const;
export type UsageSort = (typeof usageSorts)[number];

export interface ListOptions {
  readonly usage?: true;
  readonly sort?: UsageSort;
  readonly json?: true;
}
