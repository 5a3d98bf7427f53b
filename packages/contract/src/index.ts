/**
 * The contract without its schemas and examples, which cost 25 MiB to load: those are at `./schemas`, with what is made of them at
 * `./openapi` and `./conformance`, for whoever validates or describes.
 */
export * from './errors.ts';
export * from './identifiers.ts';
export * from './limits.ts';
export * from './operations.ts';
export type * from './schemas.ts';
