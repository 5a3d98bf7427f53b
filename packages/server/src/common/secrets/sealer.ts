/** Encrypts for one purpose, with the secret keys of the installation (secrets/sealer.ts). */
export interface Sealer {
  /** Encrypts `plain` for the record `recordId`. */
  readonly seal: (plain: Uint8Array, recordId: string) => Uint8Array;
  /** Returns what was sealed for `recordId`; throws `SecretFault` if the value, record, purpose or key does not match. */
  readonly open: (sealed: Uint8Array, recordId: string) => Uint8Array;
}
