/** Which versions of a list match a search. */
import { dayText } from '../ui/local-day.ts';

/** The search; an empty text matches everything. */
export interface VersionFilter {
  /** The author's name as shown. */
  readonly author: string;
  /** Any part of the comment. */
  readonly comment: string;
  /** Days of the reader's time zone, as `2026-11-24`. */
  readonly since: string;
  readonly until: string;
  /** The path of a value that a version has changed. */
  readonly path: string;
}

export const everything: VersionFilter = { author: '', comment: '', since: '', until: '', path: '' };

interface Candidate {
  readonly comment: string | null;
  readonly createdAt: string;
}

/** Returns whether a version matches; `calledAs` is its author's name. */
export function fits({ author, comment, since, until }: VersionFilter, item: Candidate, calledAs: string): boolean {
  const day = dayText(new Date(item.createdAt));
  return (
    (author === '' || calledAs === author) &&
    (item.comment ?? '').toLocaleLowerCase().includes(comment.trim().toLocaleLowerCase()) &&
    (since === '' || day >= since) &&
    (until === '' || day <= until)
  );
}
