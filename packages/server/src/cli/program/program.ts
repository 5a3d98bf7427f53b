/** The `holdfast` command as a tree: commands, arguments and examples. */
import { Argument, Command, InvalidArgumentError } from 'commander';
import { programName } from '../../common/program/version.ts';
import { describeConfig, settings } from '../../config/config.ts';
import { printJson, printTable } from '../print.ts';
import type { ResealOptions } from '../reseal.ts';
import type { TypesOptions } from '../types/types.ts';
import { addAccount } from './account-commands.ts';
import { command, forOperator, load, textCommand } from './command.ts';
import { addMaintenance } from './maintenance-commands.ts';
import { addPlayers } from './players-commands.ts';

/**
 * Returns the command, ready to parse. Shells complete an argument or option value named `file` as a file. Before a command runs, only the
 * tree is loaded.
 */
export function createProgram(): Command {
  const program = new Command('holdfast')
    .description('Self-hosted live configuration, player saves and sign-in for games and apps.')
    .version(programName(), '-V, --version', 'print the version and its commit')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--env-file <file>', 'read settings from lines NAME=value; the environment takes precedence')
    .addHelpText('after', notes)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  addService(program);
  addPlayers(group(program, 'players', 'the players of a project'));
  addTypes(program);
  addAccount(group(program, 'account', 'manage accounts, the owners of projects'));
  addKeys(group(program, 'keys', 'the keys that sign tokens'));
  addSecretKey(group(program, 'secret-key', 'the key that encrypts secrets in the database'));
  addMaintenance(program);
  addCompletion(program);
  return program;
}

/** Commander suggests a similar command or option in a second line. */
const oneLine = (text: string): string =>
  text.replace(/^error: /, 'holdfast: ').replace(/\n\(Did you mean (.*)\?\)\n$/, '; did you mean $1?\n');

function addService(program: Command): void {
  textCommand(program, 'serve', 'start the service and run it until SIGTERM or Ctrl-C', [
    'holdfast serve',
    'holdfast serve --port 9000 --host localhost --data-dir ./other-data',
    'SVC_PORT=9000 holdfast serve --env-file production.env',
  ])
    .option('--port <port>', 'port to listen on, instead of SVC_PORT', likeSetting('port'))
    .option('--host <host>', 'address to listen on, instead of SVC_HOST', likeSetting('host'))
    .option('--data-dir <folder>', 'data folder, instead of SVC_DATA_DIR')
    .addHelpText('after', serveNotes)
    .action(async (options: ServeOptions) => {
      const { config, environment } = load(program, {
        SVC_PORT: options.port,
        SVC_HOST: options.host,
        SVC_DATA_DIR: options.dataDir,
      });
      const { serveCommand } = await import('../serve/serve.ts');
      await serveCommand(config, environment);
    });

  command(program, 'config', 'print every setting with its value and source', [
    'holdfast config',
    'holdfast config --json',
  ]).action(async (options: { json?: true }) => {
    const { config, environment } = load(program);
    const rows = describeConfig(config, environment);
    if (options.json) printJson(rows);
    else printTable(rows.map(({ name, value, source }) => [name, value ?? '(unset)', source]));
  });
}

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly dataDir?: string;
}

const serveNotes = `
--host localhost listens on both loopback addresses, 127.0.0.1 and ::1, and makes http://localhost:PORT the
base URL: browsers allow passkeys at that name, but not at an IP address. If SVC_PORT is not set, PORT is read.
`;

/** Returns the parser of an option that overrides a setting, with the setting's values. */
const likeSetting = (name: 'port' | 'host') => (text: string) => {
  const parsed = settings[name].type.parse(text);
  if ('fault' in parsed) throw new InvalidArgumentError(`It ${parsed.fault}.`);
  return text;
};

function addKeys(keys: Command): void {
  command(keys, 'rotate', 'sign tokens with a new key from now on', [
    'holdfast keys rotate',
    'holdfast keys rotate --revoke --json',
  ])
    .option('--revoke', 'delete earlier keys: access tokens that they signed get 401')
    .action(async (options: { revoke?: true; json?: true }) => {
      const { rotateKeysCommand } = await import('../keys.ts');
      await rotateKeysCommand(forOperator(keys), options);
    });
}

function addSecretKey(secretKey: Command): void {
  command(secretKey, 'reseal', 'encrypt with SVC_SECRET_KEY again what SVC_SECRET_KEY_OTHER encrypted', [
    'holdfast secret-key reseal',
    'holdfast secret-key reseal --check --json',
  ])
    .option('--check', 'only count what the other key encrypted')
    .addHelpText('after', resealNotes)
    .action(async (options: ResealOptions) => {
      const { resealCommand } = await import('../reseal.ts');
      await resealCommand(load(secretKey).config, options);
    });
}

const resealNotes = `
Run it when every node has SVC_SECRET_KEY, and the old key in SVC_SECRET_KEY_OTHER. Exit status: 0 nothing needs the
old key any more; 1 something does, or neither key decrypts it.
`;

function addTypes(program: Command): void {
  textCommand(program, 'types', 'print TypeScript types from a JSON Schema', [
    'holdfast types save.schema.json',
    'holdfast types save.schema.json --name Save > save.ts',
  ])
    .argument('<file>', 'a JSON Schema 2020-12, alone or in a body with "mode" and "schema"')
    .option('--name <name>', 'name of the type', 'State')
    .action(async (file: string, options: TypesOptions) => {
      const { typesCommand } = await import('../types/types.ts');
      await typesCommand(file, options);
    });
}

function addCompletion(program: Command): void {
  textCommand(program, 'completion', 'print a completion script for a shell', [
    'source <(holdfast completion bash)',
    'holdfast completion zsh > _holdfast',
    'holdfast completion fish > holdfast.fish',
  ])
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
}

/**
 * Returns the arguments with the intended command: `serve` if they contain only options of it, and `account create --help` for `help
 * account create`.
 */
export function fullArguments(args: readonly string[]): readonly string[] {
  const [first, ...names] = args.slice(envFileArguments(args));
  if (first === undefined || (first.startsWith('-') && !aboutProgram.has(first))) return ['serve', ...args];
  return args[0] === 'help' && names.length > 1 ? [...names, '--help'] : args;
}

/** Options that need no command. */
const aboutProgram: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

/** How many leading arguments are `--env-file` and its value, which may precede any command. */
function envFileArguments([first = '']: readonly string[]): number {
  if (first.startsWith('--env-file=')) return 1;
  return first === '--env-file' ? 2 : 0;
}

/** A command with subcommands only. On its own it prints them. */
function group(program: Command, name: string, description: string): Command {
  return program.command(name).description(description);
}

/** Introduction to all commands. */
const notes = `
Settings are environment variables (SVC_PORT, SVC_DATA_DIR, …): "holdfast config" prints them.
All commands but serve work on the data folder, with or without a running service. Only restore,
recovered, migrate-store, the import of an installation and compact --rewrite need it stopped. The
folder is SVC_DATA_DIR, or ./data in the current folder.
In a clone of the repository the command is "npx holdfast", after "npm start" has installed it.

Without a command, the service starts: "holdfast --port 9000" is "holdfast serve --port 9000".

Examples:
  holdfast serve
  holdfast account create --name "Acme Games"
  holdfast backup monday.backup
  holdfast doctor
  holdfast account create --help

Exit status: 0 done; 1 failed, a line says why; 2 wrong usage; 9 no such file for --env-file.
`;
