/** The key that starts a command, as this machine writes it. */
export const commandKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl ';
