/** The types of settings: which texts each accepts, and the value of a text. */

import { type BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { isLoopback } from '../common/net/loopback.ts';
import { addressesIn, isNetwork } from '../common/net/networks.ts';
import { quoted } from '../common/text/quoted.ts';
import { redirectUriFault } from '../common/text/redirect-uri.ts';
import { parseSecretKey, SecretFault } from '../secrets/secret-key.ts';

/** A value, or the fault of the text: an ending of "SVC_PORT …". */
export type Parsed<Value> = { readonly value: Value } | { readonly fault: string };

export interface ValueType<Value> {
  /** For people. */
  readonly name: string;
  readonly parse: (text: string) => Parsed<Value>;
}

/** Any text. */
export const plainText: ValueType<string> = { name: 'text', parse: (value) => ({ value }) };

/** A folder; a relative one starts from the working directory. */
export const folder: ValueType<string> = { name: 'path', parse: (text) => ({ value: resolve(text) }) };

/** An IP address without brackets, or a host name. */
export const host: ValueType<string> = {
  name: 'host',
  parse: (text) =>
    isIP(text) || /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
      ? { value: text }
      : { fault: `is ${quoted(text)}, which is not an IP address or a host name` },
};

/** A whole number within bounds; `name` says what it counts. */
export function wholeNumber(name: string, min: number, max: number): ValueType<number> {
  return {
    name,
    parse(text) {
      const value = Number(text);
      if (/^[0-9]{1,15}$/.test(text) && value >= min && value <= max) return { value };
      return { fault: `is ${quoted(text)}, which is not a whole number from ${min} to ${max}` };
    },
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ValueType<Word> {
  return {
    name: words.join(' | '),
    parse(text) {
      const value = words.find((word) => word === text);
      return value ? { value } : { fault: `is ${quoted(text)}, which is not one of ${words.join(', ')}` };
    },
  };
}

/** An absolute http(s) URL to which paths are appended; a slash at its end is dropped. */
export const webUrl: ValueType<string> = {
  name: 'URL',
  parse(text) {
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(text)) {
      return { fault: 'is not an http or https URL without credentials, query and fragment' };
    }
    return { value: url.href.replace(/\/+$/, '') };
  },
};

/** The address of a page for people. */
export const linkUrl: ValueType<string> = {
  name: 'URL',
  parse(text) {
    const url = parseUrl(text);
    const isLink = url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password;
    return isLink ? { value: url.href } : { fault: 'is not an http or https URL without credentials' };
  },
};

/** The issuer of an OpenID provider, kept character for character, since tokens repeat it that way. */
export const issuerUrl: ValueType<string> = {
  name: 'URL',
  parse(text) {
    const url = parseUrl(text);
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    return isSafe && !/[?#]/.test(text)
      ? { value: text }
      : { fault: `is ${quoted(text)}, which is not an https URL (http on loopback only) without query and fragment` };
  },
};

/** The address of a PostgreSQL database. It may contain a password, so no fault shows it. */
export const postgresUrl: ValueType<string> = {
  name: 'URL',
  parse: (text) =>
    parseUrl(text.replace(/,[^/?]*/, '')) && /^postgres(?:ql)?:\/\//.test(text)
      ? { value: text }
      : { fault: 'is not a URL of the form postgres://user:password@host:5432/database' },
};

/** The address of an SMTP server. It may contain a password, so no fault shows it. */
export const smtpUrl: ValueType<string> = {
  name: 'URL',
  parse(text) {
    const url = parseUrl(text);
    const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
    return isSmtp ? { value: text } : { fault: 'is not a URL of the form smtp://user:password@host:587, or smtps://…' };
  },
};

/** The sender of mails: `ada@example.com`, or `Ada <ada@example.com>`. */
export const mailSender: ValueType<string> = {
  name: 'sender',
  parse: (text) =>
    /^(?:[^<>@\p{C}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u.test(text)
      ? { value: text }
      : { fault: `is ${quoted(text)}, which is not an address, or a name and an address in angle brackets` },
};

/** A path into nested objects, such as `firebase.tenant`. */
export const dottedPath: ValueType<string> = {
  name: 'dotted path',
  parse: (text) =>
    text.split('.').every((part) => part !== '')
      ? { value: text }
      : { fault: `is ${quoted(text)}, which has an empty part` },
};

const ownParameters = /^(?:client_|code_|redirect_uri|response_|request|state$|nonce$|ui_locales$)/;

/** A parameter of an authorization request that the request does not itself need. */
export const requestParameter: ValueType<string> = {
  name: 'parameter',
  parse: (text) =>
    /^[a-z][a-z0-9_]{0,63}$/.test(text) && !ownParameters.test(text)
      ? { value: text }
      : { fault: `is ${quoted(text)}, which is not a free parameter of an authorization request` },
};

/** 32 bytes in base64. No fault shows the text. */
export const secretKey: ValueType<Uint8Array> = {
  name: '32 bytes, base64',
  parse(text) {
    try {
      return { value: parseSecretKey(text, 'it') };
    } catch (error) {
      if (error instanceof SecretFault)
        return { fault: 'is not 32 bytes in base64; `openssl rand -base64 32` makes such a key' };
      throw error;
    }
  },
};

/** A comma-separated list; blanks around items are dropped. */
function list<Item>(name: string, parseItem: (text: string) => Parsed<Item>): ValueType<readonly Item[]> {
  return {
    name,
    parse(text) {
      const items: Item[] = [];
      for (const part of text.split(',').map((item) => item.trim())) {
        if (part === '') continue;
        const item = parseItem(part);
        if ('fault' in item) return item;
        items.push(item.value);
      }
      return { value: items };
    },
  };
}

/** Redirect URIs as a project may register them. */
export const redirectUris: ValueType<readonly string[]> = list('list of URIs', (value) => {
  const fault = redirectUriFault(value);
  return fault === undefined ? { value } : { fault: `lists ${quoted(value)}, which ${fault}` };
});

/** Origins as browsers send them; `*` among them means any. */
export const origins: ValueType<readonly string[]> = list('list of origins', (value) =>
  value === '*' || parseUrl(value)?.origin === value
    ? { value }
    : { fault: `lists ${quoted(value)}, which is not an origin such as https://app.example` },
);

const networkList = list('', (text) =>
  isNetwork(text)
    ? { value: text }
    : { fault: `lists ${quoted(text)}, which is not an IP address or a range such as 10.0.0.0/8` },
);

/** IP addresses and ranges (CIDR). */
export const networks: ValueType<BlockList> = {
  name: 'list of addresses and CIDRs',
  parse(text) {
    const parsed = networkList.parse(text);
    return 'fault' in parsed ? parsed : { value: addressesIn(parsed.value) };
  },
};

function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}
