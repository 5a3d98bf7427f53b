export { world } from '../test/world.ts';
export { api } from '../tooling/api.ts';
