/** What the terminal shows when the service is ready. */
import type { Demo } from './demo.ts';
import { shellWord, typedPath } from './files.ts';

export interface BannerInfo {
  readonly baseUrl: string;
  /** Address of the login page, without its path. */
  readonly authFrontUrl: string;
  readonly dataDir: string;
  /** The URL of PostgreSQL, if it is used. */
  readonly databaseUrl: string | undefined;
  readonly demo: Demo | undefined;
  /** The folder in which the lines will be pasted. */
  readonly directory: string;
}

/** Returns the lines that the terminal shows at the start. */
export function banner(info: BannerInfo): string {
  const lines = [
    'Holdfast is ready.',
    '',
    `  API            ${info.baseUrl}`,
    `  Documentation  ${info.baseUrl}/docs`,
    `  Sign-in        ${info.authFrontUrl}/authorize (try it: node examples/sign-in/main.mjs)`,
    `  Data           ${info.databaseUrl === undefined ? typedPath(info.dataDir, info.directory) : databaseName(info.databaseUrl)}`,
  ];
  if (info.demo) {
    lines.push('', 'There is a demo project. Paste these lines into another terminal; the last one twice:', '');
    lines.push(...nextSteps(info.demo, info.directory).map((line) => `  ${line}`));
  }
  return `\n${lines.join('\n')}\n\n`;
}

/** The host and name of a database, without password and parameters. */
function databaseName(url: string): string {
  const [, hosts = '', name = ''] = /^[^:]*:\/\/(?:[^@/]*@)?([^/?]*)\/?([^?]*)/.exec(url) ?? [];
  return `PostgreSQL, ${hosts}${name === '' ? '' : `/${name}`}`;
}

/**
 * Returns three lines for a POSIX shell in `directory`: load the credentials, read the document, and change it if it is still
 * at the current version, so that the same change sent again is refused with 412.
 */
export function nextSteps({ envFile, version }: Demo, directory: string): readonly string[] {
  const authorization = '-H "Authorization: ApiKey $HOLDFAST_API_KEY"';
  const ops = JSON.stringify({ ops: [{ op: 'add', path: '/greeting', value: 'Hello again' }] });
  return [
    `. ${shellWord(typedPath(envFile, directory))}`,
    `curl -i -w '\\n' ${authorization} "$HOLDFAST_STATE_URL"`,
    `curl -i -w '\\n' -X PATCH ${authorization} -H 'Content-Type: application/json' -H 'If-Match: "${version}"' -d '${ops}' "$HOLDFAST_STATE_URL"`,
  ];
}
