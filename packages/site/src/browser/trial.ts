/** Sends requests of the reference to the service, as the developer signed in to the console. */
import { authorizedFetch, session } from '@holdfast/console/session';
import { button } from './button.ts';

export interface Trial {
  /** Adds an operation's form below its example. */
  addTo(block: HTMLElement): void;
}

/** Most characters shown of a response. */
const shownCharactersMax = 20_000;
const lateAnswerMs = 1_000;

/** Finds the console's session, in this tab or another one, and fills its ids into every example on the page. */
export async function openTrial(service: string): Promise<Trial> {
  await session.ready;
  if (session.state.kind !== 'signed_in') await lateAnswer();
  const { state } = session;
  const accountId = state.kind === 'signed_in' ? state.accountId : undefined;
  const project = accountId === undefined ? undefined : await firstProject(service, accountId);
  if (accountId !== undefined) fillIn(accountId, project);
  const known: Record<string, string | undefined> = {
    accountId,
    slug: project,
    env: 'development',
    envOrEndUserId: 'development',
  };
  return { addTo: (block) => addForm(service, block, known) };
}

/** A busy tab responds late. */
function lateAnswer(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, lateAnswerMs);
    const unsubscribe = session.subscribe(end);
  });
}

async function firstProject(service: string, accountId: string): Promise<string | undefined> {
  const response = await authorizedFetch(`${service}/v1/${accountId}/projects?limit=1`, {});
  if (!response.ok) return undefined;
  const { items } = (await response.json()) as { items: { slug: string }[] };
  return items[0]?.slug;
}

/** Replaces the ids in the examples by those of this account. */
function fillIn(accountId: string, project: string | undefined): void {
  for (const { firstChild } of document.querySelectorAll('.languages pre code')) {
    if (!(firstChild instanceof Text)) continue;
    const text = firstChild.data.replaceAll(/\bacc_[A-Za-z0-9]{22}\b/g, accountId);
    firstChild.data = project === undefined ? text : text.replaceAll(/(\/projects\/)[a-z0-9_-]+/g, `$1${project}`);
  }
}

function addForm(service: string, block: HTMLElement, known: Readonly<Record<string, string | undefined>>): void {
  const { method = 'GET', path = '', body, anyone } = block.dataset;
  const form = document.createElement('form');
  form.className = 'trial';
  if (anyone === undefined && known.accountId === undefined) {
    const hint = document.createElement('p');
    hint.textContent = 'Sign in at the console in another tab, then reload this page.';
    block.after(hint);
    return;
  }
  const fields = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    field(name, document.createElement('input'), known[name] ?? ''),
  );
  const writes = body !== undefined && /^(?:PUT|PATCH)$/.test(method) && path.includes('-state/');
  const precondition = writes ? field('If-Match', document.createElement('input'), '"1"') : undefined;
  const text = body === undefined ? undefined : field('body', document.createElement('textarea'), body);
  const output = document.createElement('pre');
  output.tabIndex = 0;
  output.hidden = true;
  output.setAttribute('aria-label', 'Response');
  output.setAttribute('role', 'status');
  const submit = button(`Send ${method}`, async () => {
    if (!form.reportValidity()) return;
    if (method !== 'GET' && !confirm(`${method} changes the running service. Send it?`)) return;
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    const address = service + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    output.hidden = false;
    output.textContent = 'Sending …';
    output.textContent = await sent(address, {
      method,
      headers: {
        ...(text && { 'Content-Type': 'application/json' }),
        ...(precondition && { 'If-Match': precondition.value }),
      },
      ...(text && { body: text.value }),
      cache: 'no-store',
    });
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const each of [...fields, precondition, text]) if (each?.parentElement) form.append(each.parentElement);
  form.append(submit, output);
  block.after(form);
}

function field<Field extends HTMLInputElement | HTMLTextAreaElement>(name: string, input: Field, value: string): Field {
  const label = document.createElement('label');
  input.name = name;
  input.value = value;
  input.required = true;
  if (input instanceof HTMLTextAreaElement) input.rows = Math.min(12, value.split('\n').length + 1);
  label.append(name, input);
  return input;
}

async function sent(address: string, init: RequestInit): Promise<string> {
  try {
    const response = session.state.kind === 'signed_in' ? await authorizedFetch(address, init) : await fetch(address, init);
    const text = await response.text();
    const tag = response.headers.get('etag');
    const head = `${response.status}${tag === null ? '' : `  ETag: ${tag}`}`;
    const shown = pretty(text);
    return `${head}\n\n${shown.slice(0, shownCharactersMax)}${shown.length > shownCharactersMax ? '\n…' : ''}`;
  } catch (error) {
    return `The request could not be sent: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
