// breaks: packages-meet-by-name
export { limit } from '../../contract/src/index.ts';
