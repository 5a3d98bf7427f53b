/** Creates a command, and reads its settings. */
import type { Command } from 'commander';
import { type Config, type Environment, readConfig, readEnvironment } from '../../config/config.ts';
import { withRecordedBaseUrl } from '../base-url.ts';
import { CommandFault } from '../fault.ts';

interface Loaded {
  readonly config: Config;
  readonly environment: Environment;
}

const examples = new WeakMap<Command, readonly string[]>();

/** Returns the lines that show how a command is used. */
export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? [];

/** Adds a command that prints text, or JSON if asked. */
export const command: typeof textCommand = (...definition) => textCommand(...definition).option('--json', 'print JSON');

/** Adds a command with a description and examples. A test runs each example. */
export function textCommand(parent: Command, name: string, description: string, lines: readonly string[]): Command {
  const help = `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
  const made = parent.command(name).description(description).addHelpText('after', help);
  examples.set(made, lines);
  return made;
}

/** The variables of the environment and of the file given by --env-file. */
export function environmentOf(command: Command): Environment {
  return readEnvironment(command.optsWithGlobals<{ envFile?: string }>().envFile);
}

/** Reads the settings; those in `options` override the environment. Throws `CommandFault` with a line for each fault. */
export function load(command: Command, options: Environment = {}): Loaded {
  const given = Object.entries(options).filter(([, text]) => text !== undefined);
  const environment = { ...environmentOf(command), ...Object.fromEntries(given) };
  const outcome = readConfig(environment);
  if (outcome.kind === 'faults') throw new CommandFault(...outcome.faults);
  return { config: outcome.config, environment };
}

/** The settings of operator commands, which may issue tokens. */
export function forOperator(command: Command): Config {
  const { config, environment } = load(command);
  return withRecordedBaseUrl(config, environment);
}
