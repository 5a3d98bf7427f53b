// breaks: no-circle-of-imports
export const write = () => import('./log.ts');
