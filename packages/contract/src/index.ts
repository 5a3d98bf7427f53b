/**
 * The contract without its schemas and examples, which take 25 MiB of memory. They are at `./schemas`; modules that use them are at
 * `./openapi` and `./conformance`.
 */
export * from './audit.ts';
export * from './audit-fields.ts';
export { transportCodes } from './error-responses.ts';
export * from './errors.ts';
export * from './identifiers.ts';
export { keysOf } from './keys.ts';
export * from './limits.ts';
export * from './operations.ts';
export * from './roles.ts';
export type * from './schemas.ts';
export * from './sign-in-denials.ts';
export * from './sign-in-methods.ts';
export * from './texts.ts';
export * from './token-errors.ts';
export * from './webhooks.ts';
