/** The texts of the editor of documents in English. */
import type { Widened } from './widened.ts';

/** Translations of CodeMirror's own phrases. Empty here, since they are English. */
const phrases: Readonly<Record<string, string>> = {};

export const texts = { phrases };

export type EditorTexts = Widened<typeof texts>;
