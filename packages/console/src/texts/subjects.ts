/** What the console has texts about. Each subject is a pair of files, and a line here. */
import { type Subject, subject } from './language.ts';

const pairs = {
  audit: subject({ en: () => import('./audit-en.ts'), de: () => import('./audit-de.ts') }),
  changes: subject({ en: () => import('./changes-en.ts'), de: () => import('./changes-de.ts') }),
  connect: subject({ en: () => import('./connect-en.ts'), de: () => import('./connect-de.ts') }),
  console: subject({ en: () => import('./console-en.ts'), de: () => import('./console-de.ts') }),
  days: subject({ en: () => import('./days-en.ts'), de: () => import('./days-de.ts') }),
  editor: subject({ en: () => import('./editor-en.ts'), de: () => import('./editor-de.ts') }),
  flags: subject({ en: () => import('./flags-en.ts'), de: () => import('./flags-de.ts') }),
  forms: subject({ en: () => import('./forms-en.ts'), de: () => import('./forms-de.ts') }),
  history: subject({ en: () => import('./history-en.ts'), de: () => import('./history-de.ts') }),
  'json-faults': subject({ en: () => import('./json-faults-en.ts'), de: () => import('./json-faults-de.ts') }),
  'kept-versions': subject({ en: () => import('./kept-versions-en.ts'), de: () => import('./kept-versions-de.ts') }),
  overview: subject({ en: () => import('./overview-en.ts'), de: () => import('./overview-de.ts') }),
  players: subject({ en: () => import('./players-en.ts'), de: () => import('./players-de.ts') }),
  promote: subject({ en: () => import('./promote-en.ts'), de: () => import('./promote-de.ts') }),
  releases: subject({ en: () => import('./releases-en.ts'), de: () => import('./releases-de.ts') }),
  'request-figures': subject({ en: () => import('./request-figures-en.ts'), de: () => import('./request-figures-de.ts') }),
  'role-limits': subject({ en: () => import('./role-limits-en.ts'), de: () => import('./role-limits-de.ts') }),
  'schema-keywords': subject({ en: () => import('./schema-keywords-en.ts'), de: () => import('./schema-keywords-de.ts') }),
  schemas: subject({ en: () => import('./schemas-en.ts'), de: () => import('./schemas-de.ts') }),
  'second-factor': subject({ en: () => import('./second-factor-en.ts'), de: () => import('./second-factor-de.ts') }),
  'service-accounts': subject({
    en: () => import('./service-accounts-en.ts'),
    de: () => import('./service-accounts-de.ts'),
  }),
  'sign-in-settings': subject({
    en: () => import('./sign-in-settings-en.ts'),
    de: () => import('./sign-in-settings-de.ts'),
  }),
  violations: subject({ en: () => import('./violations-en.ts'), de: () => import('./violations-de.ts') }),
  visitor: subject({ en: () => import('./visitor-en.ts'), de: () => import('./visitor-de.ts') }),
  webhooks: subject({ en: () => import('./webhooks-en.ts'), de: () => import('./webhooks-de.ts') }),
};

export type SubjectName = keyof typeof pairs;
export type TextsBySubject = {
  readonly [Name in SubjectName]: (typeof pairs)[Name] extends Subject<infer Texts> ? Texts : never;
};

export const subjects: { readonly [Name in SubjectName]: Subject<TextsBySubject[Name]> } = pairs;
