/** The editor of a text, loaded on first use. */
import { lazy } from 'react';
import { withTexts } from '../texts/index.ts';

export const CodeEditor = lazy(async () => ({ default: (await withTexts(import('./code-editor.tsx'))).CodeEditor }));
