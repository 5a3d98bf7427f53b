/** A page that signs in with a popup of the login page, and is also the popup's redirect URI. */
import { createAuth } from '@holdfast/client';

interface Page {
  readonly settings: { readonly baseUrl: string; readonly accountId: string; readonly project: string };
  readonly location: { readonly origin: string };
  readonly document: { body: { dataset: Record<string, string>; onclick: () => void } };
}

const page = globalThis as unknown as Page;
const { body } = page.document;
const redirectUri = `${page.location.origin}/popup`;
const auth = createAuth({ ...page.settings, environment: 'production', redirectUri });
await auth.handleRedirect();
body.onclick = () => {
  body.dataset.outcome = 'waiting';
  auth.signIn({ popup: true }).then(
    () => {
      body.dataset.outcome = `signed in as ${auth.user?.email}`;
    },
    (failure) => {
      body.dataset.outcome = failure.code;
    },
  );
};
body.dataset.outcome = 'ready';
