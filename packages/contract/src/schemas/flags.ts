/** Records of feature flags, as defined by the OpenFeature Remote Evaluation Protocol. */
import Type from 'typebox';
import { flagErrorCodes } from '../errors.ts';

export const FlagContext = Type.Unsafe<{ targetingKey?: string; [member: string]: unknown }>(
  Type.Object(
    {
      targetingKey: Type.Optional(
        Type.String({ description: 'The subject of the evaluation; percentage splits depend on it.' }),
      ),
    },
    { additionalProperties: true, description: 'The values that the rules of the flags can use.' },
  ),
);
export const FlagRequestBody = Type.Object(
  { context: Type.Optional(FlagContext) },
  { description: 'A request of the OpenFeature Remote Evaluation Protocol.' },
);

const key = Type.String({ description: 'The name of the flag in `flags` of the document.' });
const value = Type.Optional(
  Type.Unknown({ description: 'The value of the variant. Absent if the client uses the default in its code.' }),
);
const variant = Type.String({
  description: 'The name of the value in `variants` of the flag; empty if there is no value.',
});
export const FlagMetadata = Type.Object(
  {},
  { additionalProperties: true, description: 'Strings, numbers and booleans attached to the flag or the flag set.' },
);
const metadata = Type.Optional(FlagMetadata);
const reasonText =
  'Why the flag has this value: `STATIC` (it has no rules), `TARGETING_MATCH` (its rules chose the variant), `DEFAULT` (they chose none), or `DISABLED`.';
const errorCode = Type.Enum([...flagErrorCodes], { description: 'The error code of OpenFeature.' });
const errorDetails = Type.String({ description: 'For people: the error and how to fix it.' });

export const FlagBody = Type.Object({ key, value, reason: Type.String({ description: reasonText }), variant, metadata });
/** One object instead of a union, for the same reason as `PatchOperationBody`. */
export const FlagItemBody = Type.Object(
  {
    key,
    value,
    reason: Type.Optional(Type.String({ description: `${reasonText} Absent with \`errorCode\`.` })),
    variant: Type.Optional(variant),
    metadata,
    errorCode: Type.Optional(errorCode),
    errorDetails: Type.Optional(errorDetails),
  },
  { description: 'A flag with its value or its error.' },
);
export const FlagListBody = Type.Object({
  flags: Type.Array(FlagItemBody, { description: 'Every flag of the document.' }),
  metadata,
});
export const FlagErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
    key: Type.Optional(key),
    errorCode: Type.Optional(errorCode),
    errorDetails: Type.Optional(errorDetails),
  },
  {
    description:
      'The error envelope, with the fields that OpenFeature clients read if the request reached a flag or its context.',
  },
);
