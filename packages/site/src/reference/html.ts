/** Formats text for the reference page, in addition to plain templates. */
import { type Html, html } from '@holdfast/server/common/html';

/** The subset of Markdown in descriptions: paragraphs, lists with `- `, and code between backticks. */
export function markdown(text: string): Html {
  const blocks = text.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n');
    const isList = lines.every((line) => line.startsWith('- '));
    if (!isList) return html`<p>${inlineMarkdown(lines.join(' '))}</p>`;
    return html`<ul>${lines.map((line) => html`<li>${inlineMarkdown(line.slice(2))}</li>`)}</ul>`;
  });
  return html`${blocks}`;
}

/** Text with code between backticks. */
export function inlineMarkdown(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
