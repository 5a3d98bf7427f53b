/** Elements of the visitor pages. React would take four times as much script as these pages. */

export type Child = Node | string | false | undefined;

/** Returns an element with these attributes and children. Texts are shown literally, never parsed as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

const svg = 'http://www.w3.org/2000/svg';
const icons = {
  mark: ['M16 21V4M16 21C16 14 9 14 9 6M16 21c0-7 7-7 7-15M16 21c-2.5 3-6 2.5-8.5 7M16 21c2.5 3 6 2.5 8.5 7M16 21v7.5'],
  'arrow-right': ['M5 12h14', 'm12 5 7 7-7 7'],
  'triangle-alert': ['m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3', 'M12 9v4', 'M12 17h.01'],
} as const;

/** Returns a decorative picture: the mark of the service, or an icon of the console. */
export function icon(name: keyof typeof icons): SVGElement {
  const made = document.createElementNS(svg, 'svg');
  const isMark = name === 'mark';
  const size = isMark ? 32 : 24;
  const attributes = {
    class: isMark ? 'mark' : 'lucide',
    viewBox: `0 0 ${size} ${size}`,
    width: '24',
    height: '24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': isMark ? '2.25' : '2',
    'stroke-linecap': 'round',
    'stroke-linejoin': isMark ? 'miter' : 'round',
    'aria-hidden': 'true',
  };
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  for (const d of icons[name]) {
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', d);
    made.append(path);
  }
  return made;
}
