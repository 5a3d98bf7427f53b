export const compileShape = (text: string): string => text;
