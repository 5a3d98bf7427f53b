import { createClient } from '@holdfast/client';
import { HoldfastProvider, usePublicState, useSession, useUserState } from '@holdfast/client/react';
import { StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface Config {
  title: string;
  color: string;
}

interface Diary {
  notes: { id: string; text: string }[];
}

const { VITE_HOLDFAST_URL, VITE_HOLDFAST_ACCOUNT_ID, VITE_HOLDFAST_PROJECT, VITE_HOLDFAST_ENVIRONMENT, VITE_HOLDFAST_KEY } =
  import.meta.env;

const client = createClient({
  baseUrl: VITE_HOLDFAST_URL,
  accountId: VITE_HOLDFAST_ACCOUNT_ID,
  project: VITE_HOLDFAST_PROJECT,
  environment: VITE_HOLDFAST_ENVIRONMENT,
  publishableKey: VITE_HOLDFAST_KEY,
  auth: { redirectUri: `${location.origin}/` },
});
await client.auth.handleRedirect();

function Notes() {
  const { state, update, isSaving } = useUserState<Diary>({ suspense: true });
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const save = (change: (draft: Diary) => void) =>
    update(change, { initial: { notes: [] } }).then(
      () => setProblem(''),
      (error: Error) => setProblem(error.message),
    );
  const add = () => {
    const note = { id: crypto.randomUUID(), text };
    save((draft) => {
      draft.notes.unshift(note);
    });
    setText('');
  };
  const remove = (id: string) =>
    save((draft) => {
      draft.notes = draft.notes.filter((note) => note.id !== id);
    });
  return (
    <>
      <form action={add}>
        <input
          aria-label="A note"
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
          maxLength={200}
        />
        <button className="primary" type="submit">
          Add
        </button>
      </form>
      <p role="status">{problem || (isSaving ? 'Saving …' : 'All saved')}</p>
      <ul>
        {state?.notes.map((note) => (
          <li key={note.id}>
            {note.text}
            <button type="button" aria-label={`Remove ${note.text}`} onClick={() => remove(note.id)}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function App() {
  const { state } = usePublicState<Config>();
  const { user, auth } = useSession();
  return (
    <main style={{ '--accent': state?.color } as React.CSSProperties}>
      <header>
        <h1>{state?.title ?? '…'}</h1>
        {user && (
          <button type="button" onClick={() => auth.signOut?.()}>
            Sign out {user.email}
          </button>
        )}
      </header>
      {user ? (
        <Suspense fallback={<p>Loading …</p>}>
          <Notes key={user.id} />
        </Suspense>
      ) : (
        <button className="primary" type="button" onClick={() => auth.signIn?.()}>
          Sign in to keep notes
        </button>
      )}
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <HoldfastProvider client={client}>
      <App />
    </HoldfastProvider>
  </StrictMode>,
);
