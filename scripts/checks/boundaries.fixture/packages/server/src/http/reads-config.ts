// breaks: settings-come-from-main
export { port } from '../config/config.ts';
