// breaks: engine-knows-its-driver-only
export { pino } from 'pino';
