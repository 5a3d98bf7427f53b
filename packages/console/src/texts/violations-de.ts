/** Violations of a schema and faults of flags in German, by keyword and by the service's message with its parameters. */
import { translatorOf } from './message-patterns.ts';

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
  '"server"': '„server“',
};

const member = { 'must have the member {member}': 'muss {member} enthalten' };
const number = { 'must be a number and stay one': 'muss eine Zahl sein und bleiben' };

const ofPattern = translatorOf({
  byKeyword: {},
  others: {
    'the pattern has {count} characters; at most {limit} are allowed':
      'das Muster hat {count} Zeichen; erlaubt sind höchstens {limit}',
    'the pattern compiles to {count} instructions; at most {limit} are allowed':
      'das Muster ergibt {count} Anweisungen; erlaubt sind höchstens {limit}',
    'the pattern is no regular expression of ECMA-262 with the flag "u"':
      'das Muster ist kein regulärer Ausdruck nach ECMA-262 mit dem Flag „u“',
    'the pattern uses what takes more than linear time or is unknown: back references, looking around, or a name of characters':
      'das Muster verwendet, was mehr als lineare Zeit braucht oder unbekannt ist: Rückverweise, Lookarounds oder eine Zeichenklasse',
  },
  parameters: {},
});

/** Faults of a flag's rules. Those that only an evaluation finds are not translated: their words are names of operators. */
const ofRule = translatorOf({
  byKeyword: {},
  others: {
    'it is no object': 'es muss ein Objekt sein',
    '"{name}" is no object': '„{name}“ muss ein Objekt sein',
    '"state" is neither "ENABLED" nor "DISABLED"': '„state“ muss „ENABLED“ oder „DISABLED“ sein',
    '"defaultVariant" names none of the variants': '„defaultVariant“ muss eine der Varianten nennen',
    'an object with more than one member is no rule': 'ein Objekt mit mehr als einem Eintrag ist keine Regel',
    'there is no operator {name}': 'unbekannter Operator {name}',
    '$evaluators has no {name}': 'in $evaluators steht kein {name}',
    'more than {count} nodes come by $ref': 'mehr als {count} Knoten entstehen durch $ref',
    'it is nested too deeply, or refers to itself': 'es ist zu tief verschachtelt oder verweist auf sich selbst',
  },
  parameters: {},
});

