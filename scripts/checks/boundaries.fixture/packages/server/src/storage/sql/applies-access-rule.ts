export { isOld } from '../../access/rules/age.ts';
