/** The problems of a document, with the entries of a list that break the same rule in one group. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pathOfPointer } from '@holdfast/json';
import { identifierOf } from '../../fields/path-text.ts';
import type { Value } from '../../json-text/changes.ts';
import type { Finding } from '../../json-text/document-text.ts';

/** A problem with its readable place, and the value there. */
export interface Problem {
  readonly finding: Finding;
  /** List elements by their identifiers. */
  readonly path: readonly string[];
  readonly value: Value;
}

export interface ProblemGroup {
  /** The common path; null stands for each entry of a list. */
  readonly path: readonly (string | null)[];
  readonly message: string;
  readonly problems: readonly Problem[];
}

/** Groups in the order of their first problems. */
export function groupedProblems(document: JsonObject, findings: readonly Finding[]): readonly ProblemGroup[] {
  const placed = findings.map((finding) => ({ finding, ...placeOf(document, finding.path) }));
  const keyOf = ({ finding, pattern }: (typeof placed)[number]) => JSON.stringify([pattern, finding.message, finding.flag]);
  return [...Map.groupBy(placed, keyOf).values()].flatMap((problems) => {
    const [first] = problems;
    return first === undefined ? [] : [{ path: first.pattern, message: first.finding.message, problems }];
  });
}

/** Follows a JSON Pointer: the names of its steps, its pattern, and the value at its end. */
function placeOf(document: JsonObject, pointer: string) {
  const path: string[] = [];
  const pattern: (string | null)[] = [];
  let value: Value = document;
  for (const segment of pathOfPointer(pointer)) {
    const isListed: boolean = Array.isArray(value);
    value = memberAt(value, segment);
    path.push((isListed ? identifierOf(value) : undefined) ?? segment);
    pattern.push(isListed ? null : segment);
  }
  return { path, pattern, value };
}

function memberAt(value: Value, segment: string): Value {
  if (value === undefined || !isContainer(value)) return undefined;
  if (isJsonObject(value)) return Object.hasOwn(value, segment) ? value[segment] : undefined;
  const elements: readonly JsonValue[] = Object.values<JsonValue>(value);
  return elements[Number(segment)];
}
