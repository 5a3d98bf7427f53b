/** Violations of a schema, faults of schemas and of flags in German. */
import {
  flagFaultMessages,
  flagMessages,
  patternFaultMessages,
  schemaFaultMessages,
  schemaWarningMessages,
} from '@holdfast/contract/messages';
import { translatorOf } from './message-patterns.ts';
import { texts as english, ruleMessages, type TypeNames, typesIn, type ViolationTexts } from './violations-en.ts';

const types: TypeNames = {
  null: 'leer (null)',
  boolean: 'true oder false',
  object: 'eine Gruppe von Feldern',
  array: 'eine Liste',
  number: 'eine Zahl',
  string: 'ein Text',
  integer: 'eine ganze Zahl',
};

/** German quotation marks around the JSON strings in a text. */
const quoted = (text: string): string => text.replaceAll(/"((?:[^"\\]|\\.)*)"/gs, '„$1“');

const counted = (count: string, one: string, many: string): string => `${count} ${count === '1' ? one : many}`;
const entries = (count: string): string => counted(count, 'Eintrag', 'Einträge');
const fields = (count: string): string => counted(count, 'Feld', 'Felder');

const ofRule = translatorOf(ruleMessages, {
  type: ({ types: names }) => {
    const found = typesIn(names, types, ' oder ');
    return found && `muss ${found} sein`;
  },
  enum: 'muss einer der erlaubten Werte sein',
  const: 'muss der einzige erlaubte Wert sein',
  multipleOf: ({ step }) => `muss ein Vielfaches von ${step} sein`,
  maximum: ({ limit }) => `darf höchstens ${limit} sein`,
  exclusiveMaximum: ({ limit }) => `muss kleiner als ${limit} sein`,
  minimum: ({ limit }) => `muss mindestens ${limit} sein`,
  exclusiveMinimum: ({ limit }) => `muss größer als ${limit} sein`,
  maxLength: ({ limit }) => `darf höchstens ${limit} Zeichen haben`,
  minLength: ({ limit }) => `muss mindestens ${limit} Zeichen haben`,
  pattern: 'muss zum Muster passen',
  maxItems: ({ limit }) => `darf höchstens ${entries(limit)} haben`,
  minItems: ({ limit }) => `muss mindestens ${entries(limit)} haben`,
  uniqueItems: 'darf keinen Eintrag zweimal enthalten',
  maxProperties: ({ limit }) => `darf höchstens ${fields(limit)} haben`,
  minProperties: ({ limit }) => `muss mindestens ${fields(limit)} haben`,
  member: ({ member }) => `muss ${quoted(member)} enthalten`,
  contains: ({ least }) =>
    `muss mindestens ${counted(least, 'Eintrag haben, der zu „contains“ passt', 'Einträge haben, die zu „contains“ passen')}`,
  containsUpTo: ({ least, most }) => `muss ${least} bis ${most} Einträge haben, die zu „contains“ passen`,
  anyOf: 'muss zu mindestens einem Schema von „anyOf“ passen',
  oneOf: ({ fitting }) => `muss zu genau einem Schema von „oneOf“ passen, nicht zu ${fitting}`,
  not: 'darf nicht zum Schema von „not“ passen',
  false: 'ist hier nicht erlaubt',
  'x-write': 'darf nur von Servern geändert werden',
  'x-increase-max': ({ step }) => `darf pro Änderung um höchstens ${step} steigen`,
  'x-decrease-max': ({ step }) => `darf pro Änderung um höchstens ${step} sinken`,
  numberForEver: 'muss eine Zahl sein und bleiben',
  'x-append-only': 'muss alle Einträge behalten; neue dürfen nur am Ende hinzukommen',
  budget: 'ist zu groß oder zu komplex, um anhand der Regeln geprüft zu werden',
  exactlyOne: 'muss zu genau einem Schema von „oneOf“ passen',
});

const ofPattern = translatorOf(patternFaultMessages, {
  characters: ({ count, limit }) => `das Muster hat ${count} Zeichen; erlaubt sind höchstens ${limit}`,
  instructions: ({ count, limit }) => `das Muster ergibt ${count} Anweisungen; erlaubt sind höchstens ${limit}`,
  syntax: 'das Muster ist kein gültiger regulärer Ausdruck (ECMA-262 mit dem Flag „u“)',
  notLinear:
    'das Muster verwendet etwas, das unbekannt ist oder mehr als lineare Zeit brauchen kann, etwa einen Rückverweis oder ein Lookaround',
});

