/** Environments as engines store them. The numbers are part of every database and never change. */
export const environmentNumbers = { development: 0, staging: 1, production: 2 } as const;
export type EnvironmentNumber = (typeof environmentNumbers)[keyof typeof environmentNumbers];
