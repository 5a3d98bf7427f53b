/** How long the store keeps versions. */

/** Which versions of a user state, or of public state, are kept beside the current one. The store knows no other rule. */
export interface VersionRetention {
  readonly versionsMax: number;
  /** What was replaced at this time or before is not kept. */
  readonly keptAfter: number;
}
