// breaks: main-thread-compiles-nothing
import { compileStateSchema } from '../schemas/compile-state-schema.ts';

export const stateSchemaOf = compileStateSchema;
