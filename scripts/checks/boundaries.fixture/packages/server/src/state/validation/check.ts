export const check = 'a write';
