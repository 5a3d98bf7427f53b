/** The values of `--sort` for a list of accounts. */
export const usageSorts = ['requests', 'projects', 'end-users', 'storage'] as const;
export type UsageSort = (typeof usageSorts)[number];
