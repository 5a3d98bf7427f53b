/** Violations of a schema, faults of schemas and of flags in German. */
import {
  flagFaultMessages,
  flagMessages,
  patternFaultMessages,
  type SchemaType,
  schemaFaultMessages,
  schemaWarningMessages,
  typeSeparator,
} from '@holdfast/contract/messages';
import { translatorOf } from './message-patterns.ts';
import { texts as english, ruleMessages, type ViolationTexts } from './violations-en.ts';

const types: Readonly<Record<SchemaType, string>> = {
  null: 'null',
  boolean: 'true oder false',
  object: 'ein Objekt',
  array: 'ein Array',
  number: 'eine Zahl',
  string: 'ein Text',
  integer: 'eine ganze Zahl',
};
const isType = (name: string): name is SchemaType => Object.hasOwn(types, name);

/** Returns the names of types; undefined if one of them is not a type. */
function typesIn(text: string): string | undefined {
  const names = text.split(typeSeparator);
  return names.every(isType) ? names.map((name) => types[name]).join(' oder ') : undefined;
}

/** German quotation marks around the JSON strings in a text. */
const quoted = (text: string): string => text.replaceAll(/"((?:[^"\\]|\\.)*)"/gs, '„$1“');

const counted = (count: string, one: string, many: string): string => `${count} ${count === '1' ? one : many}`;
const items = (count: string): string => counted(count, 'Element', 'Elemente');
const members = (count: string): string => counted(count, 'Eintrag', 'Einträge');

const ofRule = translatorOf(ruleMessages, {
  type: ({ types: names }) => {
    const found = typesIn(names);
    return found && `muss ${found} sein`;
  },
  enum: ({ count }) => `muss einer der ${count} Werte von „enum“ sein`,
  const: 'muss der Wert von „const“ sein',
  multipleOf: ({ step }) => `muss ein Vielfaches von ${step} sein`,
  maximum: ({ limit }) => `darf höchstens ${limit} sein`,
  exclusiveMaximum: ({ limit }) => `muss kleiner als ${limit} sein`,
  minimum: ({ limit }) => `muss mindestens ${limit} sein`,
  exclusiveMinimum: ({ limit }) => `muss größer als ${limit} sein`,
  maxLength: ({ limit }) => `darf höchstens ${limit} Zeichen haben`,
  minLength: ({ limit }) => `muss mindestens ${limit} Zeichen haben`,
  pattern: 'muss zum Muster von „pattern“ passen',
  maxItems: ({ limit }) => `darf höchstens ${items(limit)} haben`,
  minItems: ({ limit }) => `muss mindestens ${items(limit)} haben`,
  uniqueItems: 'darf keine zwei gleichen Elemente haben',
  maxProperties: ({ limit }) => `darf höchstens ${members(limit)} haben`,
  minProperties: ({ limit }) => `muss mindestens ${members(limit)} haben`,
  member: ({ member }) => `muss ${quoted(member)} enthalten`,
  contains: ({ least }) =>
    `muss mindestens ${counted(least, 'Element haben, das zu „contains“ passt', 'Elemente haben, die zu „contains“ passen')}`,
  containsUpTo: ({ least, most }) => `muss ${least} bis ${most} Elemente haben, die zu „contains“ passen`,
  anyOf: ({ count }) => `muss zu einem der ${count} Schemas von „anyOf“ passen`,
  oneOf: ({ count, fitting }) => `muss zu genau einem der ${count} Schemas von „oneOf“ passen, nicht zu ${fitting}`,
  not: 'darf nicht zum Schema von „not“ passen',
  false: 'darf nicht vorhanden sein',
  'x-write': 'darf nur von Servern geändert werden',
  'x-increase-max': ({ step }) => `darf pro Änderung um höchstens ${step} steigen`,
  'x-decrease-max': ({ step }) => `darf pro Änderung um höchstens ${step} sinken`,
  numberForEver: 'muss eine Zahl sein und bleiben',
  'x-append-only': 'muss alle Elemente behalten und darf nur am Ende wachsen',
  budget: 'lässt sich nicht mit vertretbarem Aufwand prüfen',
  members: ({ members: names }) => `muss ${quoted(names)} enthalten`,
  exactlyOne: ({ count }) => `muss zu genau einem der ${count} Schemas von „oneOf“ passen`,
});

const ofPattern = translatorOf(patternFaultMessages, {
  characters: ({ count, limit }) => `das Muster hat ${count} Zeichen; erlaubt sind höchstens ${limit}`,
  instructions: ({ count, limit }) => `das Muster ergibt ${count} Anweisungen; erlaubt sind höchstens ${limit}`,
  syntax: 'das Muster ist kein regulärer Ausdruck nach ECMA-262 mit dem Flag „u“',
  notLinear:
    'das Muster verwendet, was mehr als lineare Zeit braucht oder unbekannt ist: Rückverweise, Lookarounds oder eine Zeichenklasse',
});

