/** Opens the versions that changed a value. Forms without a history have no such button. */
import { createContext } from 'react';
import type { Path } from '../fields/values.ts';

export const FieldHistory = createContext<((path: Path) => void) | undefined>(undefined);
