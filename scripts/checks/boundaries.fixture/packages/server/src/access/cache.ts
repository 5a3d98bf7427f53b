export const remembered = 1;
