/** What `@holdfast/client/react` is in server components: the hooks run in the browser, and the options of queries are made here too. */

export { queryOptions } from './react/query.ts';
export * from './react.ts';
