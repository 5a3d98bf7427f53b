/** The names of records that an engine may keep in memory: of an account, a project in it, and what lies in that. */
import type { ProjectKey } from './management-store.ts';

export const accountName = (accountId: string): string => accountId;
export const projectName = (key: ProjectKey): string => `${key.accountId}/${key.slug}`;
/** The sign-in settings of a project. */
export const endUserAuthName = (key: ProjectKey): string => `${key.accountId}/${key.slug}/auth`;
