/** The texts of comparing environments and of promoting, in German. */
import type { PromoteTexts } from './promote-en.ts';

export const texts: PromoteTexts = {
  compareWith: (name) => `Mit ${name} vergleichen`,
  lead: 'Sehen Sie, was sich unterscheidet, und übertragen Sie Änderungen von einer Umgebung in die andere.',
  from: 'Von',
  to: 'Nach',
  swap: 'Tauschen',
  same: 'Beide Umgebungen haben denselben Inhalt.',
  differs: (count, name) => (count === 1 ? `1 Änderung fehlt in ${name}` : `${count} Änderungen fehlen in ${name}`),
  differsFrom: (count, name) =>
    count === 1 ? `Unterscheidet sich in 1 Wert von ${name}` : `Unterscheidet sich in ${count} Werten von ${name}`,
  parts: 'Änderungen auswählen',
  changesIn: (count, path) => `${count} ${count === '1' ? 'Änderung' : 'Änderungen'} in ${path}`,
  selected: (count, all) => `${count} von ${all} ausgewählt`,
  preview: (name) => `${name} vorher und nachher`,
  differences: (name) => `Alle Unterschiede zu ${name}`,
  promote: (name) => `Nach ${name} übertragen`,
  promoteTo: (count, env) =>
    count === 1 ? `1 Änderung nach ${env} übertragen` : `${count} Änderungen nach ${env} übertragen`,
  propose: (count) => (count === 1 ? '1 Änderung vorschlagen' : `${count} Änderungen vorschlagen`),
  schedule: (count) => (count === 1 ? '1 Änderung planen' : `${count} Änderungen planen`),
  question: (count, env) =>
    count === 1 ? `1 Änderung nach ${env} übertragen?` : `${count} Änderungen nach ${env} übertragen?`,
  comment: (from, version) => `Übertragen aus ${from}, Version ${version}`,
  done: (name, version) => `${name} hat jetzt Version ${version}`,
  moved: (name) => `Inzwischen wurde ${name} geändert. Prüfen Sie unten die neuen Unterschiede.`,
  emptySource: (name) => `${name} hat noch keine Konfiguration.`,
  empty: 'Leer',
  equals: (name) => `Identisch mit ${name}`,
  now: (name) => `${name} jetzt`,
  after: 'nach der Übertragung',
};
