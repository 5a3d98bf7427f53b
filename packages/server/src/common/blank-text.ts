/** A character that shows: white space does not, nor do those that Unicode lets programs ignore, nor the blank of braille. */
const shown = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/** Whether nobody can see anything of a text. */
export const isBlank = (text: string): boolean => !shown.test(text);
