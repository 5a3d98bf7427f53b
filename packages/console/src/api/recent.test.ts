import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recentPages, rememberPage } from './recent-pages.ts';
import { lastOpened, rememberProject } from './recent-projects.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  });
});

const visit = (accountId: string, ...titles: string[]) => {
  for (const title of titles) rememberPage(accountId, { href: `/console/${title}`, title });
};
const titlesOf = (accountId: string) => recentPages(accountId).map(({ title }) => title);

describe('the pages last visited', () => {
  it('are six, the newest first, each once', () => {
    visit('acc_a', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'c');
    expect(titlesOf('acc_a')).toEqual(['c', 'g', 'f', 'e', 'd', 'b']);
  });

  it('are those of one account', () => {
    visit('acc_a', 'a');
    visit('acc_b', 'b');
    expect([titlesOf('acc_a'), titlesOf('acc_b'), titlesOf('acc_c')]).toEqual([['a'], ['b'], []]);
  });

  it('have the address of the last visit', () => {
    rememberPage('acc_a', { href: '/console/p/glass/development/players/one', title: 'Players' });
    rememberPage('acc_a', { href: '/console/p/glass/development/players/two', title: 'Players' });
    expect(recentPages('acc_a')).toEqual([{ href: '/console/p/glass/development/players/two', title: 'Players' }]);
  });

  it.each(['{', '{"href":"/"}', '[null,1,{"href":"/"},{"title":"a"},{"href":1,"title":"a"}]'])(
    'are missing where the browser has %s',
    (text) => {
      visit('acc_a', 'a');
      for (const name of stored.keys()) stored.set(name, text);
      expect(recentPages('acc_a')).toEqual([]);
    },
  );

  it('are missing in a browser without storage', () => {
    vi.stubGlobal('localStorage', undefined);
    visit('acc_a', 'a');
    expect(recentPages('acc_a')).toEqual([]);
  });
});

describe('the project last opened', () => {
  it('is the newest that exists', () => {
    for (const slug of ['glass', 'tides', 'gone']) rememberProject('acc_a', slug);
    expect(lastOpened('acc_a', [{ slug: 'glass' }, { slug: 'tides' }])).toBe('tides');
    expect(lastOpened('acc_a', [{ slug: 'other' }])).toBeUndefined();
    expect(lastOpened('acc_b', [{ slug: 'glass' }])).toBeUndefined();
  });

  it('is the newest until it is known which exist', () => {
    for (const slug of ['glass', 'gone']) rememberProject('acc_a', slug);
    expect(lastOpened('acc_a', undefined)).toBe('gone');
  });
});
