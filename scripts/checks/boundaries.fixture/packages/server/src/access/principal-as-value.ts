// breaks: principal-is-a-type
export * from './principal.ts';
