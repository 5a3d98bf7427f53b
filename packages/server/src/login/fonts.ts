/** The fonts of the pages: those of the console, at the addresses where the service serves them for ever. */
import { consoleFiles } from '../common/console-addresses.ts';
import { readOwnText } from '../common/own-files.ts';

const folder = '/console/';

/** Each font by its name in `kit/fonts.css`, such as `serif-ext`. */
const built = new Map(
  consoleFiles().flatMap((file) => {
    const [, name] = /^assets\/(s(?:ans|erif)(?:-ext)?)-[\w-]{8}\.woff2$/.exec(file) ?? [];
    return name === undefined ? [] : [[name, file] as const];
  }),
);
const faces = readOwnText(new URL('../kit/fonts.css', import.meta.url))
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s+/g, ' ');

/** Returns the `@font-face` rules, given the path of an address of this service; nothing if the console was not built. */
export function fontFaces(addressOf: (path: string) => string): string {
  if (built.size === 0) return '';
  const prefix = addressOf(folder).replace(/\?.*/, '');
  return faces.replace(/\.\/fonts\/([\w-]+)\.woff2/g, (_, name: string) => `${prefix}${built.get(name)}`);
}
