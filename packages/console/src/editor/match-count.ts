/** The number of the current match of a search, and of all: `1 of 3`, in the search panel. */
import { getSearchQuery, searchPanelOpen } from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { textsOf } from '../texts/index.ts';

const [, editorTextsNow] = textsOf('editor');

/** Further matches are not counted. */
const countedMax = 1_000;

/** Shows the count in the panel, and says it when it changes. */
export function matchCount(): Extension {
  return EditorView.updateListener.of(({ view, state }) => {
    const panel = view.dom.querySelector('.cm-search');
    if (panel === null || !searchPanelOpen(state)) return;
    let shown = panel.querySelector('.cm-count');
    if (shown === null) {
      shown = document.createElement('span');
      shown.className = 'cm-count';
      shown.setAttribute('role', 'status');
      panel.querySelector('.cm-textfield')?.after(shown);
    }
    const text = countIn(state);
    if (shown.textContent !== text) shown.textContent = text;
  });
}

function countIn(state: EditorState): string {
  const query = getSearchQuery(state);
  if (query.search === '' || !query.valid) return '';
  const { from, to } = state.selection.main;
  let [count, current] = [0, 0];
  const matches = query.getCursor(state);
  for (let next = matches.next(); !next.done && count <= countedMax; next = matches.next()) {
    count++;
    if (next.value.from === from && next.value.to === to) current = count;
  }
  const t = editorTextsNow();
  const all = count > countedMax ? `${countedMax}+` : String(count);
  if (count === 0) return t.noMatches;
  return current === 0 ? t.matches(count, all) : t.currentMatch(current, all);
}
