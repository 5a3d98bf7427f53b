/** When service accounts were last used, and with which of their secrets: for a token, or by a request with one. */
import { createLastUses } from './last-uses.ts';

/** `lastUsedAt` is accurate to a minute. */
const intervalMs = 60_000;

/** The user of a service account: the subject is its id. */
export interface ServiceAccountUser {
  readonly accountId: string;
  readonly subject: string;
  readonly secretId: string;
}

interface Use {
  readonly accountId: string;
  readonly serviceAccountId: string;
  readonly secretId: string;
  readonly usedAt: number;
}

export interface ServiceAccountUses {
  /** Records a use, and returns when the next one is worth recording. */
  note(user: ServiceAccountUser, nowMs: number): number;
  /** Writes what was recorded, and stops. */
  close(): Promise<void>;
}

/** Returns a record of uses, which calls `write` about a second after each. */
export function createServiceAccountUses(write: (uses: readonly Use[]) => Promise<void>): ServiceAccountUses {
  const uses = createLastUses(intervalMs, (noted) =>
    write(
      noted.map(([name, usedAt]) => {
        const [accountId = '', serviceAccountId = '', secretId = ''] = name.split('/');
        return { accountId, serviceAccountId, secretId, usedAt };
      }),
    ),
  );
  return {
    note: ({ accountId, subject, secretId }, nowMs) => uses.note(`${accountId}/${subject}/${secretId}`, nowMs),
    close: () => uses.close(),
  };
}
