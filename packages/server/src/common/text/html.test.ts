import { expect, it } from 'vitest';
import { html } from './html.ts';

it('a value in a template is escaped, in elements and attributes', () => {
  const hostile = `"><script>alert('&')</script>`;
  expect(html`<a title="${hostile}">${hostile}</a>`.text).toBe(`<a title="${escaped}">${escaped}</a>`);
});
const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';

it('HTML within HTML is kept, lists are joined, and false and undefined print nothing', () => {
  expect(html`${[html`<b>1</b>`, '<', 2]}${false}${undefined}`.text).toBe('<b>1</b>&lt;2');
});
