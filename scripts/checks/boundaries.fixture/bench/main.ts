// breaks: tools-meet-in-tooling
export { attack } from '../torture/attack.ts';
