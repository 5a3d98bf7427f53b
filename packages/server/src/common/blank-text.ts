/** A visible character: not white space, not one that Unicode lets programs ignore, and not the braille blank. */
const shown = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** Whether a text shows nothing. */
export const isBlank = (text: string): boolean => !shown.test(text);
