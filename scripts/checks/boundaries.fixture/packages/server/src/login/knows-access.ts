// breaks: login-knows-handlers-only
export { remembered } from '../access/cache.ts';
