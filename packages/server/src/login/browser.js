// What the login pages do in addition to plain forms. Without this script every page still works, except for passkeys.
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const page = document.body.dataset;

  // The response to a form takes the address of the previous page, so that reloading and going back do not ask to resend.
  if (page.address) history.replaceState(null, '', page.address);

  // The console starts in the language that was chosen here.
  const language = new URLSearchParams(location.search).get('language');
  try {
    if (language) localStorage.setItem('holdfast.login-language', language);
  } catch {
    // A browser without storage keeps the cookie.
  }

  // A form is sent once, however often it is clicked. A page restored from the history may send again.
  addEventListener('submit', (event) => {
    const form = event.target;
    if ('download' in form.dataset) return; // the page stays
    if ('busy' in form.dataset) {
      event.preventDefault();
      return;
    }
    form.dataset.busy = '';
    one('#status').textContent = page.working;
  });
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    for (const form of all('[data-busy]')) delete form.dataset.busy;
  });

  for (const button of all('[data-reveal]')) {
    const input = document.getElementById(button.dataset.reveal);
    const { show, hide, label } = button.dataset;
    const name = () => {
      button.textContent = input.type === 'password' ? show : hide;
      button.ariaLabel = `${button.textContent}: ${label}`;
    };
    name();
    button.hidden = false;
    button.addEventListener('click', () => {
      input.type = input.type === 'password' ? 'text' : 'password';
      name();
    });
    // Password managers look for a field of type password.
    input.form.addEventListener('submit', () => {
      input.type = 'password';
    });
  }

  const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=+$/, '');
  const withIds = (list) => (list ?? []).map((item) => ({ ...item, id: toBytes(item.id) }));

  function creationOptions(json) {
    if (PublicKeyCredential.parseCreationOptionsFromJSON) return PublicKeyCredential.parseCreationOptionsFromJSON(json);
    return {
      ...json,
      challenge: toBytes(json.challenge),
      user: { ...json.user, id: toBytes(json.user.id) },
      excludeCredentials: withIds(json.excludeCredentials),
    };
  }

  function requestOptions(json) {
    if (PublicKeyCredential.parseRequestOptionsFromJSON) return PublicKeyCredential.parseRequestOptionsFromJSON(json);
    return { ...json, challenge: toBytes(json.challenge), allowCredentials: withIds(json.allowCredentials) };
  }

  function credentialJson(credential) {
    if (credential.toJSON) return JSON.stringify(credential);
    const { response } = credential;
    const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
    const parts = names.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
    return JSON.stringify({
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: { ...Object.fromEntries(parts), transports: response.getTransports?.() },
    });
  }

  function send(form, credential) {
    form.elements.credential.value = credentialJson(credential);
    form.requestSubmit();
  }

  function say(text) {
    const notice = one('#passkey-notice');
    notice.hidden = false;
    const line = document.createElement('p');
    line.textContent = text;
    notice.replaceChildren(line);
    return notice;
  }

  const startAgain = () => location.assign(location.pathname + location.search);

  function sayLate({ late, again }) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    button.textContent = again;
    button.addEventListener('click', startAgain);
    say(late).append(button);
  }

  // A challenge is valid once, and as long as its options say. A page may be open for longer, or be restored from the history.
  let askedAt = Date.now();
  addEventListener('pageshow', (event) => {
    if (event.persisted) askedAt = Number.NEGATIVE_INFINITY;
  });
  const isOlder = (form, share) => Date.now() - askedAt > JSON.parse(form.dataset.options).timeout * share;

  // Requests the page again, and takes over its challenge and fields. Rejects if that page has no such form.
  async function renew(form) {
    const answer = await fetch(location.pathname + location.search, { cache: 'no-store' });
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(form.id);
    form.dataset.options = fresh.dataset.options;
    for (const { name, value } of all('input', fresh)) form.elements[name].value = value;
    askedAt = Date.now();
  }

  // Has a passkey answer a challenge that is valid long enough to find the key, and sends the response. False: the user may try again.
  async function usePasskey(form, use) {
    try {
      if (isOlder(form, 0.5)) await renew(form);
    } catch {
      sayLate(form.dataset);
      return true;
    }
    try {
      send(form, await use(JSON.parse(form.dataset.options)));
      return true;
    } catch {
      say(form.dataset.failed);
      return false;
    }
  }

  // Times are sent in UTC.
  for (const each of all('time')) {
    const options = { dateStyle: 'medium', timeStyle: 'short' };
    each.textContent = new Intl.DateTimeFormat(document.documentElement.lang, options).format(new Date(each.dateTime));
  }

  const canUsePasskeys = typeof PublicKeyCredential === 'function' && Boolean(navigator.credentials);

  const signIn = one('#passkey');
  if (signIn && canUsePasskeys) {
    const get = (options) => navigator.credentials.get({ publicKey: requestOptions(options) });
    let waiting = new AbortController();
    const offerInField = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
      try {
        const { signal } = waiting;
        const publicKey = requestOptions(JSON.parse(signIn.dataset.options));
        const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey, signal });
        // The request may have waited until its challenge expired.
        if (isOlder(signIn, 0.9)) await usePasskey(signIn, get);
        else send(signIn, credential);
      } catch {
        // No passkey was chosen, or the button was used.
      }
    };
    signIn.hidden = false;
    one('#passkey-button').addEventListener('click', async () => {
      waiting.abort();
      waiting = new AbortController();
      const isDone = await usePasskey(signIn, get);
      if (!isDone && !('asks' in signIn.dataset)) offerInField();
    });
    if (!('asks' in signIn.dataset)) offerInField();
  }

  const add = one('#passkey-add');
  if (add && canUsePasskeys) {
    add.hidden = false;
    const create = (options) => navigator.credentials.create({ publicKey: creationOptions(options) });
    one('#passkey-add-button').addEventListener('click', () => usePasskey(add, create));
  }

  const continueForm = one('#continue-form');
  if (!continueForm) return;
  const submit = () => continueForm.submit();
  const offer = one('#offer');
  const skipped = 'holdfast-passkey-skipped';
  const remembers = (write) => {
    try {
      if (write) localStorage.setItem(skipped, write);
      return localStorage.getItem(skipped);
    } catch {
      return 'yes'; // a browser that stores nothing would be asked every time
    }
  };

  async function isWorthOffering() {
    if (!offer || !canUsePasskeys) return false;
    return !remembers() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
  }

  isWorthOffering().then((isWorth) => {
    if (!isWorth) return submit();
    one('#signed-in').hidden = true;
    offer.hidden = false;
    document.title = offer.dataset.title;
    const heading = one('#offer h1');
    heading.tabIndex = -1;
    heading.focus();
    // The proof of the sign-in lasts five minutes. The offer will be repeated.
    setTimeout(submit, 240_000);
    one('#offer-skip').addEventListener('click', () => {
      remembers('yes');
      submit();
    });
    one('#offer-accept').addEventListener('click', async () => {
      try {
        const publicKey = creationOptions(JSON.parse(offer.dataset.options));
        send(one('#offer-form'), await navigator.credentials.create({ publicKey }));
      } catch {
        say(offer.dataset.failed);
      }
    });
  }, submit);
})();
