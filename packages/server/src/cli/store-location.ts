/** Parses the arguments of a command that name a store. */
import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';

/** A data folder or a database; `name` has no password. */
export type StoreLocation =
  | { readonly engine: 'sqlite'; readonly dataDir: string; readonly name: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly name: string };

/** Parses `sqlite:FOLDER`, `postgres://…` or a plain folder. Returns undefined for any other address. */
export function parseStoreLocation(text: string): StoreLocation | undefined {
  if (/^postgres(?:ql)?:\/\/[^/]/.test(text)) {
    const name = text.replace(/(:\/\/[^/@]*?):[^/]*@/, '$1@').replace(/([?&]password)=[^&]*/i, '$1=…');
    return { engine: 'postgres', url: text, name };
  }
  const folder = text.replace(/^sqlite:/, '');
  // A single letter before a colon is a drive letter.
  if (folder === '' || /^[a-z][a-z0-9+.-]+:|^\/\/[^/]/i.test(folder)) return undefined;
  return { engine: 'sqlite', dataDir: resolve(folder), name: resolve(folder) };
}

/** Returns the location of the configured store. */
export function locationOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): StoreLocation {
  const location = parseStoreLocation(databaseUrl ?? `sqlite:${dataDir}`);
  if (location === undefined) throw new Error('the settings name no store');
  return location;
}
