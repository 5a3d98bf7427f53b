import { applyOperationsSliced, type PatchOperation, type PatchResult } from './json-patch.ts';
import { type JsonObject, parseJson, printJson } from './json-text.ts';

export function patchText(text: string, operations: readonly PatchOperation[]) {
  const result = applyOperationsSliced(parseJson(text, 1_000) as JsonObject, operations);
  return result instanceof Promise ? result.then(printed) : printed(result);
}

function printed(result: PatchResult) {
  return result.kind === 'patched' ? { kind: 'patched' as const, text: printJson(result.document) } : result;
}
