/** The modifier key of commands, as named on this machine, and on its keyboard in the reader's language. */
import { useTexts } from '../texts/index.ts';

const isApple = /Mac|iP/.test(navigator.platform);

export function useCommandKey(): string {
  const { controlKey } = useTexts();
  return isApple ? '⌘' : `${controlKey} `;
}
