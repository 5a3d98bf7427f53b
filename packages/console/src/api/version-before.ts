/** The version before another one. Numbers are skipped where the store went back to a backup. */
import { ApiError } from '@holdfast/contract/call';
import { queryOptions } from '@tanstack/react-query';

/** The versions of a document. */
export interface Versions {
  /** Rejects with 404 if there is no such version. */
  readonly read: (version: number) => Promise<unknown>;
  /** A page of them, newest first. */
  readonly list: (cursor: string | null) => Promise<VersionPage>;
}

interface VersionPage {
  readonly items: readonly { readonly version: number }[];
  readonly cursor: string | null;
}

/** Returns 0 before the first. The next lower number is tried before the list, which is long for an old version. */
export async function versionBefore(version: number, { read, list }: Versions): Promise<number> {
  if (version > 1 && (await isStored(read(version - 1)))) return version - 1;
  let cursor: string | null = null;
  do {
    const page: VersionPage = await list(cursor);
    const older = page.items.find((item) => item.version < version);
    if (older !== undefined) return older.version;
    cursor = page.cursor;
  } while (cursor !== null);
  return 0;
}

/** The query of the number of the version before another one; 0 before the first. For 0, nothing is read. */
export const beforeQuery = <Key extends readonly unknown[]>(key: Key, version: number, versions: Versions) =>
  queryOptions({
    queryKey: [...key, 'before', version] as const,
    queryFn: () => versionBefore(version, versions),
    enabled: version > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

async function isStored(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
