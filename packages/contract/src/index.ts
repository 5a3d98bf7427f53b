export * from './conformance.ts';
export * from './errors.ts';
export * from './examples.ts';
export * from './limits.ts';
export * from './openapi.ts';
export * from './operations.ts';
export * from './schemas.ts';
