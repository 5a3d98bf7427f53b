/**
 * The driver that `run.ts` starts: it executes each line of its input with `@holdfast/client`, and prints a line with the result. A client
 * in another language needs a program like this one.
 */
import { createInterface } from 'node:readline';
import { createAuth, createClient, defineMutators, memoryStorage, openQueue } from '@holdfast/client';

/** The client of the current case, and its subscriptions. */
let client;
let closers = [];
/** Received events that are not yet requested, and the callback that waits for more. */
let events = [];
let waiting;
/** Last opened URL of the login page. */
let opened;
/** The user's access token, in a session without a refresh token. */
let accessToken;

const tell = (one) => {
  events.push(one);
  waiting?.();
};

async function open({ session, guest, redirectUri, timeoutMs, ...place }) {
  close();
  events = [];
  client = createClient({ ...place, timeoutMs, auth: await authOf(place, session, guest, redirectUri) });
}

async function authOf(place, session, guest, redirectUri) {
  if (guest) {
    const openUrl = (url) => {
      opened = new URL(url);
    };
    return { guest: true, storage: memoryStorage(), ...(redirectUri && { redirectUri, openUrl }) };
  }
  return session ? sessionAuth(place, session) : place.auth;
}

/** Returns `auth` with a session from an earlier sign-in. */
async function sessionAuth(place, { refreshToken, expiresInSeconds, ...given }) {
  accessToken = given.accessToken;
  if (refreshToken === undefined) return { accessToken: () => accessToken };
  const storage = memoryStorage();
  const expiresAt = Date.now() + expiresInSeconds * 1_000;
  const name = `holdfast:${place.baseUrl}:${place.accountId}.${place.project}:${place.environment}`;
  storage.set(name, JSON.stringify({ accessToken, refreshToken, expiresAt, renewAt: expiresAt }));
  const auth = createAuth({ ...place, redirectUri: 'http://127.0.0.1/', storage });
  await auth.ready;
  return auth;
}

function close() {
  for (const end of closers) end();
  closers = [];
}

/** Returns the change of a case as a function. */
const changeOf =
  ({ add = {}, set = {}, remove = [] }) =>
  (draft) => {
    for (const [name, value] of Object.entries(add)) draft[name] = (draft[name] ?? 0) + value;
    Object.assign(draft, set);
    for (const name of remove) delete draft[name];
  };

/** Queues changes together, and resolves with their outcomes. */
function queue({ of, changes }) {
  return new Promise((resolve, reject) => {
    const outcomes = [];
    const mutators = defineMutators({ change: (draft, change) => changeOf(change)(draft) });
    const opened = openQueue(client[of], mutators, {
      name: 'queue',
      storage: memoryStorage(),
      onSettled({ outcome }) {
        outcomes.push(outcome);
        if (outcomes.length === changes.length) resolve(outcomes);
      },
    });
    closers.push(() => opened.close());
    Promise.all(changes.map((change) => opened.run.change(change))).catch(reject);
  });
}

/** Signs up the guest, as after the login page's redirect with a code. */
async function signUp({ code }) {
  await client.auth.upgrade();
  const { redirect_uri, state } = Object.fromEntries(opened.searchParams);
  const answer = new URLSearchParams({ code, state, iss: opened.origin });
  const { user, link } = await client.auth.handleRedirect(`${redirect_uri}?${answer}`);
  return { userId: user.id, link };
}

const calls = {
  queue,
  signUp,
  finishMerge: () => client.auth.finishMerge(),
  become({ afterMs, ...next }) {
    setTimeout(() => {
      accessToken = next.accessToken;
    }, afterMs);
  },
  open,
  close,
  get: ({ of }) => client[of].get(),
  put: ({ of, state, ifVersion }) => client[of].put(state, { ifVersion }),
  patch: ({ of, ops, ifVersion }) => client[of].patch(ops, { ifVersion }),
  update: ({ of, change, initial }) => client[of].update(changeOf(change), initial && { initial }),
  rollback: ({ of, version }) => client[of].rollback(version),
  subscribe({ of }) {
    const onError = (error) => tell({ error: errorOf(error) });
    closers.push(client[of].subscribe(({ state, version }) => tell({ state, version }), { onError }));
  },
  async next() {
    while (events.length === 0) {
      await new Promise((resolve) => {
        waiting = resolve;
      });
    }
    return events.shift();
  },
};

const errorOf = ({ code, status, retryAfter, requestId, currentVersion, message }) =>
  code === undefined ? { message } : { code, status, retryAfter, requestId, currentVersion };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, ...given } = JSON.parse(line);
  Promise.resolve()
    .then(() => calls[call](given))
    .then(
      (result) => ({ id, result: result ?? null }),
      (error) => ({ id, error: errorOf(error) }),
    )
    .then((answer) => console.log(JSON.stringify(answer)));
}
process.exit(0);
