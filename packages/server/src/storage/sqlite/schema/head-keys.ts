/** The keys of rows of one environment: `head_key` is project_id * 4 + environment. */

/** Returns the key of an environment. */
export const headKey = (projectId: number, environment: number): number => projectId * 4 + environment;

/** SQL: the same. */
export const headKeySql = (projectId: string, environment: string): string => `${projectId} * 4 + ${environment}`;

/** SQL: whether a row belongs to an environment of the project. */
export const isHeadOf = (projectId: string): string => `head_key BETWEEN ${projectId} * 4 AND ${projectId} * 4 + 3`;

/** SQL: the environment of a row of the project. */
export const environmentOf = (projectId: string): string => `head_key - ${projectId} * 4`;

/** Returns the project and the environment of a key. */
export const placeOf = (key: number): { readonly projectId: number; readonly environment: number } => ({
  projectId: Math.floor(key / 4),
  environment: key % 4,
});
