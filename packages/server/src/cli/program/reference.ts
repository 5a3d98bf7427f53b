/** The reference page of all commands, generated from the tree of commands. */
import type { Command, Help } from 'commander';
import { examplesOf } from './command.ts';

/** Returns a section in Markdown for each command of `program`. */
export function commandReference(program: Command): string {
  const help = program.createHelp();
  return leavesOf(program)
    .map((command) => section(help, command))
    .join('\n');
}

/** Options, and the meaning of an argument, that the page explains once, above the commands. */
const common: ReadonlySet<string> = new Set(['--help', '--json', 'account id']);

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

function section(help: Help, command: Command): string {
  const usage = help.commandUsage(command);
  const rows = [
    ...help
      .visibleArguments(command)
      .filter((each) => !common.has(help.argumentDescription(each)))
      .map((each) => [`\`<${each.name()}>\``, help.argumentDescription(each)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => !common.has(long ?? ''))
      .map((each) => [`\`${each.flags}\``, help.optionDescription(each)]),
  ];
  const description = help.commandDescription(command);
  return [
    `## ${nameOf(command)}`,
    '',
    `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
    '',
    '```sh',
    ...examplesOf(command).filter((example, _, all) => !all.some((other) => example === `${other} --json`)),
    '```',
    '',
    ...(rows.length > 0 ? [`|\`${usage}\`||`, '|---|---|'] : [`\`${usage}\``]),
    ...rows.map((cells) => `|${cells.map((cell) => cell?.replaceAll('|', '\\|')).join('|')}|`),
    '',
  ].join('\n');
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
