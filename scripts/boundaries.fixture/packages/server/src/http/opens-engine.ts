// breaks: engines-are-wired-by-main
export const openLater = () => import('../storage/sqlite/store.ts');
