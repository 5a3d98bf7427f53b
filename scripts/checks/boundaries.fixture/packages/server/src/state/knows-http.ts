// breaks: domain-knows-no-transport
export { listen } from '../http/listen.ts';
