/** `@holdfast/client/react` in server components: the hooks run in the browser, but query options are available here too. */

export { queryOptions } from './react/query.ts';
export * from './react.ts';
