/** The projects last opened in this browser, newest first. */
const name = (accountId: string) => `holdfast.recent:${accountId}`;
const keptMax = 30;

export function recentProjects(accountId: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name(accountId)) ?? '[]');
    return Array.isArray(read) ? read.filter((slug) => typeof slug === 'string') : [];
  } catch {
    return []; // a browser without storage
  }
}

export function rememberProject(accountId: string, slug: string): void {
  try {
    const slugs = [slug, ...recentProjects(accountId).filter((one) => one !== slug)].slice(0, keptMax);
    localStorage.setItem(name(accountId), JSON.stringify(slugs));
  } catch {
    // The list is then in the order of creation.
  }
}

/** Returns the last opened project that exists; while it is unknown which exist, the last opened one. */
export function lastOpened(
  accountId: string,
  projects: readonly { readonly slug: string }[] | undefined,
): string | undefined {
  return recentProjects(accountId).find((recent) => projects?.some(({ slug }) => slug === recent) ?? true);
}

/** Returns recently opened projects first, then the others in their given order. */
export function recentFirst<Project extends { readonly slug: string }>(
  projects: readonly Project[],
  recent: readonly string[],
): readonly Project[] {
  const rank = (slug: string) => (recent.includes(slug) ? recent.indexOf(slug) : recent.length);
  return projects.toSorted((one, other) => rank(one.slug) - rank(other.slug));
}
