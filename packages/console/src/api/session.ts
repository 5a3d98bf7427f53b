/**
 * The session. Sign-in, tokens and their renewal are those of `@holdfast/client`; this file decides where the tokens are kept, and what
 * happens to pages when a session ends.
 *
 * Tokens are kept in `sessionStorage`, which ends with the tab; `localStorage`, which this origin shares with the login page, holds none. A
 * tab without tokens asks the others over a `BroadcastChannel`, so that links open signed in as long as one tab is open. On loopback, where
 * the link of the command line works once, a database of the browser also has the newest tokens, so that closing the last tab does not lock
 * anybody out.
 */
import { createAuth, type TextStorage } from '@holdfast/client';
import { languageNow } from '../texts/language.ts';
import { baseUrl, consoleUrl, isLoopback } from './addresses.ts';
import { persistentStorage } from './persistent-storage.ts';

/** The owner of the session. */
export interface Holder {
  readonly accountId: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

export type SessionState =
  | { readonly kind: 'signed_out' }
  /** The session has ended; pages stay, and ask for a new sign-in. */
  | ({ readonly kind: 'expired' } & Holder)
  | ({ readonly kind: 'signed_in' } & Holder);

type Message =
  | { readonly kind: 'ask'; readonly name: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly person: string | null }
  | { readonly kind: 'gone'; readonly name: string; readonly holder: string };

/** How long other tabs may take to respond. */
const askedMs = 120;
/** Only the command line issues codes for it (server: common/net/console-addresses.ts). */
const linkRedirectUri = `${consoleUrl}demo`;

/** The project created by the first start (server: cli/serve/demo.ts). */
export const demoProject = 'hello';

/** The storage key that says that somebody signed out in this tab. */
const leftKey = 'holdfast:signed-out';
/** The storage key of the user's name, which only the first token of the session contains. */
const personKey = 'holdfast:person';
/** The subject of tokens issued by the command line (server: cli/operator.ts). */
const operatorSubject = 'operator';

const storage = tabStorage();
const redirectUri = `${consoleUrl}callback`;
/** The login page, in the language of the console. */
const inLanguage = (address: string): string => `${address}&${new URLSearchParams({ ui_locales: languageNow() })}`;
const openUrl = (address: string): void => location.assign(inLanguage(address));
const auth = createAuth({ baseUrl, redirectUri, developer: true, storage, openUrl });
const listeners = new Set<() => void>();
let state: SessionState = { kind: 'signed_out' };
let isLeaving = false;
/** Whether the tokens are from a closed tab and the service has not accepted them since. */
let isUnproved = false;

auth.onChange((user) => {
  const { accountId, id: subject } = user ?? {};
  if (accountId !== undefined && subject !== undefined) {
    sessionStorage.removeItem(leftKey);
    state = { kind: 'signed_in', accountId, subject, ...personOf(subject, user?.email, user?.name) };
  } else if (state.kind === 'signed_in' && !isLeaving && !isUnproved) state = { ...state, kind: 'expired' };
  else if (state.kind !== 'expired') state = { kind: 'signed_out' };
  for (const listener of listeners) listener();
});

/** Returns a developer's name. Only the first token of a session contains it, so it is stored with the tokens in this tab. */
function personOf(subject: string, email: string | undefined, name: string | undefined): Pick<Holder, 'email' | 'name'> {
  if (email !== undefined || name !== undefined) {
    const text = JSON.stringify({ subject, email, name });
    sessionStorage.setItem(personKey, text);
    if (isLoopback) void persistentStorage.set(personKey, text);
    return { email, name };
  }
  const kept = textsIn(sessionStorage.getItem(personKey));
  return kept.subject === subject ? { email: kept.email, name: kept.name } : { email, name };
}

export const session = {
  get state(): SessionState {
    return state;
  },
  /** Whether somebody was signed in when this tab was last open. */
  get isLikely(): boolean {
    return Object.keys(sessionStorage).some((name) => name.startsWith(`holdfast:${baseUrl}:`));
  },
  /** Whether the last session of this tab was ended by its user. */
  get isLeft(): boolean {
    return sessionStorage.getItem(leftKey) !== null;
  },
  /** Resolves when it is known whether somebody is signed in, here or in another tab. */
  ready: auth.ready,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Returns the best known name of a session's owner. `operator` is the word for the operator. */
export const personName = ({ name, email, subject }: Holder, operator: string): string =>
  email ?? name ?? (subject === operatorSubject ? operator : subject);

/** The developer's credential, for clients of the service. */
export const developerAuth = auth;

/** Sends the browser to the login page; it returns to `handleRedirect`, and then to `returnTo`. */
export const signIn = (returnTo: string): Promise<void> => auth.signIn({ returnTo }).then(untilPageShown);

/** Like `signIn`, in place of the current entry of the browser's history: its back button does not lead here again. */
export const leadToSignIn = (returnTo: string): Promise<void> =>
  signInBy(returnTo, (address) => location.replace(inLanguage(address)));

async function signInBy(returnTo: string, open: (address: string) => void | Promise<void>): Promise<void> {
  await createAuth({ baseUrl, redirectUri, developer: true, storage, openUrl: open }).signIn({ returnTo });
  await untilPageShown();
}

/** The browser is leaving. Resolves if it returns to this page from the page cache. */
export const untilPageShown = (): Promise<void> =>
  new Promise((resolve) => addEventListener('pageshow', ({ persisted }) => persisted && resolve()));

/** Completes the round trip to the login page. Returns where to continue. */
export async function handleRedirect(): Promise<string> {
  const signedIn = await auth.handleRedirect();
  return signedIn?.returnTo ?? consoleUrl;
}

/**
 * Signs in with a code and its verifier, from a link of the command line: a redirect that began elsewhere. The page must be reloaded
 * afterwards. Returns whether the account has the demo project. Rejects with `invalid_grant` if the link is invalid.
 */
export async function followLink(code: string, verifier: string): Promise<boolean> {
  const begun = crypto.randomUUID();
  sessionStorage.setItem(`holdfast:sign-in:${begun}`, JSON.stringify({ verifier, popup: false }));
  const arriving = createAuth({ baseUrl, redirectUri: linkRedirectUri, developer: true, storage });
  await arriving.handleRedirect(`${linkRedirectUri}?${new URLSearchParams({ code, state: begun, iss: baseUrl })}`);
  const response = await arriving.fetch(`/v1/${arriving.user?.accountId}/projects?limit=1`).catch(() => undefined);
  const first: unknown = response?.ok
    ? ((await response.json()) as { items: { slug: string }[] }).items[0]?.slug
    : undefined;
  return first === demoProject;
}

/** Like `signIn`; `lead` receives the address of the login page, and returns the one to open. */
export const signInAfter = (lead: (address: string) => Promise<string>): Promise<void> =>
  signInBy(consoleUrl, async (address) => openUrl(await lead(address)));

/** Makes the login page forget this browser's sign-in, which could otherwise switch accounts without a password. */
async function forgetSignIn(): Promise<void> {
  await fetch(`${baseUrl}/authorize/sign-out`, { method: 'POST', body: new URLSearchParams() }).catch(() => undefined);
}
/**
 * Sends the browser to the login page for another account of the same developer. If the login page remembers the sign-in, it returns
 * immediately. Other tabs stay in their account.
 */
export const switchAccount = (accountId: string): Promise<void> =>
  signInAfter(async (address) => `${address}&${new URLSearchParams({ account_id: accountId })}`);

/** Ends the session in every tab, and at the service. */
export async function signOut(): Promise<void> {
  isLeaving = true;
  sessionStorage.setItem(leftKey, 'true');
  await auth.signOut();
  await forgetSignIn();
  sessionStorage.removeItem(personKey);
  isLeaving = false;
}

/** `fetch` with the developer's token. */
export async function authorizedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await auth.fetch(url, init);
  if (response.ok) isUnproved = false;
  return response;
}

/** Texts of this tab, otherwise of another one. */
function tabStorage(): TextStorage {
  const channel = new BroadcastChannel('holdfast console');
  const waiting = new Set<() => void>();
  const post = (message: Message) => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = sessionStorage.getItem(data.name);
    if (data.kind === 'ask' && own !== null) postText(data.name, own);
    if (data.kind === 'gone' && (own === null || holderOf(own) === data.holder)) {
      sessionStorage.removeItem(data.name);
      announceTokens(data.name);
    }
    if (data.kind !== 'text' || expiryOf(data.text) <= expiryOf(own)) return;
    if (own !== null && holderOf(own) !== holderOf(data.text)) return; // never replace a session from elsewhere
    if (data.person) sessionStorage.setItem(personKey, data.person);
    sessionStorage.setItem(data.name, data.text);
    for (const take of waiting) take();
    announceTokens(data.name);
  };
  const postText = (name: string, text: string) =>
    post({ kind: 'text', name, text, person: sessionStorage.getItem(personKey) });
  const ask = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, askedMs);
      waiting.add(end);
      post({ kind: 'ask', name });
    });
  return {
    async get(name) {
      // Tokens that are old here may be new in another tab.
      if (isTokens(name) && expiryOf(sessionStorage.getItem(name)) < Date.now() + 75_000) await ask(name);
      if (isLoopback && isTokens(name) && sessionStorage.getItem(name) === null) await adoptPersistentTokens(name);
      return sessionStorage.getItem(name);
    },
    // The page may be left as soon as the tokens are kept, so the database comes first.
    async set(name, text) {
      sessionStorage.setItem(name, text);
      if (!isTokens(name)) return;
      postText(name, text);
      if (isLoopback) await withinTimeout(persistentStorage.set(name, text));
    },
    async delete(name) {
      const own = sessionStorage.getItem(name);
      sessionStorage.removeItem(name);
      if (!isTokens(name) || own === null) return;
      post({ kind: 'gone', name, holder: holderOf(own) });
      if (isLoopback) await withinTimeout(forgetPersistent(name, holderOf(own)));
    },
  };
}

