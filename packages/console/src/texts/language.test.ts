import { beforeEach, expect, it, vi } from 'vitest';

type LanguageModule = typeof import('./language.ts');

let language: LanguageModule;
const page = { lang: '', dataset: {} };

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: page });
  vi.stubGlobal('localStorage', undefined);
  vi.stubGlobal('navigator', { language: 'en-US' });
  vi.resetModules();
  language = await import('./language.ts');
});

/** A subject that is loaded in a language once `finish` has its name, with the languages asked for. */
function slowSubject(name: string) {
  const asked = new Set<string>();
  const gates = { en: Promise.withResolvers<void>(), de: Promise.withResolvers<void>() };
  const load = (wanted: 'en' | 'de') => async () => {
    asked.add(wanted);
    await gates[wanted].promise;
    return { texts: `${name} ${wanted}` };
  };
  const finish = (wanted: 'en' | 'de') => gates[wanted].resolve();
  return { subject: language.subject({ en: load('en'), de: load('de') }), asked, finish };
}

const quickSubject = (name: string) =>
  language.subject({ en: async () => ({ texts: `${name} en` }), de: async () => ({ texts: `${name} de` }) });

it('loads only the texts of the current language, and only subjects that are read', async () => {
  const { subject, asked, finish } = slowSubject('flags');
  expect([...asked]).toEqual([]);
  language.readerOf(subject);
  finish('en');
  await language.textsLoaded();
  expect([...asked]).toEqual(['en']);
});

it('refuses to read texts before they are loaded', async () => {
  const { subject, finish } = slowSubject('flags');
  const now = language.readerOf(subject);
  expect(now).toThrow('before they are loaded');
  finish('en');
  await language.textsLoaded();
  expect(now()).toBe('flags en');
});

it('shows modules once the texts that they read are loaded', async () => {
  const { subject, finish } = slowSubject('flags');
  const shown = vi.fn();
  const showing = language.withTexts(Promise.resolve().then(() => ({ now: language.readerOf(subject) }))).then(shown);
  await new Promise(setImmediate);
  expect(shown).not.toHaveBeenCalled();
  finish('en');
  await showing;
  expect(shown.mock.calls[0]?.[0].now()).toBe('flags en');
});

it('waits for no subject whose first reader comes later', async () => {
  const first = slowSubject('flags');
  const now = language.readerOf(first.subject);
  const loaded = language.textsLoaded();
  language.readerOf(slowSubject('players').subject);
  first.finish('en');
  await loaded;
  expect(now()).toBe('flags en');
});

it('changes the language of all subjects at once, when the last one is loaded', async () => {
  const { subject, finish } = slowSubject('flags');
  const nows = [language.readerOf(subject), language.readerOf(quickSubject('players'))];
  finish('en');
  await language.textsLoaded();
  const changed = vi.fn();
  language.onAppearance(changed);
  const setting = language.setLanguage('de');
  await Promise.resolve();
  expect(nows.map((now) => now())).toEqual(['flags en', 'players en']);
  expect(changed).not.toHaveBeenCalled();
  finish('de');
  await setting;
  expect(nows.map((now) => now())).toEqual(['flags de', 'players de']);
  expect(changed).toHaveBeenCalledOnce();
  expect(page.lang).toBe('de');
});

it('changes the language of subjects whose first reader comes during the change', async () => {
  const { subject, finish } = slowSubject('flags');
  language.readerOf(subject);
  finish('en');
  await language.textsLoaded();
  const setting = language.setLanguage('de');
  const late = language.readerOf(quickSubject('players'));
  finish('de');
  await setting;
  expect(late()).toBe('players de');
});

it('keeps the language if a subject cannot be loaded in the next one, and tries again when asked to', async () => {
  let isOffline = true;
  const now = language.readerOf(
    language.subject({
      en: async () => ({ texts: 'en' }),
      de: async () => {
        if (isOffline) throw new Error('no network');
        return { texts: 'de' };
      },
    }),
  );
  await language.textsLoaded();
  await language.setLanguage('de');
  expect([language.languageNow(), now()]).toEqual(['en', 'en']);
  isOffline = false;
  await language.setLanguage('de');
  expect([language.languageNow(), now()]).toEqual(['de', 'de']);
});
