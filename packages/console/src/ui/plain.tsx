/** Texts that others chose, in a page. */
import { plain } from './plain-text.ts';

/** Somebody else's text, isolated from its surroundings. */
export const Plain = ({ children }: { children: string }) => <bdi>{plain(children)}</bdi>;

/** An email address. Where it needs two lines, the second one begins with its @. */
export function Address({ children }: { children: string }) {
  const text = plain(children);
  const at = Math.max(0, text.lastIndexOf('@'));
  return (
    <bdi>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </bdi>
  );
}
