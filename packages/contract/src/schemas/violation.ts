/** Violations of a schema. */
import Type from 'typebox';

export const ViolationBody = Type.Object(
  {
    path: Type.String({
      description:
        'JSON Pointer to what does not fit; in a schema that is refused, to what is wrong there. One of more than 512 characters has `…` for its middle.',
    }),
    keyword: Type.String({ description: 'The keyword that it breaks; `budget` when judging it would take too long.' }),
    message: Type.String({
      description:
        'For people; may change. It holds no value of the document; about a flag, it can quote up to 64 characters of a name in its rules.',
    }),
  },
  { description: 'One thing that does not fit.' },
);
