/** The texts of the editor of documents in German. */
import type { EditorTexts } from './editor-en.ts';

export const texts: EditorTexts = {
  phrases: {
    Find: 'Suchen',
    Replace: 'Ersetzen',
    next: 'weiter',
    previous: 'zurück',
    all: 'alle',
    'match case': 'Groß/Klein',
    regexp: 'Regex',
    'by word': 'ganze Wörter',
    replace: 'ersetzen',
    'replace all': 'alle ersetzen',
    close: 'schließen',
    'Fold line': 'Zeile einklappen',
    'Unfold line': 'Zeile ausklappen',
    'folded code': 'eingeklappter Text',
    unfold: 'ausklappen',
    '$ unchanged lines': '$ unveränderte Zeilen',
  },
  noMatches: 'keine Treffer',
  matches: (_count, formatted) => `${formatted} Treffer`,
  currentMatch: (current, all) => `${current} von ${all}`,
  duplicate: (name) => `„${name}“ kommt in diesem Objekt noch einmal vor. Es gilt nur das letzte.`,
};
