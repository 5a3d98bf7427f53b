/** Starts the page, or hydrates server-rendered HTML. */
import { createElement as h, version } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App, clientOf, partRenders, type Settings } from './react-app.ts';

interface Page {
  readonly settings: Settings & { readonly initial?: Parameters<typeof App>[0]['initial'] };
  /** The test's handling of write requests. */
  onWrite?: () => Promise<Response | undefined>;
  reactVersion?: string;
  partRenders?: typeof partRenders;
  document: { getElementById(id: string): (Parameters<typeof createRoot>[0] & { innerHTML: string }) | null };
}

const page = globalThis as unknown as Page;
page.reactVersion = version;
page.partRenders = partRenders;
const { initial, ...settings } = page.settings;
const client = clientOf({
  ...settings,
  fetch: async (input, init) => (init?.method === 'PATCH' ? await page.onWrite?.() : undefined) ?? fetch(input, init),
});
const root = page.document.getElementById('root');
if (root === null) throw new Error('there is no root');
const app = h(App, { client, ...(initial && { initial }) });
if (root.innerHTML === '') createRoot(root).render(app);
else hydrateRoot(root, app);
