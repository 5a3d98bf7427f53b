export const isOld = (age: number) => age > 1;
