/** The schema being edited, as a text over its stored version, and its faults. */
import type { SchemaMode } from '@holdfast/contract';
import type { JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../api/queries.ts';
import {
  checkSchema,
  forgetSchema,
  readSchemaNow,
  type SchemaKey,
  type SchemaRecord,
  schemaKeyName,
  schemaQuery,
} from '../../api/schemas.ts';
import type { CodeEditorHandle } from '../../editor/code-editor.tsx';
import { type DocumentText, type Finding, readText } from '../../json-text/document-text.ts';
import { type Opening, type OpenText, openText, type TextKind, useOpenText } from '../../open-text/open-text.ts';
import { violationText, warningText } from '../../texts/violations.ts';

export type SchemaOpening = Opening<SchemaRecord>;

/** The faults of a schema; undefined while unknown. */
type SchemaFindings = readonly Finding[] | undefined;

export interface EditedSchema extends OpenText<SchemaRecord, JsonValue> {
  readonly findings: SchemaFindings;
  /** It was saved as this version, or deleted. */
  readonly saved: (record: SchemaRecord | null) => void;
}

const firstMode: SchemaMode = 'report';

/** The initial schema of an environment without one. */
const firstSchema: JsonValue = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {},
};

export const modeOfSchema = (record: SchemaRecord | null): SchemaMode => record?.mode ?? firstMode;

const schemas: TextKind<SchemaRecord, JsonValue> = {
  contentOf: (record) => record?.schema ?? firstSchema,
  read: (text) => readText(text, true),
  earlier: (version, schema, stored) => ({ version, mode: modeOfSchema(stored), schema, comment: null }),
};

export const openSchema = (key: SchemaKey): Promise<SchemaOpening> =>
  openText(schemas, schemaKeyName(key), readSchemaNow(key));

export function useSchema(
  key: SchemaKey,
  opening: SchemaOpening,
  editor: RefObject<CodeEditorHandle | null>,
): EditedSchema {
  const text = useOpenText(schemas, opening, editor);
  const { base, read, take, isUntouched } = text;
  useNewer(key, (record) => {
    if (record.version > (base?.version ?? 0) && isUntouched()) take(record);
  });
  const saved = (record: SchemaRecord | null) => {
    take(record);
    queryClient.setQueryData(schemaQuery(key).queryKey, record);
    void forgetSchema(key);
  };
  return { ...text, findings: useFindings(key, read, editor), saved };
}

/** Calls `onRead` with each version that is read while the page is open. Somebody else may have saved it. */
function useNewer(key: SchemaKey, onRead: (record: SchemaRecord) => void): void {
  const { data } = useQuery(schemaQuery(key));
  const latest = useRef(onRead);
  latest.current = onRead;
  useEffect(() => {
    if (data != null) latest.current(data);
  }, [data]);
}

/** The location of a warning as a JSON Pointer. This service does not escape locations as URIs. */
const pointerIn = ({ schemaLocation }: { readonly schemaLocation: string }): string => schemaLocation.slice(1);

/** Has the service compile the schema a moment after the last key, and marks faults. */
function useFindings(
  key: SchemaKey,
  read: DocumentText<JsonValue>,
  editor: RefObject<CodeEditorHandle | null>,
): SchemaFindings {
  const [findings, setFindings] = useState<SchemaFindings>();
  const value = read.kind === 'document' ? read.value : undefined;
  useEffect(() => {
    if (value === undefined) return;
    const ending = new AbortController();
    setFindings(undefined);
    checkSchema(key, value, ending.signal).then(
      ({ violations, warnings }) => {
        const found = [
          ...violations.map((one): Finding => ({ path: one.path, message: violationText(one), severity: 'error' })),
          ...warnings.map(
            (one): Finding => ({ path: pointerIn(one), message: warningText(one.message), severity: 'warning' }),
          ),
        ];
        setFindings(found);
        editor.current?.show(found);
      },
      () => undefined, // saving reports it
    );
    return () => ending.abort();
  }, [key, value, editor]);
  return findings;
}
