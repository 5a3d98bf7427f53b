/** Marks of the installation: numbers by their names. */
import type { SharedTable } from '../schema/declaration.ts';

/** The names of the marks. */
export const marks = {
  /** No lower version is assigned (version-floors.ts). */
  versionFloor: 'version_floor',
  /** When a service noticed that the store went back, until `holdfast recovered` has run. */
  rolledBackAt: 'went_back_at',
  /** When sessions were last ended after the store went back. */
  recoveredAt: 'recovered_at',
} as const;

export const rollbackTables = {
  marks: {
    title: 'marks of the installation',
    placement: 'reference',
    since: 20,
    columns: { name: 'text', value: 'integer' },
    key: ['name'],
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
