export const reply = (body: string) => ({ body });
