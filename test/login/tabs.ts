/** Common parts of the tests of several tabs: the requests of an app, which makes a new state for each tab. */
import { expect } from 'vitest';
import { createFormClient, type FormClient, type PageAnswer } from '../../tooling/forms.ts';
import { type AccountWorld, noticeOf } from './account-world.ts';
import type { LoginClient } from './world.ts';

/** Every order of three tabs. */
export const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** Returns the steps in the tabs of an app. */
export function createTabs(at: AccountWorld, client: LoginClient) {
  return {
    newForm: () => createFormClient(at.world.baseUrl),
    /** The authorization request of one tab. */
    urlOf(tab: string, path?: string): string {
      const url = new URL(at.authorizeUrl(client));
      url.searchParams.set('state', tab);
      if (path !== undefined) url.pathname = path;
      return url.href;
    },
    /** Continues to the app, which redeems its code there. Returns the name of the tab. */
    async arrive(form: FormClient, page: PageAnswer): Promise<string> {
      expect([page.status, noticeOf(page)]).toEqual([200, '']);
      const back = await at.comeBack(form, page);
      await at.redeem(back, client);
      return back.searchParams.get('state') as string;
    },
  };
}
