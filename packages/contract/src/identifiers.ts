/** Names and closed sets that paths, records and claims share. @see interface 1 */

export const environments = ['development', 'staging', 'production'] as const;
export type Environment = (typeof environments)[number];

export const accountIdPattern = /^acc_[0-9A-Za-z]+$/;
export const slugPattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

export const apiKeyAccess = ['read', 'write'] as const;
export type ApiKeyAccess = (typeof apiKeyAccess)[number];
