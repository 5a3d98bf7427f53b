/** The modifier key of commands, as named on this machine. */
export const commandKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl ';
