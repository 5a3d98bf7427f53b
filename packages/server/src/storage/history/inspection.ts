/** Finds versions whose text differs from the text that was written, run by run: memory holds at most one run. */

import { Buffer } from 'node:buffer';
import { integerAt, type Row } from '../rows/columns.ts';
import { environmentNames } from '../rows/environment-numbers.ts';
import { Run } from './restore-versions.ts';

/** Returns the name of a row's document, for messages. A deleted project no longer has a slug. */
export function documentName({ account_id: accountId, slug, project_id: projectId, environment }: Row): string {
  const project = slug == null ? `deleted project ${projectId}` : `${accountId}/${slug}`;
  return `${project}/${environmentNames[environment as number] ?? environment}`;
}

/** Returns the message about damaged versions of a document. */
export const damageOf = (versions: readonly string[], document: string): string[] =>
  versions.map((each) => `${each} of ${document} cannot be read: what is stored is not what was written`);

/** Inspects the versions of one document. */
export class HistoryInspection {
  #rows: Row[] = [];

  /** Adds the next row, newest first. Returns the damaged versions of its run, if it completes the run. */
  add(row: Row): string[] {
    this.#rows.push(row);
    return row.depth === 0 ? this.end() : [];
  }

  /** Ends the document. Returns the damaged versions of the last run. */
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

/** For example `version 3` and `versions 5 to 9`, from ascending numbers. */
export function spansOf(versions: readonly number[]): string[] {
  const spans: { readonly first: number; last: number }[] = [];
  for (const version of versions) {
    const span = spans.at(-1);
    if (span !== undefined && span.last === version - 1) span.last = version;
    else spans.push({ first: version, last: version });
  }
  return spans.map(({ first, last }) => (first === last ? `version ${first}` : `versions ${first} to ${last}`));
}