const ofSchemaFault = translatorOf(schemaFaultMessages, {
  notSchema: 'ein Schema muss ein Objekt oder true oder false sein',
  notJson: ({ fault }) => `das Schema ist kein gültiges JSON: ${fault}`,
  characters: ({ count, limit }) => `das Schema hat ${count} Zeichen; erlaubt sind höchstens ${limit}`,
  schemas: ({ limit }) => `das Schema enthält mehr als ${limit} Schemas`,
  levels: ({ limit }) => `das Schema ist mehr als ${limit} Ebenen tief verschachtelt`,
  references: ({ limit }) => `das Schema enthält mehr als ${limit} Verweise`,
  patterns: 'das Schema hat zu viele oder zu große reguläre Ausdrücke',
  classes: ({ count, limit }) => `das Schema verwendet ${count} Zeichenklassen wie \\p{L}; erlaubt sind höchstens ${limit}`,
  circle: 'das Schema verweist auf sich selbst, ohne tiefer in das Dokument zu führen',
  draft: ({ draft }) => `„$schema“ muss „${draft}“ sein oder fehlen`,
  unknown: ({ keyword }) => `„${keyword}“ ist kein bekanntes Schlüsselwort`,
  misspelt: ({ keyword, near }) => `„${keyword}“ ist kein bekanntes Schlüsselwort; meinten Sie „${near}“?`,
  count: ({ keyword }) => `„${keyword}“ muss eine ganze Zahl ab 0 sein`,
  array: ({ keyword }) => `„${keyword}“ muss eine Liste in [ ] sein`,
  names: ({ keyword }) => `„${keyword}“ muss eine Liste von Texten sein`,
  repeated: ({ keyword }) => `„${keyword}“ darf nichts doppelt enthalten`,
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
  exponent: ({ keyword }) => `„${keyword}“ enthält eine Zahl mit zu großem Exponenten`,
  pattern: ({ keyword, reason }) => `„${keyword}“ wird abgelehnt: ${ofPattern(reason) ?? reason}`,
  uri: ({ keyword }) => `„${keyword}“ ist keine URI-Referenz`,
  fragment: ({ keyword }) => `„${keyword}“ darf kein Fragment haben`,
  sameId: 'ein anderes Schema hat dieselbe „$id“',
  anchor: ({ keyword }) => `„${keyword}“ muss ein Name aus Buchstaben, Ziffern, „.“, „_“ und „-“ sein`,
  sameAnchor: 'ein anderes Schema hat denselben Anker',
  target: ({ keyword }) => `„${keyword}“ führt zu keinem Teil dieses Schemas: Verweise nach außen werden nie geladen`,
  escapable: ({ keyword }) =>
    `„${keyword}“ darf nur unter properties, items, prefixItems, additionalProperties und einem lokalen $ref stehen: Sonst ließe es sich umgehen`,
});

const ofWarning = translatorOf(schemaWarningMessages, {
  unknown: ({ name }) => `„${name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts`,
  misspelt: ({ name, near }) => `„${name}“ ist kein Schlüsselwort von JSON Schema und prüft nichts; meinten Sie „${near}“?`,
  refusesNothing: 'das Schema lehnt nichts ab: Jedes Dokument passt',
  wrapped:
    'das Schema steht in einem Objekt mit „mode“ und „schema“ und prüft deshalb nichts: Verwenden Sie nur den Inhalt von „schema“',
});

const ofFlagFault = translatorOf(flagFaultMessages, {
  notObject: 'es muss ein Objekt sein',
  memberNotObject: ({ name }) => `„${name}“ muss ein Objekt sein`,
  state: '„state“ muss „ENABLED“ oder „DISABLED“ sein',
  defaultVariant: '„defaultVariant“ muss eine der Varianten nennen',
  members: 'eine Regel darf nicht mehr als einen Eintrag haben',
  operator: ({ name }) => `unbekannter Operator ${quoted(name)}`,
  evaluator: ({ name }) => `in $evaluators fehlt ${quoted(name)}`,
  references: ({ count }) => `durch $ref kommen mehr als ${count} Knoten hinzu`,
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
