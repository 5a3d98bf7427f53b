/** The texts of the first steps with a project, in both languages. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import type { Widened } from './widened.ts';

const en = {
  title: 'Connect your game',
  lead: 'Three steps to a game with guests, saves and this configuration.',
  demoLead: 'This is the demo project. Its configuration is live: change it, and every client sees the change.',
  steps: {
    browser: { title: 'Create a game', text: 'A whole game for this environment. Whoever opens it becomes a guest.' },
    node: { title: 'Play from a program', text: 'It follows the configuration, and saves as a new guest.' },
    curl: { title: 'Read the configuration', text: 'One request, from any language.' },
    unity: {
      title: 'Read the configuration',
      text: 'A script for a scene. The documentation has one with guests and saves.',
    },
  },
  download: 'Download',
  run: {
    browser: 'Save it as game.html and open it in a browser.',
    node: 'Save it as game.mjs, and run in its folder:',
    curl: 'Run it in a terminal.',
    unity: 'Save it as LiveConfig.cs and add it to an object of a scene.',
  },
  createKey: 'Create a key for this snippet',
  keyIn: 'The key in the snippet is publishable: a game may contain it.',
  keyHidden: 'The existing keys are too old to be shown.',
  noGuests: 'This project does not let guests in yet. The setting applies to all three environments.',
  allowGuests: 'Let guests in',
  keyName: 'Snippet',
  stepChange: 'Change the configuration',
  stepChangeText: 'Edit it, review the difference and save. You can restore earlier versions.',
  openEditor: 'Open the editor',
  stepProject: 'Make it yours',
  stepProjectText: 'Create a project for your game, then let players sign in.',
  stepPlayers: 'Let players sign in',
  stepPlayersText: 'With an email address, or with Google, Apple and other providers.',
  signPlayers: 'Set up player sign-in',
  document: 'Current configuration',
  placeholder: 'YOUR_API_KEY',
};

const de: Widened<typeof en> = {
  title: 'Ihr Spiel verbinden',
  lead: 'In drei Schritten zu einem Spiel mit Gästen, Spielständen und dieser Konfiguration.',
  demoLead: 'Das ist das Demoprojekt. Seine Konfiguration ist live: Wenn Sie sie ändern, sieht jeder Client die Änderung.',
  steps: {
    browser: {
      title: 'Ein Spiel erstellen',
      text: 'Ein vollständiges Spiel für diese Umgebung. Wer es öffnet, spielt als Gast mit eigenem Spielstand.',
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

export const useConnectTexts = (): Widened<typeof en> => (useLanguage() === 'de' ? de : en);
