/** What Schemathesis prints about failures, read back; and which of them are none. */

export interface ForeignFailure {
  /** The operation, what is wrong, the response, and a command that repeats the request. */
  readonly text: string;
  /** The rule that the description cannot state, where it is that. */
  readonly explanation?: string | undefined;
}

/** ST201: what the description forbids was taken. ST202: what it allows was not. */
const explanations: readonly { readonly code: string; readonly says: RegExp; readonly because: string }[] = [
  { code: 'ST202', says: /^\[412\]/m, because: 'precondition' },
  { code: 'ST202', says: /a write needs the header If-Match/, because: 'one of two headers' },
  { code: 'ST202', says: /cannot apply operation/, because: 'patch of another document' },
  { code: 'ST202', says: /not a cursor of this list/, because: 'cursor' },
  { code: 'ST202', says: /must be in the future/, because: 'expiry' },
  { code: 'ST202', says: /logoData\\" is not image/, because: 'logo' },
  { code: 'ST202', says: /has no valid host/, because: 'host of a redirect URI' },
  { code: 'ST202', says: /is missing; [\w.-]+ needs it|the P-256 key/, because: 'secret of a provider' },
  { code: 'ST202', says: /^\[402\]/m, because: 'quota' },
  {
    code: 'ST202',
    says: /is not registered for the client|application is not known|invalid_grant|invalid_client/,
    because: 'not registered',
  },
  { code: 'ST201', says: /If-Match and If-None-Match exclude each other/, because: 'both headers' },
  // The tool takes the quotes off a header that it sends, and puts the configured value in the place of one that it made wrong.
  { code: 'ST202', says: /header If-Match must be one quoted version/, because: 'quotes lost by the tool' },
  { code: 'ST201', says: /Invalid component: parameter `(?:accountId|slug|env)`/, because: 'parameter set by the tool' },
];

export interface ToolError {
  readonly title: string;
  readonly count: number;
}

/** What kept the tool from trying something. A fault in itself is none of ours; one of the network may be. */
export function errorOfTool({ title, count }: ToolError): ForeignFailure {
  const text = `schemathesis: ${title}, ${count} times`;
  return { text, explanation: title === 'Runtime Error' ? 'fault of the tool' : undefined };
}

/** The failures in the output of a run. Those of one code and one explanation are told apart by their operation. */
export function readFailures(output: string): ForeignFailure[] {
  const [, report = ''] = output.split(/^=+ FAILURES =+$/m);
  const sections = report.split(/^=+ [A-Z][A-Za-z ]+ =+$/m)[0] ?? '';
  return sections.split(/^_+ (?=[A-Z]+ \/)/m).flatMap((section) => {
    const [head = '', ...rest] = section.split('\n');
    const operation = /^([A-Z]+ \S+) _+$/.exec(head)?.[1];
    if (operation === undefined) return [];
    return rest
      .join('\n')
      .split(/^\d+\. Test Case ID: .*$/m)
      .filter((item) => item.includes('- ST'))
      .map((item) => failureOf(operation, item));
  });
}

function failureOf(operation: string, item: string): ForeignFailure {
  const codes = [...item.matchAll(/^- (ST\d+)/gm)].map(([, code]) => code);
  const found = codes.map((code) => explanations.find((one) => one.code === code && one.says.test(item)));
  const text = `${operation}: ${item.replaceAll(/\s*\n\s*/g, ' ').trim()}`.slice(0, 1_500);
  return { text, explanation: found.every((one) => one !== undefined) ? found[0]?.because : undefined };
}
