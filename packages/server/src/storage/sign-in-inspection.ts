/** Which sign-in methods projects allow that nobody can use. */

/** So many projects are told. */
export const unconfiguredMax = 20;

/** The sign-in settings of a project, and the providers that its account has configured. */
export interface SignInRow {
  readonly accountId: string;
  readonly slug: string;
  readonly settingsText: string;
  readonly configured: readonly string[];
}

/** A project that allows providers which its account has not configured. */
export interface UnconfiguredProviders {
  readonly accountId: string;
  readonly slug: string;
  readonly providerIds: readonly string[];
}

/** Returns what a project allows in vain; undefined when there is nothing, or sign-in is off. */
export function unconfiguredProviders({ settingsText, configured, accountId, slug }: SignInRow) {
  const settings = parsed(settingsText);
  const allowed = settings?.enabled === true && Array.isArray(settings.allowedIdps) ? settings.allowedIdps : [];
  const providerIds = allowed.filter((id) => typeof id === 'string' && id !== 'password' && !configured.includes(id));
  return providerIds.length === 0 ? undefined : ({ accountId, slug, providerIds } satisfies UnconfiguredProviders);
}

/** Settings that are damaged say nothing; other checks tell of them. */
function parsed(text: string): { readonly enabled?: unknown; readonly allowedIdps?: unknown } | null | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
