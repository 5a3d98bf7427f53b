// breaks: tools-meet-in-tooling
export { world as attack } from '../test/world.ts';
