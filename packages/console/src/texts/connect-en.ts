/** The texts of the first steps with a project in English. */
import type { Widened } from './widened.ts';

export const texts = {
  title: 'Connect your game',
  lead: 'Three steps to a game with guests, saves and this configuration.',
  demoLead: 'This is the demo project. Its configuration is live: change it, and every connected game sees the change.',
  steps: {
    browser: { title: 'Create a game', text: 'A whole game for this environment. Whoever opens it becomes a guest.' },
    node: { title: 'Play from a program', text: 'It follows the configuration, and saves as a new guest.' },
    curl: { title: 'Read the configuration', text: 'One request, from any language.' },
    unity: {
      title: 'Read the configuration',
      text: 'A script for a scene. The documentation has one with guests and saves.',
    },
  },
  writesSaves: 'This program writes real players’ saves.',
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

export type ConnectTexts = Widened<typeof texts>;
