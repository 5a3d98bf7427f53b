/** Starts the page, or hydrates server-rendered HTML. */
import { createRoot, hydrateRoot } from 'react-dom/client';
import { type FirstFrameSettings, firstFrame, frames } from './first-frame-app.ts';

interface Page {
  readonly settings: FirstFrameSettings & { readonly isAsked?: boolean; readonly isHeld?: boolean };
  user: string;
  frames: typeof frames;
  /** Releases held requests. */
  release: () => void;
  signIn: (user: string) => void;
  document: { getElementById(id: string): (Parameters<typeof createRoot>[0] & { innerHTML: string }) | null };
}

const page = globalThis as unknown as Page;
const { isAsked, isHeld, ...settings } = page.settings;
page.frames = frames;
page.user = 'ada';
const held = new Promise<void>((resolve) => {
  page.release = resolve;
});
if (!isHeld) page.release();
const token = () => settings.tokens[page.user] ?? '';
const { client, app } = firstFrame(settings, isAsked ? token : token(), async (input, init) => {
  await held;
  return fetch(input, init);
});
page.signIn = (user) => {
  page.user = user;
  frames.length = 0;
  void client.userState.get();
};
const root = page.document.getElementById('root');
if (root === null) throw new Error('there is no root');
if (root.innerHTML === '') createRoot(root).render(app);
else hydrateRoot(root, app);
