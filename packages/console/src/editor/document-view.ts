/** How the document is shown: as a form or as JSON. The address says it, otherwise the last choice in this browser. */
import { useNavigate, useSearch } from '@tanstack/react-router';

export type DocumentView = 'form' | 'json';

const keptName = 'holdfast.view';

/** Returns the last choice in this browser, which is a form at first. */
const keptView = (): DocumentView => (localStorage.getItem(keptName) === 'json' ? 'json' : 'form');
const keepView = (view: DocumentView): void => localStorage.setItem(keptName, view);

/** Returns the view, and a function that changes it. */
export function useDocumentView(): readonly [DocumentView, (view: DocumentView) => void] {
  const { view } = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (next: DocumentView) => {
    keepView(next);
    void navigate({ to: '.', search: (now: object) => ({ ...now, view: next }), replace: true });
  };
  return [view === 'json' || view === 'form' ? view : keptView(), choose];
}

/** The part of an address that says which document is shown, and how. It stays when a drawer opens or closes. */
export function useShownDocument(): { readonly view?: DocumentView; readonly proposal?: string } {
  const { view, proposal } = useSearch({ strict: false });
  return { ...((view === 'form' || view === 'json') && { view }), ...(proposal !== undefined && { proposal }) };
}
