export type Environment = 'development';
export const limit = 1;
