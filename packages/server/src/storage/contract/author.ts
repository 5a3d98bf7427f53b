/** Authors of versions, as stored with them. */

/**
 * The author of a version: a developer, identified by the token's subject, or an API key or service account, by its id and its name at that
 * time.
 */
export type Author =
  | { readonly kind: 'developer'; readonly id: string }
  | { readonly kind: 'api_key' | 'service_account'; readonly id: string; readonly name: string };
