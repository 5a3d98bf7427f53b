/** A tab that shows its version of a document. */
import { type ClientOptions, createClient } from '@holdfast/client';

const page = globalThis as unknown as { readonly settings: ClientOptions; version?: number | null };
createClient(page.settings).publicState.subscribe(({ version }) => {
  page.version = version;
});
