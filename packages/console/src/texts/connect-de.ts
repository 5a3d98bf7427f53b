/** The texts of the first steps with a project in German. */
import type { ConnectTexts } from './connect-en.ts';

export const texts: ConnectTexts = {
  title: 'Spiel verbinden',
  lead: 'In drei Schritten zu einem Spiel mit Gästen, Spielständen und dieser Konfiguration.',
  demoLead:
    'Das ist das Demoprojekt. Seine Konfiguration ist live: Wenn Sie sie ändern, sieht jedes verbundene Spiel die Änderung.',
  steps: {
    browser: {
      title: 'Ein Spiel erstellen',
      text: 'Ein vollständiges Spiel für diese Umgebung. Wer es öffnet, wird ein Gast mit eigenem Spielstand.',
    },
    node: {
      title: 'Aus einem Programm spielen',
      text: 'Es folgt der Konfiguration und speichert als neuer Gast.',
    },
    curl: { title: 'Die Konfiguration lesen', text: 'Eine Anfrage, aus jeder Sprache.' },
    unity: {
      title: 'Die Konfiguration lesen',
      text: 'Ein Skript für eine Szene. Die Dokumentation hat eines mit Gästen und Spielständen.',
    },
  },
  writesSaves: 'Dieses Programm schreibt echte Spielstände.',
  download: 'Herunterladen',
  run: {
    browser: 'Speichern Sie es als game.html und öffnen Sie die Datei im Browser.',
    node: 'Speichern Sie es als game.mjs und führen Sie in seinem Ordner aus:',
    curl: 'Führen Sie es in einem Terminal aus.',
    unity: 'Speichern Sie es als LiveConfig.cs und fügen Sie es einem Objekt einer Szene hinzu.',
  },
  createKey: 'Schlüssel für dieses Beispiel erstellen',
  keyIn: 'Der Schlüssel im Beispiel ist öffentlich: Ein Spiel darf ihn enthalten.',
  keyHidden: 'Die vorhandenen Schlüssel sind zu alt, um angezeigt zu werden.',
  noGuests: 'Dieses Projekt lässt noch keine Gäste zu. Die Einstellung gilt für alle drei Umgebungen.',
  allowGuests: 'Gäste zulassen',
  keyName: 'Beispiel',
  stepChange: 'Die Konfiguration ändern',
  stepChangeText:
    'Bearbeiten Sie sie, prüfen Sie die Unterschiede und speichern Sie. Frühere Versionen lassen sich wiederherstellen.',
  openEditor: 'Editor öffnen',
  stepProject: 'Ein eigenes Projekt',
  stepProjectText: 'Erstellen Sie ein Projekt für Ihr Spiel und richten Sie dann die Anmeldung für Spieler ein.',
  stepPlayers: 'Spieler anmelden lassen',
  stepPlayersText: 'Mit E-Mail-Adresse oder über Google, Apple und andere Anbieter.',
  signPlayers: 'Spieleranmeldung einrichten',
  document: 'Aktuelle Konfiguration',
  placeholder: 'IHR_API_SCHLUESSEL',
};
