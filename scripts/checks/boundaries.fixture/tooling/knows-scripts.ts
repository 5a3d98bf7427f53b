// breaks: tools-meet-in-tooling
export { world } from '../scripts/pictures.ts';
