// breaks: engine-knows-its-driver-only
export { Refusal } from '../../common/refusal.ts';
