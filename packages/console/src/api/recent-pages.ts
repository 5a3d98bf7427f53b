/** The pages last visited in this browser, newest first. */
const name = (accountId: string) => `holdfast.pages:${accountId}`;
const keptMax = 6;

interface RecentPage {
  /** Address on this host. */
  readonly href: string;
  /** The title of its window, in the language of the visit. */
  readonly title: string;
}

const isPage = (value: unknown): value is RecentPage =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  'title' in value &&
  typeof value.href === 'string' &&
  typeof value.title === 'string';

export function recentPages(accountId: string): readonly RecentPage[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(name(accountId)) ?? '[]');
    return Array.isArray(read) ? read.filter(isPage) : [];
  } catch {
    return []; // a browser without storage
  }
}

export function rememberPage(accountId: string, page: RecentPage): void {
  try {
    const pages = [page, ...recentPages(accountId).filter(({ title }) => title !== page.title)];
    localStorage.setItem(name(accountId), JSON.stringify(pages.slice(0, keptMax)));
  } catch {
    // The palette then has no recent pages.
  }
}
