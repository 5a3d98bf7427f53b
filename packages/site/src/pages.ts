/** The pages of the site, in the order of the menu. Each is a Markdown file of the repository. */

export interface Page {
  /** Its address below `/docs/`. */
  readonly slug: string;
  /** Its file, as a path in the repository. */
  readonly source: string;
  /** Its description, in one line. */
  readonly about: string;
}

export interface Group {
  readonly title: string;
  readonly about: string;
  readonly pages: readonly Page[];
}

const page = (slug: string, about: string, source = `docs/${slug}.md`): Page => ({ slug, source, about });

/** The first page, at `/docs`. */
export const home: Page = page('index', 'What Holdfast is, and where to begin', 'docs/README.md');

/** The reference, which the service generates, since it names the served operations. */
export const reference = {
  slug: 'reference',
  title: 'HTTP reference',
  about: 'Every route, field, status and code',
} as const;

/** Shown for an unknown address below `/docs/`. */
export const notFound = {
  slug: 'not-found',
  title: 'There is no such page',
  about: 'The address leads to no page of the documentation',
} as const;

/** Tutorials, guides, reference and explanations are separate. @see https://diataxis.fr */
export const groups: readonly Group[] = [
  {
    title: 'Tutorials',
    about: 'Learn by making something that works.',
    pages: [
      page('first-game', 'Guests, saves, live configuration and a game server, from an empty folder'),
      page('tutorials/game-server', 'A server that changes the settings of a live game'),
      page('tutorials/godot', 'Saves and settings in Godot, over plain HTTP'),
      page('tutorials/unity', 'Saves and settings in Unity, over plain HTTP'),
    ],
  },
  {
    title: 'How-to guides',
    about: 'Do one thing.',
    pages: [
      page('client', 'The TypeScript client', 'packages/client/README.md'),
      page('console', 'See and change state, compare, restore, look after players and keys'),
      page('guests', 'Play first, sign up later, and keep the save'),
      page('support', 'Find players, restore saves, block, export, erase'),
      page('feature-flags', 'Flags for OpenFeature clients'),
      page('schemas', 'What a configuration and a save may look like'),
      page('proposals', 'Changes that others approve'),
      page('identity-providers', 'Google, Microsoft, Apple, GitHub, any OpenID Connect provider'),
      page('login-page', 'The login page in your colours'),
      page('moving-players', 'Bring players along from Firebase or PlayFab'),
      page('sign-in-security', 'Your sign-in and its security'),
      page('generated-clients', 'Clients in other languages'),
      page('privacy', 'Give players their data, and forget them'),
      page('install', 'Install, run, monitor, size'),
      page('upgrade', 'Upgrade to a new release, and go back'),
      page('backup', 'Back up, restore any moment, export and import'),
      page('runbook', 'When something is wrong: symptoms, commands, what they mean'),
      page('reverse-proxy', 'Behind nginx, Caddy and others'),
      page('moving-domain', 'Change the base URL: tokens, passkeys, callbacks, game servers'),
      page('scaling', 'Many nodes over PostgreSQL'),
      page('observability', 'Logs, metrics and traces'),
    ],
  },
  {
    title: 'Reference',
    about: 'Look it up.',
    pages: [
      page('contract', 'The HTTP contract: what clients can rely on'),
      page('client-reference', '@holdfast/client: every function'),
      page('errors', 'Every code, and what to do about it'),
      page('configuration', 'Every setting'),
      page('commands', 'Every command'),
      page('quotas', 'Limits and quotas'),
      page('access', 'Keys and tokens, and what they reach'),
    ],
  },
  {
    title: 'Explanation',
    about: 'Understand how and why.',
    pages: [
      page('client-comparison', 'The same program with Supabase, Firebase, Nakama and PocketBase'),
      page('state', 'Versions, preconditions, patches, exact numbers'),
      page('live', 'Changes as they happen'),
      page('webhooks', 'Webhooks'),
      page('sign-in', 'How players and developers sign in'),
      page('security', 'What protects sign-in'),
      page('durability', 'What a 2xx promises'),
    ],
  },
  {
    title: 'Internals',
    about: 'For those who change Holdfast.',
    pages: [
      page('performance', 'Measurements, and the commands that repeat them'),
      page('releasing', 'How a release is made, rehearsed and repeated'),
    ],
  },
];
