/**
 * Shell completion: scripts generated from the tree of commands. They run no program when Tab is pressed, so they respond immediately, and
 * need no shell packages.
 */
import type { Command, Help, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A command, as completion needs it. */
interface Node {
  /** The names of its parent commands and its own, without the program. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly takes: Value | undefined })[];
  /** Its argument; undefined if it has none. */
  readonly takes: Value | undefined;
}

interface Word {
  readonly word: string;
  readonly about: string;
}

/** A value: one of some words, a file, or free text. */
type Value = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'file' | 'text' };

/** Returns the script that makes `shell` complete `program`. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program);
  const script = { bash, zsh, fish }[shell];
  return script(program.name(), nodes);
}

function nodesOf(program: Command): Node[] {
  const help = program.createHelp();
  const visit = (command: Command, path: readonly string[]): Node[] => {
    const below = help.visibleCommands(command);
    const own = below.filter((each) => command.commands.includes(each));
    return [nodeOf(help, command, path), ...own.flatMap((each) => visit(each, [...path, each.name()]))];
  };
  return visit(program, []);
}

function nodeOf(help: Help, command: Command, path: readonly string[]): Node {
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const [argument] = command.registeredArguments;
  return {
    path,
    commands: help.visibleCommands(command).map((each) => ({ word: each.name(), about: each.description() })),
    options: options
      .filter(({ long }) => long !== '--version' || path.length === 0)
      .map((option) => ({ word: option.long ?? option.flags, about: option.description, takes: optionValue(option) })),
    takes: argument && typed(argument.name(), argument.argChoices),
  };
}

function optionValue(option: Option): Value | undefined {
  if (!option.required && !option.optional) return undefined;
  return typed(/<(.+)>/.exec(option.flags)?.[1] ?? '', option.argChoices);
}

function typed(name: string, choices: readonly string[] | undefined): Value {
  if (choices) return { kind: 'words', words: choices };
  return { kind: name === 'file' ? 'file' : 'text' };
}

const words = (items: readonly Word[]) => items.map(({ word }) => word).join(' ');
/** Options with a value, each once. */
const valueOptions = (nodes: readonly Node[]) => [
  ...new Map(
    nodes.flatMap(({ options }) => options.filter(({ takes }) => takes)).map((each) => [each.word, each]),
  ).values(),
];

/** How bash completes a value: `$current` is what has been typed. */
function bashReply(value: Value | undefined): string {
  if (value?.kind === 'file') return 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current")';
  if (value?.kind === 'words') return `mapfile -t COMPREPLY < <(compgen -W '${value.words.join(' ')}' -- "$current")`;
  return 'COMPREPLY=()';
}

function bash(name: string, nodes: readonly Node[]): string {
  const takers = valueOptions(nodes);
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  const cases = nodes.map(({ path, commands, options, takes }) => {
    const offered = commands.length > 0 ? { kind: 'words' as const, words: commands.map(({ word }) => word) } : takes;
    return `    "${path.join(' ')}") options='${words(options)}'; [[ $current == -* ]] || { ${bashReply(offered)}; } ;;`;
  });
  return `# bash completion for ${name}
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" path='' options='' word i
  COMPREPLY=()
  case "$previous" in
${takers.map(({ word, takes }) => `    ${word}) ${bashReply(takes)}; return ;;`).join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    case "$word" in
      ${paths.join(' | ')}) path="$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current"); fi
}
complete -F _${name} ${name}
`;
}

/** Text in single quotes, for zsh and fish. */
const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`;

function zshReply(value: Value | undefined): string {
  if (value?.kind === 'file') return '_files';
  return value?.kind === 'words' ? `compadd -- ${value.words.join(' ')}` : ':';
}

const zshList = (items: readonly Word[]) =>
  items.map(({ word, about }) => quoted(`${word}:${about.replaceAll(':', '\\:')}`)).join(' ');

function zsh(name: string, nodes: readonly Node[]): string {
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  const cases = nodes.map(({ path, commands, options, takes }) => {
    const offered = commands.length > 0 ? "_describe 'command' commands" : zshReply(takes);
    return `    "${path.join(' ')}") commands=(${zshList(commands)}); options=(${zshList(options)})
      [[ $words[CURRENT] == -* ]] || { ${offered} } ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local at='' word i
  local -a commands options
  case "$words[CURRENT-1]" in
${valueOptions(nodes)
  .map(({ word, takes }) => `    (${word}) ${zshReply(takes)}; return ;;`)
  .join('\n')}
  esac
  for ((i = 2; i < CURRENT; i++)); do
    word="\${at:+$at }$words[i]"
    case "$word" in
      (${paths.join('|')}) at="$word" ;;
    esac
  done
  case "$at" in
${cases.map((each) => each.replace(/^ {4}"/, '    ("')).join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe 'option' options; fi
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fish(name: string, nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, options, takes }) => {
    const at = `complete -c ${name} -n '__${name}_at ${path.join(' ')}'`;
    return [
      ...commands.map(({ word, about }) => `${at} -f -a ${word} -d ${quoted(about)}`),
      ...options.map((each) => `${at} -l ${each.word.replace(/^--/, '')}${fishValue(each.takes)} -d ${quoted(each.about)}`),
      ...(takes?.kind === 'file' ? [`${at} -F`] : []),
      ...(takes?.kind === 'words' ? [`${at} -f -a ${quoted(takes.words.join(' '))}`] : []),
    ];
  });
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  const takers = valueOptions(nodes).map(({ word }) => word);
  return `# fish completion for ${name}
function __${name}_at
  set -l at
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1; set skip 0; continue; end
    if contains -- $word ${takers.join(' ')}; set skip 1; continue; end
    if contains -- (string join ' ' $at $word) ${paths.join(' ')}; set -a at $word; end
  end
  test "$at" = "$argv"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}

const fishValue = (value: Value | undefined): string => {
  if (value === undefined) return '';
  if (value.kind === 'words') return ` -x -a ${quoted(value.words.join(' '))}`;
  return value.kind === 'file' ? ' -r -F' : ' -x';
};
