/** Records of the page *Your sign-in*: sessions, and what people change about their own identity. */
import type { Environment } from '@holdfast/contract';

/** A list contains only the newest sessions. */
export const sessionsMax = 100;

/** A live refresh-token family, as its owner sees it. */
export interface Session {
  readonly familyId: string;
  readonly accountId: string;
  /** Null for a developer's session. */
  readonly projectName: string | null;
  readonly environment: Environment | null;
  readonly createdAt: number;
  /** When one of its tokens was last exchanged. */
  readonly usedAt: number;
  readonly label: string | null;
  readonly amr: string | null;
}

/** A link to an identity provider, as its owner sees it. */
export interface ProviderLink {
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
}

export type AddedLink = 'added' | 'known' | 'taken' | 'too_many' | 'no_user';

/** `last_method`, with nothing changed, if the user could not sign in afterwards. */
export type RemovedMethod = 'removed' | 'absent' | 'last_method';

export interface LastOwner {
  readonly kind: 'last_owner';
  readonly accountName: string;
}
