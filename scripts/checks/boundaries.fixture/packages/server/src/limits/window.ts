export const window = 'minute';
