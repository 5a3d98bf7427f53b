export const run = () => import('../main.ts');
