/** What the terminal shows when the service is ready and after it has stopped. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { consoleUrl } from '../../common/net/console-addresses.ts';
import { programCommit, programVersion } from '../../common/program/version.ts';
import { type Config, type Environment, isBaseUrlGiven } from '../../config/config.ts';
import { shellWord, typedPath } from '../files.ts';
import type { Demo } from './demo.ts';

/** The state of a ready service. */
export interface Announcement {
  readonly config: Pick<Config, 'host' | 'authFrontUrl' | 'dataDir' | 'databaseUrl' | 'console'>;
  /** Whether a person reads this at a terminal. Other outputs may be stored, so they get no secret. */
  readonly isTerminal: boolean;
  /** Whether the output shows colors. */
  readonly isColored: boolean;
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  /** Whether the store has no accounts. */
  readonly isEmpty: boolean;
  readonly environment: Environment;
  /** The working directory. npm runs scripts in the folder of package.json; INIT_CWD is where npm was called. */
  readonly cwd: string;
}

/** The same as a log record, without secrets. */
export function readyRecord(announcement: Announcement): object {
  const { baseUrl, config, demo, isEmpty, environment, cwd } = announcement;
  const data = config.databaseUrl === undefined ? config.dataDir : databaseName(config.databaseUrl);
  const advice = hints(announcement, environment.INIT_CWD ?? cwd)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    version: programVersion(),
    commit: programCommit(),
    baseUrl,
    documentation: `${baseUrl}/docs`,
    data,
    demo: demo?.envFile,
    hasAccount: !isEmpty,
    ...(config.console === 'on' && { console: consoleUrl(baseUrl) }),
    ...(advice.length > 0 && { advice: advice.join(' ') }),
  };
}

/** Returns the lines that the terminal shows at the start. */
export function banner(announcement: Announcement): string {
  const { config, demo, environment, cwd } = announcement;
  const directory = environment.INIT_CWD ?? cwd;
  const local = localAddress(announcement);
  const { databaseUrl, dataDir } = config;
  const style = styles(announcement);
  const rows: Row[] = [
    ...(config.console === 'on' ? [consoleRow(announcement, directory)] : []),
    ...(demo ? [['First game', `${local}/docs/first-game`, `Publishable key: ${demo.gameKey}`] as const] : []),
    ['Documentation', `${local}/docs`],
    ['Sign-in', `${local}/docs/sign-in`, tryIt(announcement, directory)],
    ['API', local],
    ['Data', databaseUrl === undefined ? typedPath(dataDir, directory) : databaseName(databaseUrl)],
  ];
  const lines = [style.title('Holdfast is ready.'), ''];
  for (const [label, address, note] of rows) {
    lines.push(`  ${style.label(label.padEnd(labelWidth))}${style.address(address)}`);
    if (note !== undefined) lines.push(`  ${' '.repeat(labelWidth)}${style.label(note)}`);
  }
  if (demo) {
    lines.push('', style.label('Try the API: paste these lines into another terminal, the last one twice.'), '');
    lines.push(...nextSteps(demo, directory).map((line) => `  ${line}`));
  }
  lines.push(...hints(announcement, directory));
  return `\n${lines.join('\n')}\n\n`;
}

type Row = readonly [label: string, address: string, note?: string | undefined];

const labelWidth = 'Documentation'.length + 2;

/** How parts of the banner look: styled for a terminal with colors, plain for others. */
function styles({ isColored }: Announcement) {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;
  return { title: style(['bold', 'green']), label: style('dim'), address: style('cyan') };
}

/** What the terminal shows after the service has stopped. */
export const goodbye = 'Holdfast has stopped. Everything that it acknowledged is stored.\n';

const anyAddress = /^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/;

/** The base URL, or one that works on this machine if the base URL means "every address". */
const localAddress = ({ baseUrl }: Announcement): string => baseUrl.replace(anyAddress, 'http://127.0.0.1');

/** The console's address: at a terminal the link that signs in to the demo, in a file how to get one. */
function consoleRow(announcement: Announcement, directory: string): Row {
  const { demo, isTerminal } = announcement;
  const address = consoleUrl(localAddress(announcement));
  if (demo?.consoleLink === undefined) return ['Console', address];
  const again = `${holdfast(announcement, directory)} account link`;
  if (isTerminal) return ['Console', demo.consoleLink, `Signs you in once. For another link: ${again}`];
  return ['Console', address, `To sign in to the demo, open the link that this prints: ${again}`];
}

