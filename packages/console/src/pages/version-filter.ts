/** Which versions of a list fit what somebody looks for. */

/** What is looked for; an empty text leaves a part out. */
export interface VersionFilter {
  /** What the author is called on the page. */
  readonly author: string;
  /** Any part of the comment. */
  readonly comment: string;
  /** Days of the reader's time zone, as `2026-11-24`. */
  readonly since: string;
  readonly until: string;
  /** Where a value stands that a version has changed. */
  readonly path: string;
}

export const everything: VersionFilter = { author: '', comment: '', since: '', until: '', path: '' };

interface Candidate {
  readonly comment: string | null;
  readonly createdAt: string;
}

/** Returns whether a version fits; `calledAs` is what its author is called. */
export function fits({ author, comment, since, until }: VersionFilter, item: Candidate, calledAs: string): boolean {
  const day = dayOf(item.createdAt);
  return (
    (author === '' || calledAs === author) &&
    (item.comment ?? '').toLocaleLowerCase().includes(comment.trim().toLocaleLowerCase()) &&
    (since === '' || day >= since) &&
    (until === '' || day <= until)
  );
}

/** The day of a time where the reader is; texts of days sort as the days do. */
function dayOf(time: string): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
