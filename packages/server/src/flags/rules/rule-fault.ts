/** The fault of a rule or a flag, in words for the developer. */
export class RuleFault extends Error {}
