/** The messages of the service as patterns, at `./messages`: the service fills them, and clients read them back to translate them. */
export * from './messages/accounts.ts';
export * from './messages/flags.ts';
export * from './messages/pattern.ts';
export * from './messages/schemas.ts';
