// breaks: engine-knows-its-driver-only
export { Refusal } from '../../common/requests/refusal.ts';
