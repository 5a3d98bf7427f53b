/** How long the store keeps versions. */

/** Which versions of a user state, or of public state, are kept apart from the current one. The store knows no other rule. */
export interface VersionRetention {
  readonly versionsMax: number;
  /** Versions replaced at this time or earlier are not kept. */
  readonly keptAfter: number;
}
