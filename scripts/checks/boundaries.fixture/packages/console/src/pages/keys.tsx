// breaks: pages-know-no-router
import type { router } from '../router.tsx';

export type Router = typeof router;
