/** Violations of a schema and faults of flags in German. The service reports them in English, with the measured values. */
const types: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true oder false',
  object: 'ein Objekt',
  array: 'ein Array',
  number: 'eine Zahl',
  string: 'ein Text',
  integer: 'eine ganze Zahl',
};

/** Returns the names of types; undefined if one of them is not a type. */
function typesIn(names: string): string | undefined {
  const words = names.split(' or ').map((name) => types[name]);
  return words.includes(undefined) ? undefined : words.join(' oder ');
}

/** The service's messages and their translations; undefined leaves a message unchanged. */
type Translation = readonly [RegExp, (...parts: string[]) => string | undefined];

const member: Translation = [/^must have the members? (.+)$/s, (names) => `muss ${names} enthalten`];
const mostOf = (unit: string, what: string): Translation => [
  new RegExp(`^must have at most (\\d+) ${unit}$`),
  (limit) => `darf höchstens ${limit} ${what} haben`,
];
const leastOf = (unit: string, what: string): Translation => [
  new RegExp(`^must have at least (\\d+) ${unit}$`),
  (limit) => `muss mindestens ${limit} ${what} haben`,
];
const number: Translation = [/^must be a number and stay one$/, () => 'muss eine Zahl sein und bleiben'];

const byKeyword: Readonly<Record<string, readonly Translation[]>> = {
  type: [
    [
      /^must be ([a-z ]+)$/,
      (names) => {
        const words = typesIn(names);
        return words && `muss ${words} sein`;
      },
    ],
  ],
  enum: [[/^must be one of the (\d+) values/, (count) => `muss einer der ${count} Werte von „enum“ sein`]],
  const: [[/^must be the value of "const"$/, () => 'muss der Wert von „const“ sein']],
  multipleOf: [[/^must be a multiple of (.+)$/, (step) => `muss ein Vielfaches von ${step} sein`]],
  maximum: [[/^must be at most (.+)$/, (limit) => `darf höchstens ${limit} sein`]],
  exclusiveMaximum: [[/^must be less than (.+)$/, (limit) => `muss kleiner als ${limit} sein`]],
  minimum: [[/^must be at least (.+)$/, (limit) => `muss mindestens ${limit} sein`]],
  exclusiveMinimum: [[/^must be greater than (.+)$/, (limit) => `muss größer als ${limit} sein`]],
  maxLength: [mostOf('characters', 'Zeichen')],
  minLength: [leastOf('characters', 'Zeichen')],
  maxItems: [mostOf('items', 'Elemente')],
  minItems: [leastOf('items', 'Elemente')],
  maxProperties: [mostOf('members', 'Einträge')],
  minProperties: [leastOf('members', 'Einträge')],
  pattern: [[/^must match the pattern$/, () => 'muss zum Muster von „pattern“ passen']],
  uniqueItems: [[/^must have no two equal items$/, () => 'darf keine zwei gleichen Elemente haben']],
  required: [member],
  dependentRequired: [member],
  contains: [
    [/^must have at least (\d+) items/, (least) => `muss mindestens ${least} Elemente haben, die zu „contains“ passen`],
    [
      /^must have (\d+) to (\d+) items/,
      (least, most) => `muss ${least} bis ${most} Elemente haben, die zu „contains“ passen`,
    ],
  ],
  anyOf: [[/^must fit one of the (\d+) schemas/, (count) => `muss zu einem der ${count} Schemas von „anyOf“ passen`]],
  oneOf: [
    [
      /^must fit exactly one of the (\d+) schemas of "oneOf"(?:, not (\d+))?$/,
      (count, fitting) =>
        `muss zu genau einem der ${count} Schemas von „oneOf“ passen${fitting === undefined ? '' : `, nicht zu ${fitting}`}`,
    ],
  ],
  not: [[/^must not fit/, () => 'darf nicht zum Schema von „not“ passen']],
  false: [[/^must not be there$/, () => 'darf nicht vorhanden sein']],
  'x-write': [[/^is a value that only servers write$/, () => 'darf nur von Servern geändert werden']],
  'x-increase-max': [
    number,
    [/^may increase by at most (.+) in one write$/, (step) => `darf pro Änderung um höchstens ${step} steigen`],
  ],
  'x-decrease-max': [
    number,
    [/^may decrease by at most (.+) in one write$/, (step) => `darf pro Änderung um höchstens ${step} sinken`],
  ],
  'x-append-only': [[/^must keep what it had/, () => 'muss alle Elemente behalten und darf nur am Ende wachsen']],
  warning: [
    [
      /^"(.+)" is no keyword of JSON Schema, so it checks nothing; did you mean "(.+)"\?$/s,
      (name, near) => `„${name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts; meinten Sie „${near}“?`,
    ],
    [
      /^"(.+)" is no keyword of JSON Schema, so it checks nothing$/s,
      (name) => `„${name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts`,
    ],
    [/^the schema refuses nothing/, () => 'das Schema lehnt nichts ab: Jedes Dokument passt'],
    [
      /^the schema stands inside a body/,
      () =>
        'das Schema steht in einem Objekt mit „mode“ und „schema“ und prüft deshalb nichts: Übernehmen Sie nur den Inhalt von „schema“',
    ],
  ],
  budget: [[/^the evaluation takes more/, () => 'lässt sich nicht mit vertretbarem Aufwand prüfen']],
};