const translate = translatorOf({
  byKeyword: {
    type: { 'must be {types}': 'muss {types} sein' },
    enum: { 'must be one of the {count} values that "enum" lists': 'muss einer der {count} Werte von „enum“ sein' },
    const: { 'must be the value of "const"': 'muss der Wert von „const“ sein' },
    multipleOf: { 'must be a multiple of {step}': 'muss ein Vielfaches von {step} sein' },
    maximum: { 'must be at most {limit}': 'darf höchstens {limit} sein' },
    exclusiveMaximum: { 'must be less than {limit}': 'muss kleiner als {limit} sein' },
    minimum: { 'must be at least {limit}': 'muss mindestens {limit} sein' },
    exclusiveMinimum: { 'must be greater than {limit}': 'muss größer als {limit} sein' },
    maxLength: { 'must have at most {limit} characters': 'darf höchstens {limit} Zeichen haben' },
    minLength: { 'must have at least {limit} characters': 'muss mindestens {limit} Zeichen haben' },
    maxItems: { 'must have at most {limit} items': 'darf höchstens {limit} Elemente haben' },
    minItems: { 'must have at least {limit} items': 'muss mindestens {limit} Elemente haben' },
    maxProperties: { 'must have at most {limit} members': 'darf höchstens {limit} Einträge haben' },
    minProperties: { 'must have at least {limit} members': 'muss mindestens {limit} Einträge haben' },
    pattern: { 'must match the pattern': 'muss zum Muster von „pattern“ passen' },
    uniqueItems: { 'must have no two equal items': 'darf keine zwei gleichen Elemente haben' },
    required: member,
    dependentRequired: member,
    contains: {
      'must have at least {least} items that fit "contains"':
        'muss mindestens {least} Elemente haben, die zu „contains“ passen',
      'must have {least} to {most} items that fit "contains"':
        'muss {least} bis {most} Elemente haben, die zu „contains“ passen',
    },
    anyOf: { 'must fit one of the {count} schemas of "anyOf"': 'muss zu einem der {count} Schemas von „anyOf“ passen' },
    oneOf: {
      'must fit exactly one of the {count} schemas of "oneOf", not {fitting}':
        'muss zu genau einem der {count} Schemas von „oneOf“ passen, nicht zu {fitting}',
    },
    not: { 'must not fit the schema of "not"': 'darf nicht zum Schema von „not“ passen' },
    false: { 'must not be there': 'darf nicht vorhanden sein' },
    'x-write': { 'is a value that only servers write': 'darf nur von Servern geändert werden' },
    'x-increase-max': {
      ...number,
      'may increase by at most {step} in one write': 'darf pro Änderung um höchstens {step} steigen',
    },
    'x-decrease-max': {
      ...number,
      'may decrease by at most {step} in one write': 'darf pro Änderung um höchstens {step} sinken',
    },
    'x-append-only': {
      'must keep what it had and may only grow at its end': 'muss alle Elemente behalten und darf nur am Ende wachsen',
    },
    warning: {
      '"{name}" is no keyword of JSON Schema, so it checks nothing; did you mean "{near}"?':
        '„{name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts; meinten Sie „{near}“?',
      '"{name}" is no keyword of JSON Schema, so it checks nothing':
        '„{name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts',
      'the schema refuses nothing: every document fits': 'das Schema lehnt nichts ab: Jedes Dokument passt',
      'the schema stands inside a body with "mode" and "schema", so it checks nothing: send what is in "schema" alone':
        'das Schema steht in einem Objekt mit „mode“ und „schema“ und prüft deshalb nichts: Übernehmen Sie nur den Inhalt von „schema“',
    },
    budget: {
      'the evaluation takes more than its budget, so whether the document fits is not known':
        'lässt sich nicht mit vertretbarem Aufwand prüfen',
      'the schema has {count} characters; at most {limit} are allowed':
        'das Schema hat {count} Zeichen; erlaubt sind höchstens {limit}',
      'the schema has too many or too large regular expressions':
        'das Schema hat zu viele oder zu große reguläre Ausdrücke',
      'the schema names {count} classes of characters such as \\p{L}; at most {limit} are allowed':
        'das Schema nennt {count} Zeichenklassen wie \\p{L}; erlaubt sind höchstens {limit}',
      'the schema has more than {limit} schemas': 'das Schema enthält mehr als {limit} Schemas',
      'the schema has schemas in each other on more than {limit} levels':
        'das Schema ist auf mehr als {limit} Ebenen verschachtelt',
      'the schema has more than {limit} references': 'das Schema enthält mehr als {limit} Verweise',
    },
    flags: {
      'the flags cannot be evaluated: its rules take too long or too much memory; make them simpler, or send a smaller context':
        'die Flags lassen sich nicht auswerten: Ihre Regeln brauchen zu lange oder zu viel Speicher; vereinfachen Sie sie',
      'the flag cannot be used: {rule}': 'nicht verwendbar: {rule}',
      'its rules cannot be evaluated: {fault}': 'seine Regeln lassen sich nicht auswerten: {fault}',
      'its rules give the name of no variant: {name}': 'seine Regeln nennen eine Variante, die es nicht gibt: {name}',
      'its variants are of different types: {names}': 'seine Varianten haben verschiedene Typen: {names}',
      '"flags" is no object': '„flags“ muss ein Objekt sein',
      '"metadata" has more than {members} members or {characters} characters':
        '„metadata“ hat mehr als {members} Einträge oder {characters} Zeichen',
      'its rules take too long or too much memory; make them simpler, or send a smaller context':
        'seine Regeln brauchen zu lange oder zu viel Speicher; vereinfachen Sie sie',
    },
  },
  others: {
    'a schema must be an object or a boolean': 'ein Schema muss ein Objekt oder true oder false sein',
    'the schema is no JSON that can be read: {fault}': 'das Schema ist kein lesbares JSON: {fault}',
    'the schema leads back to itself without going down into the document':
      'das Schema führt zu sich selbst zurück, ohne tiefer in das Dokument zu gehen',
    '"{keyword}" must be {kind}': '„{keyword}“ muss {kind} sein',
    '"type" must be of {names}': '„type“ muss einer dieser Typen sein: {names}',
    '"{keyword}" must have at least one schema': '„{keyword}“ muss mindestens ein Schema enthalten',
    '"{keyword}" must name nothing twice': '„{keyword}“ darf nichts zweimal nennen',
    '"{name}" is no keyword that is known here; did you mean "{near}"?':
      '„{name}“ ist kein bekanntes Schlüsselwort; meinten Sie „{near}“?',
    '"{name}" is no keyword that is known here': '„{name}“ ist kein bekanntes Schlüsselwort',
    '"$schema" must be "{draft}" or left out': '„$schema“ muss „{draft}“ sein oder fehlen',
    '"$id" is no URI reference': '„$id“ ist keine URI-Referenz',
    '"$id" must have no fragment': '„$id“ darf kein Fragment haben',
    '"{keyword}" must be a name of letters, digits, ".", "_" and "-"':
      '„{keyword}“ muss ein Name aus Buchstaben, Ziffern, „.“, „_“ und „-“ sein',
    '"{keyword}" leads to no schema in this one: a reference to somewhere else is never fetched':
      '„{keyword}“ führt zu keinem Teil dieses Schemas: Verweise nach außen werden nie geladen',
    '"{keyword}" has a number whose exponent is beyond all bounds': '„{keyword}“ hat eine Zahl mit zu großem Exponenten',
    '"{keyword}" may only stand below properties, items, prefixItems, additionalProperties and a local $ref: elsewhere a write could escape it':
      '„{keyword}“ darf nur unter properties, items, prefixItems, additionalProperties und einem lokalen $ref stehen: Sonst könnte eine Änderung daran vorbeikommen',
    'another schema has the same "$id"': 'ein anderes Schema hat dieselbe „$id“',
    'another schema has the same anchor': 'ein anderes Schema hat denselben Anker',
    '"{keyword}" is refused: {patternFault}': '„{keyword}“ wird abgelehnt: {patternFault}',
  },
  parameters: {
    types: typesIn,
    member: (name) => name.replace(/^"(.*)"$/s, '„$1“'),
    kind: (kind) => kinds[kind],
    rule: (fault) => ofRule('', fault) ?? fault,
    patternFault: (fault) => ofPattern('', fault) ?? fault,
  },
});

/** Returns a violation in German if its message is known. */
export const violationDe = (keyword: string, message: string): string => translate(keyword, message) ?? message;
