/** Finds versions whose text is not the one that was written, run by run: memory holds one run at most. */

import { Buffer } from 'node:buffer';
import { integerAt } from '../columns.ts';
import { environmentNames, type Row } from '../rows.ts';
import { Run } from './versions.ts';

/** Returns the name of the document that a row belongs to, for messages. A project that is deleted has no slug any more. */
export function documentName({ account_id: accountId, slug, project_id: projectId, environment }: Row): string {
  const project = slug == null ? `deleted project ${projectId}` : `${accountId}/${slug}`;
  return `${project}/${environmentNames[environment as number] ?? environment}`;
}

/** Returns what is said of the damaged versions of a document. */
export const damageOf = (versions: readonly string[], document: string): string[] =>
  versions.map((each) => `${each} of ${document} cannot be read: what is stored is not what was written`);

/** Looks through the versions of one document. */
export class HistoryInspection {
  #rows: Row[] = [];

  /** Takes the next row, newest first. Returns which versions of its run are damaged, if the run is complete with it. */
  add(row: Row): string[] {
    this.#rows.push(row);
    return row.depth === 0 ? this.end() : [];
  }

  /** The same for the rows so far, when the document has no further row. */
  end(): string[] {
    const run = new Run();
    const damaged: number[] = [];
    for (const row of this.#rows.reverse()) {
      run.take(row);
      const text = run.textOf(row);
      if (text === undefined || Buffer.byteLength(text) !== row.state_bytes) damaged.push(integerAt(row, 'version'));
    }
    this.#rows = [];
    return spansOf(damaged);
  }
}

/** Such as `version 3` and `versions 5 to 9`, of ascending numbers. */
export function spansOf(versions: readonly number[]): string[] {
  const spans: { readonly first: number; last: number }[] = [];
  for (const version of versions) {
    const span = spans.at(-1);
    if (span !== undefined && span.last === version - 1) span.last = version;
    else spans.push({ first: version, last: version });
  }
  return spans.map(({ first, last }) => (first === last ? `version ${first}` : `versions ${first} to ${last}`));
}