/** An unresponsive database must not prevent signing in or out. */
const databaseMs = 1_000;
const withinTimeout = (done: Promise<void>): Promise<void> =>
  Promise.race([done, new Promise<void>((resolve) => setTimeout(resolve, databaseMs))]);

/** Takes over the tokens of a closed tab, with their owner. */
async function adoptPersistentTokens(name: string): Promise<void> {
  const [kept, person] = await Promise.all([persistentStorage.get(name), persistentStorage.get(personKey)]);
  if (kept === undefined || sessionStorage.getItem(name) !== null) return;
  isUnproved = true;
  sessionStorage.setItem(name, kept);
  if (person !== undefined) sessionStorage.setItem(personKey, person);
}

/** Another tab may have left somebody else's. */
async function forgetPersistent(name: string, holder: string): Promise<void> {
  const kept = await persistentStorage.get(name);
  if (kept !== undefined && holderOf(kept) === holder) await persistentStorage.delete(name);
}

/** Makes the client check its tokens, even if another tab responds late: it listens to a channel of their name. */
function announceTokens(name: string): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(null);
  channel.close();
}

/** Data of one round trip to the login page stays in its tab. */
function isTokens(name: string): boolean {
  return !name.startsWith('holdfast:sign-in:');
}

function expiryOf(text: string | null): number {
  return Number(textsIn(text).expiresAt ?? 0);
}

/** Owner and account of tokens, as text for comparison only. */
function holderOf(text: string): string {
  const { accessToken = '' } = textsIn(text);
  try {
    const { sub, svc_account_id } = textsIn(atob((accessToken.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    return JSON.stringify([sub, svc_account_id]);
  } catch {
    return '';
  }
}

/** The string members of a JSON object. */
function textsIn(text: string | null): Readonly<Record<string, string>> {
  const members = Object.entries<unknown>(JSON.parse(text ?? '{}'));
  return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
}
