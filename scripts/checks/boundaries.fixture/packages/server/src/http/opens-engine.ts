// breaks: engines-are-wired-in-one-place
export const openLater = () => import('../storage/sqlite/store.ts');
