// breaks: pages-know-no-router no-circle-of-folders
import type { router } from '../router.tsx';

export type Router = typeof router;
