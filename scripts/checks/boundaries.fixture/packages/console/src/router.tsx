// breaks: no-circle-of-folders
export const router = () => import('./pages/usage.tsx');
