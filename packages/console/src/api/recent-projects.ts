/** The projects that were opened last in this browser, the newest first. */
const name = (accountId: string) => `holdfast.recent:${accountId}`;
const keptMax = 30;

export function recentProjects(accountId: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name(accountId)) ?? '[]');
    return Array.isArray(read) ? read.filter((slug) => typeof slug === 'string') : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

export function rememberProject(accountId: string, slug: string): void {
  try {
    const slugs = [slug, ...recentProjects(accountId).filter((one) => one !== slug)].slice(0, keptMax);
    localStorage.setItem(name(accountId), JSON.stringify(slugs));
  } catch {
    // The list is in the order of creation then.
  }
}

/** Those that were opened last, then the others in the order in which they are given. */
export function recentFirst<Project extends { readonly slug: string }>(
  projects: readonly Project[],
  recent: readonly string[],
): readonly Project[] {
  const rank = (slug: string) => (recent.includes(slug) ? recent.indexOf(slug) : recent.length);
  return projects.toSorted((one, other) => rank(one.slug) - rank(other.slug));
}