const tooSlow: Translation = [
  /^its rules take too long or too much memory/,
  () => 'seine Regeln brauchen zu lange oder zu viel Speicher; vereinfachen Sie sie',
];

/** Faults of flag rules. Those found only by evaluation are not translated: their words are operators' names. */
const inRule: readonly Translation[] = [
  [/^it is no object$/, () => 'es muss ein Objekt sein'],
  [/^"(variants|targeting)" is no object$/, (name) => `„${name}“ muss ein Objekt sein`],
  [/^"state" is neither "ENABLED" nor "DISABLED"$/, () => '„state“ muss „ENABLED“ oder „DISABLED“ sein'],
  [/^"defaultVariant" names none of the variants$/, () => '„defaultVariant“ muss eine der Varianten nennen'],
  [/^an object with more than one member is no rule$/, () => 'ein Objekt mit mehr als einem Eintrag ist keine Regel'],
  [/^there is no operator (.+)$/s, (name) => `unbekannter Operator ${name}`],
  [/^\$evaluators has no (.+)$/s, (name) => `in $evaluators steht kein ${name}`],
  [/^more than (\d+) nodes come by \$ref$/, (count) => `mehr als ${count} Knoten entstehen durch $ref`],
  [/^it is nested too deeply, or refers to itself$/, () => 'es ist zu tief verschachtelt oder verweist auf sich selbst'],
];

/** The service's messages about the feature flags of a document. */
const inFlags: readonly Translation[] = [
  [/^the flag cannot be used: (.+)$/s, (why) => `nicht verwendbar: ${translate(inRule, why) ?? why}`],
  [/^its rules cannot be evaluated: (.+)$/s, (why) => `seine Regeln lassen sich nicht auswerten: ${why}`],
  [
    /^its rules give the name of no variant: (.+)$/s,
    (name) => `seine Regeln nennen eine Variante, die es nicht gibt: ${name}`,
  ],
  [/^its variants are of different types: (.+)$/, (names) => `seine Varianten haben verschiedene Typen: ${names}`],
  [/^"flags" is no object$/, () => '„flags“ muss ein Objekt sein'],
  [
    /^"metadata" has more than (\d+) members or (\d+) characters$/,
    (members, characters) => `„metadata“ hat mehr als ${members} Einträge oder ${characters} Zeichen`,
  ],
  tooSlow,
];

const kinds: Readonly<Record<string, string>> = {
  'an integer of at least 0': 'eine ganze Zahl ab 0',
  'an array': 'ein Array',
  'an array of strings': 'ein Array von Texten',
  'an object': 'ein Objekt',
  'a string': 'ein Text',
  'a boolean': 'true oder false',
  'a number': 'eine Zahl',
  'a number greater than 0': 'eine Zahl größer als 0',
  'a number of at least 0': 'eine Zahl ab 0',
  true: 'true',
};

/** Faults in a schema. */
const inSchema: readonly Translation[] = [
  [/^a schema must be an object or a boolean$/, () => 'ein Schema muss ein Objekt oder true oder false sein'],
  [/^"([^"]+)" must be ([a-z0-9 ]+)$/, (keyword, kind) => kinds[kind] && `„${keyword}“ muss ${kinds[kind]} sein`],
  [/^"type" must be of (.+)$/, (names) => `„type“ muss einer dieser Typen sein: ${names}`],
  [/^"([^"]+)" must have at least one schema$/, (keyword) => `„${keyword}“ muss mindestens ein Schema enthalten`],
  [/^"([^"]+)" must name nothing twice$/, (keyword) => `„${keyword}“ darf nichts zweimal nennen`],
  [
    /^"(x-.+)" is no keyword that is known here(?:; did you mean "(.+)"\?)?$/s,
    (name, near) => `„${name}“ ist kein bekanntes Schlüsselwort${near === undefined ? '' : `; meinten Sie „${near}“?`}`,
  ],
  [/^another schema has the same "\$id"$/, () => 'ein anderes Schema hat dieselbe „$id“'],
  [/^another schema has the same anchor$/, () => 'ein anderes Schema hat denselben Anker'],
  [/^"([^"]+)" is refused: (.+)$/s, (keyword, why) => `„${keyword}“ wird abgelehnt: ${why}`],
];

/** Returns a violation in German if its message is known. */
export function violationDe(keyword: string, message: string): string {
  if (keyword === 'flags') return translate(inFlags, message) ?? message;
  return translate([...(byKeyword[keyword] ?? []), ...inSchema], message) ?? message;
}

function translate(known: readonly Translation[], message: string): string | undefined {
  for (const [words, say] of known) {
    const parts = words.exec(message);
    const translated = parts === null ? undefined : say(...parts.slice(1));
    if (translated !== undefined) return translated;
  }
  return undefined;
}
