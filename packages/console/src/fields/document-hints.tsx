/** What the schema of the shown documents says, for names of fields outside of forms. */

import type { JsonObject } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type SchemaKey, type SchemaRecord, schemaQuery } from '../api/schemas.ts';
import { textsOf } from '../texts/index.ts';
import { type Hints, hintsOf } from './hints.ts';
import { languageName } from './language-name.ts';
import { pathNamer } from './names.ts';
import type { Path } from './values.ts';

const [useChangeTexts] = textsOf('changes');

const DocumentHints = createContext<Hints>(hintsOf(undefined));

/** Returns the hints of the documents around; empty ones without a schema, and until it is read. */
export const useDocumentHints = (): Hints => useContext(DocumentHints);

/** The schema that forms show; undefined if there is none in use. */
export const rulesOf = (record: SchemaRecord | null | undefined) => (record?.mode === 'off' ? undefined : record?.schema);

/** Reads the schema of the documents in it. */
export function WithDocumentHints({ schemaKey, children }: { schemaKey: SchemaKey; children: ReactNode }) {
  const { data } = useQuery(schemaQuery(schemaKey));
  const hints = useMemo(() => hintsOf(rulesOf(data)), [data]);
  return <DocumentHints value={hints}>{children}</DocumentHints>;
}

/** Returns the names of the segments of a path. */
export type PathNames = (path: Path) => readonly string[];

/** Returns a function that names the segments of a path in one of these documents, or in both. */
export function usePathNames(from: JsonObject, to: JsonObject, of?: Hints): PathNames {
  const c = useChangeTexts();
  const around = useDocumentHints();
  const hints = of ?? around;
  return useMemo(
    () => pathNamer([to, from], { hints, entry: (position) => c.entry(position + 1), language: languageName }),
    [from, to, hints, c],
  );
}
