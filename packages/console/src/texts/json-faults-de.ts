/** Why a text is not JSON, in German. */
import type { JsonFaultTexts } from './json-faults-en.ts';

export const texts: JsonFaultTexts = {
  empty: () => 'Das Dokument ist leer. Es beginnt mit { und endet mit }.',
  unclosed: (line, text) => `Die Klammer ${text} in Zeile ${line} wird nicht geschlossen`,
  commaAfterLine: (line) => `Nach Zeile ${line} fehlt ein Komma`,
  commaInLine: (line, text) => `In Zeile ${line} fehlt ein Komma vor ${text}`,
  colon: (line, text) => `In Zeile ${line} fehlt ein Doppelpunkt nach ${text}`,
  value: (line) => `In Zeile ${line} fehlt ein Wert nach dem Doppelpunkt`,
  extraComma: (line) => `Entfernen Sie das Komma in Zeile ${line}: Danach folgt nichts`,
  quote: (line) => `Dem Text in Zeile ${line} fehlt das schließende Anführungszeichen`,
  escape: (line) => `In Zeile ${line} steht ein unbekanntes Zeichen nach \\`,
  control: (line) =>
    `In Zeile ${line} enthält ein Text einen Tabulator oder ein anderes Steuerzeichen: Schreiben Sie stattdessen \\t`,
  singleQuotes: (line) => `Verwenden Sie in Zeile ${line} doppelte statt einfacher Anführungszeichen`,
  bareName: (line, text) => `Setzen Sie den Namen ${text} in Zeile ${line} in doppelte Anführungszeichen`,
  word: (line, text) =>
    `${text} in Zeile ${line} ist kein Wert: Verwenden Sie true, false, null oder Text in doppelten Anführungszeichen`,
  number: (line, text) => `${text} in Zeile ${line} ist keine JSON-Zahl`,
  comment: (line) => `Entfernen Sie den Kommentar in Zeile ${line}: JSON erlaubt keine Kommentare`,
  closer: (line, text) => `Der Klammer ${text} in Zeile ${line} fehlt die öffnende Klammer`,
  rest: (line) => `Das Dokument endet vor Zeile ${line}: Entfernen Sie den Rest`,
  unexpected: (line, text) => `Unerwartetes ${text} in Zeile ${line}`,
  depth: (line) => `Zeile ${line} ist tiefer als 256 Ebenen verschachtelt`,
  notObject: () => 'Das Dokument muss ein Objekt in { } sein',
};
