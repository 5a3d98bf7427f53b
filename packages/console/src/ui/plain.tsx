/** Texts that others chose, in a page. */
import { plain } from './plain-text.ts';

/** Somebody else's text, isolated from its surroundings. */
export const Plain = ({ children }: { children: string }) => <bdi>{plain(children)}</bdi>;
