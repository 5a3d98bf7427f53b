/** A tab that shows which version of a document it has. */
import { type ClientOptions, createClient } from '@holdfast/client';

const page = globalThis as unknown as { readonly settings: ClientOptions; version?: number | null };
createClient(page.settings).publicState.subscribe(({ version }) => {
  page.version = version;
});
