/** The names by which records of an export refer to each other. */

/** The name of a record for others, or of one that it refers to: what it is, and the fields with its key. */
export type Reference = readonly [what: string, ...fields: readonly string[]];

/** How records of a kind are connected. Each kind says both, so that an import checks new ones too. */
export interface KindReferences {
  /** The unique name of each record; null if nothing refers to it. */
  readonly knownAs: Reference | null;
  /** What each record refers to, besides its account, and its project in shared tables; null for nothing. */
  readonly refersTo: Reference | null;
}

export const project: Reference = ['project', 'account_id', 'slug'];
export const environment: Reference = ['environment', 'account_id', 'slug', 'environment'];
const user: Reference = ['user', 'directory_id', 'user_id'];
const serviceAccount: Reference = ['service account', 'account_id', 'service_account_id'];
const userState: Reference = ['userState', 'account_id', 'slug', 'environment', 'end_user_id'];

const unconnected: KindReferences = { knownAs: null, refersTo: null };

export const kindReferences = {
  installation: unconnected,
  accounts: { knownAs: ['account', 'account_id'], refersTo: null },
  projects: { knownAs: project, refersTo: null },
  api_requests: unconnected,
  request_figures: unconnected,
  version_floors: unconnected,
  history_starts: unconnected,
  api_keys: unconnected,
  end_user_auth: unconnected,
  developers: unconnected,
  members: unconnected,
  invitations: unconnected,
  audit_records: unconnected,
  service_accounts: { knownAs: serviceAccount, refersTo: null },
  service_account_secrets: { knownAs: null, refersTo: serviceAccount },
  marks: unconnected,
  shapes: unconnected,
  webhook_deliveries: unconnected,
  webhooks: unconnected,
  webhook_hosts: unconnected,
  proposals: unconnected,
  proposal_turns: unconnected,
  player_links: unconnected,
  signing_keys: unconnected,
  kept_keys: unconnected,
  clock_mark: unconnected,
  spent_tickets: unconnected,
  identities: unconnected,
  player_words: unconnected,
  player_word_positions: unconnected,
  project_players: unconnected,
  player_blocks: unconnected,
  player_endings: unconnected,
  ended_tokens: unconnected,
  identity_providers: unconnected,
  pending_sign_ups: unconnected,
  password_resets: { knownAs: null, refersTo: user },
  waiting_mails: unconnected,
  passkeys: { knownAs: null, refersTo: user },
  second_factors: { knownAs: null, refersTo: user },
  recovery_codes: { knownAs: null, refersTo: user },
  federated_identities: { knownAs: null, refersTo: user },
  users: { knownAs: user, refersTo: null },
  environments: { knownAs: environment, refersTo: project },
  public_state_versions: { knownAs: null, refersTo: environment },
  user_states: { knownAs: userState, refersTo: environment },
  user_state_versions: { knownAs: null, refersTo: userState },
  sign_ins: { knownAs: null, refersTo: project },
  write_repeats: { knownAs: ['repeat', 'account_id', 'scope', 'slot'], refersTo: null },
} as const satisfies Readonly<Record<string, KindReferences>>;
