/** A minimal browser that keeps cookies and submits the forms of pages. */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Decodes HTML escapes. */
export function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string);
}

/** Returns the action and fields of the first form with an action at `path`. Throws if there is none. */
export function fillIn(page: string, path: string): { action: string; held: Record<string, string> } {
  for (const [, attributes = '', content = ''] of page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const action = unescaped(/ action="([^"]*)"/.exec(attributes)?.[1] ?? '');
    if (new URL(action, 'http://localhost').pathname !== path) continue;
    const held = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, unescaped(value)],
    );
    return { action, held: Object.fromEntries(held) as Record<string, string> };
  }
  throw new Error(`the page has no form that leads to ${path}`);
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string | null;
}

export interface FormClient {
  readonly cookies: Map<string, string>;
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<PageAnswer>;
  /** Submits the form of a page with an action at `path`: its own fields, and those filled in. */
  send(page: PageAnswer, path: string, fields: Readonly<Record<string, string>>): Promise<PageAnswer>;
  post(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PageAnswer>;
  /** Like `send`, but in as few bytes as possible. */
  sendPlain(page: PageAnswer, path: string, fields: Readonly<Record<string, string>>): Promise<PageAnswer>;
}

/** Characters with a meaning in forms; all others may be sent unescaped. */
const escaped = (text: string) => text.replace(/[%&+=;\r\n]/g, encodeURIComponent).replaceAll(' ', '+');

/** Returns a client for the server at `baseUrl`, through its node at `node`, and with another `fetch` if given. */
export function createFormClient(baseUrl: string, node = baseUrl, send: typeof fetch = fetch): FormClient {
  const cookies = new Map<string, string>();
  const reach = node.replace('//localhost:', '//127.0.0.1:');
  const exchange = async (url: string, init: RequestInit): Promise<PageAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { Cookie: cookie }), ...(init.headers as Record<string, string>) };
    const target = url.startsWith('/') ? `${reach}${url}` : url.replace(baseUrl, reach);
    const answer = await send(target, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0(?:;|$)/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    };
  };
  const client: FormClient = {
    cookies,
    get: (url, headers = {}) => exchange(url, { headers }),
    post: (url, fields, headers = {}) => exchange(url, { method: 'POST', headers, body: new URLSearchParams(fields) }),
    send(page, path, fields) {
      const { action, held } = fillIn(page.text, path);
      return client.post(action, { ...held, ...fields });
    },
    sendPlain(page, path, fields) {
      const { action, held } = fillIn(page.text, path);
      const body = Object.entries({ ...held, ...fields }).map(([name, value]) => `${name}=${escaped(value)}`);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return exchange(action, { method: 'POST', headers, body: body.join('&') });
    },
  };
  return client;
}

/** A service for sign-up: the address of its pages for a client, and its mails. */
export interface SignUpPlace<Client> {
  authorizeUrl(client: Client | undefined, changes: Readonly<Record<string, string>>, path: string): string;
  mailTo(address: string): Promise<{ readonly code: string | undefined }>;
}

/** Signs up with the forms and the mail. Returns the page that leads to the app. */
export async function signUpByForms<Client>(
  world: SignUpPlace<Client>,
  form: FormClient,
  address: string,
  password: string,
  client?: Client,
): Promise<PageAnswer> {
  const page = await form.get(world.authorizeUrl(client, {}, '/authorize/sign-up'));
  const answer = await form.send(page, '/authorize/sign-up', { email: address, password });
  if (answer.location === null) throw new Error(`the sign-up of ${address} was answered ${answer.status}`);
  const confirmation = await form.get(answer.location);
  const { code = '' } = await world.mailTo(address);
  return form.send(confirmation, '/authorize/confirm', { code });
}
