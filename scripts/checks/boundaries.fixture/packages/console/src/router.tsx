export const router = () => import('./pages/usage.tsx');
