/** Texts that others chose, in a page. */
import { plain } from './plain-text.ts';

/** A text of somebody else: what is in it changes nothing around it. */
export const Plain = ({ children }: { children: string }) => <bdi>{plain(children)}</bdi>;
