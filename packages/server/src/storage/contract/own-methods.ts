/**
 * Records of passkeys and second factors. A directory is an account id, or null for the developers' directory. Deleting a user or an account
 * also deletes them.
 */

/** The key of a passkey. A credential is known only in its own directory. */
export interface PasskeyKey {
  readonly accountId: string | null;
  /** Base64url, chosen by the authenticator. */
  readonly credentialId: string;
}

export interface Passkey extends PasskeyKey {
  readonly userId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  /** The number of signatures that the authenticator claims; always 0 if it does not count. */
  readonly counter: number;
  /** How the browser can reach the authenticator, for example `internal` and `usb`. */
  readonly transports: readonly string[];
  /** When the user began to create it, immediately after proving their identity. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface SecondFactor {
  readonly accountId: string | null;
  readonly userId: string;
  /** The secret of an authenticator app, encrypted; opaque to the store. */
  readonly sealedSecret: Uint8Array;
  /** When the user began to set it up, immediately after proving their identity. */
  readonly createdAt: number;
  /** The newest time step of a used code. A code of this step or an older one is rejected. */
  readonly lastStep: number;
}
