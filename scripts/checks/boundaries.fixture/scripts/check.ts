// breaks: tools-meet-in-tooling
export type { attack } from '../bench/main.ts';
