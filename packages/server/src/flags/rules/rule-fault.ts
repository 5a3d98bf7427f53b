/** Says what is wrong with a rule or a flag, in words for the developer. */
export class RuleFault extends Error {}
