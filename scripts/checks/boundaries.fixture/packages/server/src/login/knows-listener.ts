// breaks: login-knows-handlers-only
export { listen } from '../http/listen.ts';
