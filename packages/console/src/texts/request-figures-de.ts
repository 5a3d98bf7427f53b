/** The texts about requests and connections on the usage page, in German. */
import type { RequestFigureTexts } from './request-figures-en.ts';

export const texts: RequestFigureTexts = {
  title: 'Anfragen im Einzelnen',
  lead: 'Anfragen und Fehler nach Projekt und Schlüssel, Tage nach UTC. Auch Anfragen, die oben nicht mitzählen.',
  period: 'Zeitraum',
  days: (days) => (days === 1 ? '1 Tag' : `${days} Tage`),
  lastDays: (days) => (days === 1 ? 'Am letzten Tag.' : `In den letzten ${days} Tagen.`),
  project: 'Projekt',
  allProjects: 'Alle Projekte',
  requests: 'Anfragen',
  errors: 'Abgelehnt und fehl\u00adgeschlagen',
  errorShare: (percent, refused, failed) =>
    `${percent} aller Anfragen: ${refused} abgelehnt (4xx), ${failed} fehlgeschlagen (5xx)`,
  noErrors: 'Keine',
  open: 'Live-Verbin\u00addungen jetzt',
  openHint: 'Spiele und Server, die Änderungen sofort bekommen.',
  openOf: (publicState, saves) => `${publicState} für Konfiguration, ${saves} für Spielstände`,
  errorsByDay: 'Abgelehnt und fehlgeschlagen, nach Tag und Code',
  noErrorsText: 'In diesem Zeitraum wurde nichts abgelehnt, und nichts ist fehlgeschlagen.',
  otherCodes: 'andere Codes',
  day: 'Tag',
  callers: 'Absender',
  caller: 'Absender',
  mostFrequent: 'Häufigster Code',
  noProject: 'Kein Projekt',
  kinds: {
    api_key: 'API-Schlüssel',
    service_account: 'Dienstkonto',
    developer: 'Mitglieder des Kontos',
    end_user: 'Spieler',
    other: 'Alle anderen',
  },
  gone: (kind) => `${kind}, gelöscht`,
  connections: 'Live-Verbindungen',
  publicState: 'Konfiguration',
  saves: 'Spielstände',
  empty: 'Keine Anfragen in diesem Zeitraum',
  emptyText:
    'Anfragen eines Spiels, eines Servers oder dieser Konsole an ein Projekt erscheinen hier nach wenigen Sekunden.',
};
