/** What the script of a page with passkeys sends. */
import type { Parameters } from '../common/requests/form-parameters.ts';

/** Returns the content of a passkey form; the credential is null if it is not JSON. */
export function answerIn(form: Parameters): { ticket: string; credential: unknown } {
  return { ticket: form.get('ticket') ?? '', credential: parsed(form.get('credential') ?? '') };
}

/** Returns the value of a JSON text; null, which is not a credential, if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