/** The command as somebody in `directory` types it, with the folder of the data if it is not the default one. */
function holdfast({ environment, config }: Announcement, directory: string): string {
  const command = environment.npm_command === undefined ? 'holdfast' : 'npx holdfast';
  const folder = typedPath(config.dataDir, directory);
  const isElsewhere = config.databaseUrl === undefined && folder !== './data';
  return `${isElsewhere ? `SVC_DATA_DIR=${shellWord(folder)} ` : ''}${command}`;
}

const examplePath = 'examples/sign-in/main.mjs';
const exampleDefaultUrl = 'http://127.0.0.1:8787';

/** How to try sign-in with the example; undefined if it is not available. */
function tryIt(announcement: Announcement, directory: string): string | undefined {
  const { baseUrl, cwd, config } = announcement;
  const isHere = existsSync(join(directory, examplePath)) || existsSync(join(cwd, examplePath));
  if (!isHere || config.authFrontUrl !== undefined || anyAddress.test(baseUrl)) return undefined;
  const setting = baseUrl === exampleDefaultUrl ? '' : `HOLDFAST_URL=${shellWord(baseUrl)} `;
  return `Try it: ${setting}node ${examplePath}`;
}

/** Steps left before clients can use the service. */
function hints(announcement: Announcement, directory: string): readonly string[] {
  const { baseUrl, environment, isEmpty } = announcement;
  const lines: string[] = [];
  if (anyAddress.test(baseUrl) && !isBaseUrlGiven(environment)) {
    lines.push(
      '',
      'Other machines can reach this service. Set SVC_BASE_URL to the address that they use, such as',
      `https://state.example.com: tokens and links name it, and now they name ${baseUrl}.`,
    );
  }
  if (isEmpty) {
    lines.push('', 'There is no account yet. This command makes one, and prints a link to the console for its owner:');
    lines.push('', `  ${holdfast(announcement, directory)} account create --name "My studio"`);
  }
  return lines;
}

/** Host and name of a database, without password and parameters. */
function databaseName(url: string): string {
  const [, hosts = '', name = ''] = /^[^:]*:\/\/(?:[^@/]*@)?([^/?]*)\/?([^?]*)/.exec(url) ?? [];
  return `PostgreSQL, ${hosts}${name === '' ? '' : `/${name}`}`;
}

/**
 * Returns four lines for a shell in `directory`, PowerShell on Windows and a POSIX shell elsewhere: load the credentials, read the
 * document, note its version, and change it if it is still at that version, so that repeating the change is refused with 412.
 */
export function nextSteps(
  { envFile }: Pick<Demo, 'envFile'>,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const authorization = '-H "Authorization: ApiKey $HOLDFAST_API_KEY"';
  const ops = JSON.stringify({ ops: [{ op: 'add', path: '/greeting', value: 'Hello again' }] });
  if (platform === 'win32') {
    const file = `'${typedPath(envFile, directory).replaceAll("'", "''")}'`;
    const headers = (further = '') => `-Headers @{ Authorization = "ApiKey $env:HOLDFAST_API_KEY"${further} }`;
    return [
      `Get-Content ${file} | ForEach-Object { if ($_ -match "^export (\\w+)='?(.*?)'?$") { Set-Item "env:$($Matches[1])" $Matches[2] } }`,
      `Invoke-RestMethod $env:HOLDFAST_STATE_URL ${headers()}`,
      `$etag = (Invoke-WebRequest $env:HOLDFAST_STATE_URL -UseBasicParsing ${headers()}).Headers['ETag']`,
      `Invoke-RestMethod $env:HOLDFAST_STATE_URL -Method Patch ${headers(`; 'If-Match' = "$etag"`)} -ContentType application/json -Body '${ops}'`,
    ];
  }
  return [
    `. ${shellWord(typedPath(envFile, directory))}`,
    `curl -i -w '\\n' ${authorization} "$HOLDFAST_STATE_URL"`,
    `VERSION=$(curl -sI ${authorization} "$HOLDFAST_STATE_URL" | grep -i '^etag:' | tr -dc 0-9)`,
    `curl -i -w '\\n' -X PATCH ${authorization} -H 'Content-Type: application/json' -H "If-Match: \\"$VERSION\\"" -d '${ops}' "$HOLDFAST_STATE_URL"`,
  ];
}
