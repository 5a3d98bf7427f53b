/** Finds sign-in methods that projects allow and no user can use. */

/** The most projects that are reported. */
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

/** Returns the unusable methods of a project; undefined when there are none, or sign-in is off. */
export function unconfiguredProviders({ settingsText, configured, accountId, slug }: SignInRow) {
  const settings = parsed(settingsText);
  const allowed = settings?.enabled === true && Array.isArray(settings.allowedIdps) ? settings.allowedIdps : [];
  const providerIds = allowed.filter((id) => typeof id === 'string' && id !== 'password' && !configured.includes(id));
  return providerIds.length === 0 ? undefined : ({ accountId, slug, providerIds } satisfies UnconfiguredProviders);
}

/** Damaged settings are skipped; other checks report them. */
function parsed(text: string): { readonly enabled?: unknown; readonly allowedIdps?: unknown } | null | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
