export const memoised = 1;
