/** The `holdfast` command: what it can do, and how it ends. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type Config, type Environment, readConfig, readEnvironment } from '../config.ts';
import { CommandFault, faultLines } from './fault.ts';

const exitCodes = { failure: 1, usage: 2 } as const;

interface Loaded {
  readonly config: Config;
  readonly environment: Environment;
}

const program = new Command('holdfast')
  .description('Versioned JSON state for applications and games, with sign-in. Self-hosted.')
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .option('--env-file <file>', 'read settings from a file; the environment wins over it')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'holdfast: ')) });

command(program, 'serve', 'start the service', [
  'holdfast serve',
  'SVC_PORT=9000 holdfast serve --env-file production.env',
]).action(async () => {
  const { config, environment } = load();
  const { serveCommand } = await import('./serve.ts');
  await serveCommand(config, environment);
});

command(program, 'config', 'print the effective settings, secrets hidden', ['holdfast config', 'holdfast config --json'])
  .option('--json', 'print JSON')
  .action(async (options: { json?: true }) => {
    const { config, environment } = load();
    const { configCommand } = await import('./config-command.ts');
    configCommand(config, environment, options);
  });

const account = group('account', 'make, show and delete accounts, beside a running service');

command(account, 'create', 'make an account, with a developer token for your own use', [
  'holdfast account create --name "Acme Games"',
  'holdfast account create --name "Acme Games" --hours 720 --json',
])
  .requiredOption('--name <name>', 'name of the account, for people')
  .option('--tenant <id>', 'tenant of its end users, where the identity provider assigns such ids')
  .option('--hours <hours>', 'lifetime of the token, at most 720', hours, 24)
  .option('--json', 'print JSON')
  .action(async (options: { name: string; hours: number; tenant?: string; json?: true }) =>
    (await accounts()).createAccountCommand(load().config, options),
  );

command(account, 'list', 'list all accounts, newest first', ['holdfast account list', 'holdfast account list --json'])
  .option('--json', 'print JSON')
  .action(async (options: { json?: true }) => (await accounts()).listAccountsCommand(load().config, options));

command(account, 'show', 'show one account and its projects', ['holdfast account show acc_2bYkGd9MQnLVhvO0WwYx3z'])
  .argument('<id>', 'account id')
  .option('--json', 'print JSON')
  .action(async (id: string, options: { json?: true }) =>
    (await accounts()).showAccountCommand(load().config, id, options),
  );

command(account, 'token', 'print a new developer token of an account', [
  'holdfast account token acc_2bYkGd9MQnLVhvO0WwYx3z',
  'TOKEN=$(holdfast account token acc_2bYkGd9MQnLVhvO0WwYx3z --hours 1)',
])
  .argument('<id>', 'account id')
  .option('--hours <hours>', 'lifetime of the token, at most 720', hours, 24)
  .option('--json', 'print JSON')
  .action(async (id: string, options: { hours: number; json?: true }) =>
    (await accounts()).accountTokenCommand(load().config, id, options),
  );

command(account, 'delete', 'delete an account with all its projects, states and keys', [
  'holdfast account delete acc_2bYkGd9MQnLVhvO0WwYx3z --yes',
])
  .argument('<id>', 'account id')
  .requiredOption('--yes', 'confirm that everything of the account is deleted')
  .option('--json', 'print JSON')
  .action(async (id: string, options: { json?: true }) =>
    (await accounts()).deleteAccountCommand(load().config, id, options),
  );

const keys = group('keys', 'the keys that sign access tokens');

command(keys, 'rotate', 'sign with a new key from now on', ['holdfast keys rotate', 'holdfast keys rotate --revoke'])
  .option('--revoke', 'delete the earlier keys, so that every token signed until now is rejected')
  .option('--json', 'print JSON')
  .action(async (options: { revoke?: true; json?: true }) => {
    const { rotateKeysCommand } = await import('./keys.ts');
    await rotateKeysCommand(load().config, options);
  });

function accounts() {
  return import('./account.ts');
}

function command(parent: Command, name: string, description: string, examples: readonly string[]): Command {
  const help = `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
  return parent.command(name).description(description).addHelpText('after', help);
}

/** A command that only has subcommands; alone it prints them. */
function group(name: string, description: string): Command {
  return program.command(name).description(description);
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

function hours(text: string): number {
  const value = Number(text);
  if (/^[0-9]{1,3}$/.test(text) && value >= 1 && value <= 720) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 720.');
}

/** Reads the settings; throws `CommandFault` with a line for each fault in them. */
function load(): Loaded {
  const environment = readEnvironment(program.opts<{ envFile?: string }>().envFile);
  const outcome = readConfig(environment);
  if (outcome.kind === 'faults') throw new CommandFault(...outcome.faults);
  return { config: outcome.config, environment };
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    for (const line of faultLines(error)) console.error(`holdfast: ${line}`);
    process.exit(exitCodes.failure);
  }
}
