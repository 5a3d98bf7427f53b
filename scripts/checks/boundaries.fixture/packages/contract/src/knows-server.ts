// breaks: contract-is-pure packages-meet-by-name
export type { Principal } from '../../server/src/access/principal.ts';
