/** Violations of schemas in writes, by kind, as far as this node has seen them. */
import { LRUCache } from 'lru-cache';
import type { Violation } from '../../schemas/run.ts';
import type { SchemaKey } from '../../storage/contract/schemas.ts';

/** A kind of violation, and how often it occurred in writes. */
export interface ReportItem {
  readonly schemaLocation: string;
  readonly keyword: string;
  readonly path: string;
  readonly count: number;
}

/** Limits on reports in memory, positions per report, and positions in total: some 2 KB each at worst. */
const reportsMax = 2_000;
const reportItemsMax = 200;
const reportItemsOfAllMax = 40_000;

/** The reports of all schemas. */
export class ViolationReports {
  readonly #reports = new LRUCache<string, Map<string, ReportItem>>({ max: reportsMax, maxSize: reportItemsOfAllMax });

  /** A schema version's reports on this node, most frequent first. */
  of(key: SchemaKey, version: number): readonly ReportItem[] {
    const items = this.#reports.get(schemaName(key, version))?.values() ?? [];
    return [...items].sort((a, b) => b.count - a.count);
  }

  /** Counts the violations of the schema version with this name. */
  add(name: string, violations: readonly Violation[]): void {
    const items = this.#reports.get(name) ?? new Map<string, ReportItem>();
    countViolations(items, violations, reportItemsMax);
    this.#reports.set(name, items, { size: Math.max(items.size, 1) });
  }
}

/** The name of a schema version: no two texts share one, since versions of one document never repeat. */
export const schemaName = ({ accountId, slug, environment, kind }: SchemaKey, version: number): string =>
  `${accountId}/${slug}/${environment}/${kind} ${version}`;

/** Counts violations by schema position, keyword and path, while there is room for another position. */
export function countViolations(items: Map<string, ReportItem>, violations: readonly Violation[], itemsMax: number): void {
  const places = new Map(
    violations.map((violation) => [`${violation.schemaLocation}\n${violation.generalPath}`, violation]),
  );
  for (const [place, { schemaLocation, keyword, generalPath: path }] of places) {
    const known = items.get(place);
    if (known !== undefined) items.set(place, { ...known, count: known.count + 1 });
    else if (items.size < itemsMax) items.set(place, { schemaLocation, keyword, path, count: 1 });
  }
}
