/** A button with a text. */
export function button(text: string, act: () => unknown): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'button small';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}
