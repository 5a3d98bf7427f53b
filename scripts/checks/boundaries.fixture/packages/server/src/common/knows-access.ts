// breaks: common-knows-nobody
export { remembered } from '../access/cache.ts';