const ofSchemaFault = translatorOf(schemaFaultMessages, {
  notSchema: 'ein Schema muss ein Objekt oder true oder false sein',
  notJson: ({ fault }) => `das Schema ist kein lesbares JSON: ${fault}`,
  characters: ({ count, limit }) => `das Schema hat ${count} Zeichen; erlaubt sind höchstens ${limit}`,
  schemas: ({ limit }) => `das Schema enthält mehr als ${limit} Schemas`,
  levels: ({ limit }) => `das Schema ist auf mehr als ${limit} Ebenen verschachtelt`,
  references: ({ limit }) => `das Schema enthält mehr als ${limit} Verweise`,
  patterns: 'das Schema hat zu viele oder zu große reguläre Ausdrücke',
  classes: ({ count, limit }) => `das Schema nennt ${count} Zeichenklassen wie \\p{L}; erlaubt sind höchstens ${limit}`,
  circle: 'das Schema führt zu sich selbst zurück, ohne tiefer in das Dokument zu gehen',
  draft: ({ draft }) => `„$schema“ muss „${draft}“ sein oder fehlen`,
  unknown: ({ keyword }) => `„${keyword}“ ist kein bekanntes Schlüsselwort`,
  misspelt: ({ keyword, near }) => `„${keyword}“ ist kein bekanntes Schlüsselwort; meinten Sie „${near}“?`,
  count: ({ keyword }) => `„${keyword}“ muss eine ganze Zahl ab 0 sein`,
  array: ({ keyword }) => `„${keyword}“ muss ein Array sein`,
  names: ({ keyword }) => `„${keyword}“ muss ein Array von Texten sein`,
  repeated: ({ keyword }) => `„${keyword}“ darf nichts zweimal nennen`,
  noSchemas: ({ keyword }) => `„${keyword}“ muss mindestens ein Schema enthalten`,
  object: ({ keyword }) => `„${keyword}“ muss ein Objekt sein`,
  string: ({ keyword }) => `„${keyword}“ muss ein Text sein`,
  boolean: ({ keyword }) => `„${keyword}“ muss true oder false sein`,
  number: ({ keyword }) => `„${keyword}“ muss eine Zahl sein`,
  positive: ({ keyword }) => `„${keyword}“ muss eine Zahl größer als 0 sein`,
  notNegative: ({ keyword }) => `„${keyword}“ muss eine Zahl ab 0 sein`,
  true: ({ keyword }) => `„${keyword}“ muss true sein`,
  server: ({ keyword }) => `„${keyword}“ muss „server“ sein`,
  types: ({ keyword, types: names }) => `„${keyword}“ muss einer dieser Typen sein: ${names}`,
  exponent: ({ keyword }) => `„${keyword}“ hat eine Zahl mit zu großem Exponenten`,
  pattern: ({ keyword, reason }) => `„${keyword}“ wird abgelehnt: ${ofPattern(reason) ?? reason}`,
  uri: ({ keyword }) => `„${keyword}“ ist keine URI-Referenz`,
  fragment: ({ keyword }) => `„${keyword}“ darf kein Fragment haben`,
  sameId: 'ein anderes Schema hat dieselbe „$id“',
  anchor: ({ keyword }) => `„${keyword}“ muss ein Name aus Buchstaben, Ziffern, „.“, „_“ und „-“ sein`,
  sameAnchor: 'ein anderes Schema hat denselben Anker',
  target: ({ keyword }) => `„${keyword}“ führt zu keinem Teil dieses Schemas: Verweise nach außen werden nie geladen`,
  escapable: ({ keyword }) =>
    `„${keyword}“ darf nur unter properties, items, prefixItems, additionalProperties und einem lokalen $ref stehen: Sonst könnte eine Änderung daran vorbeikommen`,
});

const ofWarning = translatorOf(schemaWarningMessages, {
  unknown: ({ name }) => `„${name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts`,
  misspelt: ({ name, near }) => `„${name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts; meinten Sie „${near}“?`,
  refusesNothing: 'das Schema lehnt nichts ab: Jedes Dokument passt',
  wrapped:
    'das Schema steht in einem Objekt mit „mode“ und „schema“ und prüft deshalb nichts: Übernehmen Sie nur den Inhalt von „schema“',
});

const ofFlagFault = translatorOf(flagFaultMessages, {
  notObject: 'es muss ein Objekt sein',
  memberNotObject: ({ name }) => `„${name}“ muss ein Objekt sein`,
  state: '„state“ muss „ENABLED“ oder „DISABLED“ sein',
  defaultVariant: '„defaultVariant“ muss eine der Varianten nennen',
  members: 'ein Objekt mit mehr als einem Eintrag ist keine Regel',
  operator: ({ name }) => `unbekannter Operator ${quoted(name)}`,
  evaluator: ({ name }) => `in $evaluators steht kein ${quoted(name)}`,
  references: ({ count }) => `mehr als ${count} Knoten entstehen durch $ref`,
  levels: 'es ist zu tief verschachtelt oder verweist auf sich selbst',
});

const ofFlag = translatorOf(flagMessages, {
  notObject: '„flags“ muss ein Objekt sein',
  metadata: ({ members: count, characters }) => `„metadata“ hat mehr als ${count} Einträge oder ${characters} Zeichen`,
  allTooSlow:
    'die Flags lassen sich nicht auswerten: Ihre Regeln brauchen zu lange oder zu viel Speicher; vereinfachen Sie sie',
  tooSlow: 'seine Regeln brauchen zu lange oder zu viel Speicher; vereinfachen Sie sie',
  unusable: ({ reason }) => `nicht verwendbar: ${ofFlagFault(reason) ?? reason}`,
  evaluation: ({ reason }) => `seine Regeln lassen sich nicht auswerten: ${reason}`,
  noVariant: ({ name }) => `seine Regeln nennen eine Variante, die es nicht gibt: ${quoted(name)}`,
  mixedTypes: ({ types: names }) => `seine Varianten haben verschiedene Typen: ${names}`,
});

export const texts: ViolationTexts = {
  violation: (message) => ofRule(message) ?? ofSchemaFault(message) ?? message,
  warning: (message) => ofWarning(message) ?? message,
  flag: (message) => ofFlag(message) ?? message,
  isOfSchema: english.isOfSchema,
  missingVariant: english.missingVariant,
};
