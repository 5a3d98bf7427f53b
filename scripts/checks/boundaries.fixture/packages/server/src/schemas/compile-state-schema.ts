export const compileStateSchema = (text: string): string => text;
