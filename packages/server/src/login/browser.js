// What the login pages do beyond plain forms. Without it every page still works, passkeys apart.
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const page = document.body.dataset;

  // An answer to a form takes the address of the page before it, so that reloading and going back ask nothing again.
  if (page.address) history.replaceState(null, '', page.address);

  // A form is sent once, however often it is clicked; a page that comes back from the history starts afresh.
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
    // Password managers look for a field of the type password.
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
    notice.textContent = '';
    const line = document.createElement('p');
    line.textContent = text;
    notice.append(line);
  }

  // Times come in UTC.
  for (const each of all('time')) {
    const options = { dateStyle: 'medium', timeStyle: 'short' };
    each.textContent = new Intl.DateTimeFormat(document.documentElement.lang, options).format(new Date(each.dateTime));
  }

  const canUsePasskeys = typeof PublicKeyCredential === 'function' && Boolean(navigator.credentials);

  const signIn = one('#passkey');
  if (signIn && canUsePasskeys) {
    const publicKey = () => requestOptions(JSON.parse(signIn.dataset.options));
    let waiting = new AbortController();
    const offerInField = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
      try {
        const { signal } = waiting;
        send(signIn, await navigator.credentials.get({ mediation: 'conditional', publicKey: publicKey(), signal }));
      } catch {
        // Nobody chose one, or the button was taken.
      }
    };
    signIn.hidden = false;
    one('#passkey-button').addEventListener('click', async () => {
      waiting.abort();
      waiting = new AbortController();
      try {
        send(signIn, await navigator.credentials.get({ publicKey: publicKey() }));
      } catch {
        say(signIn.dataset.failed);
        if (!('asks' in signIn.dataset)) offerInField();
      }
    });
    if (!('asks' in signIn.dataset)) offerInField();
  }

  const add = one('#passkey-add');
  if (add && canUsePasskeys) {
    add.hidden = false;
    one('#passkey-add-button').addEventListener('click', async () => {
      try {
        const publicKey = creationOptions(JSON.parse(add.dataset.options));
        send(add, await navigator.credentials.create({ publicKey }));
      } catch {
        say(add.dataset.failed);
      }
    });
  }

  const onwards = one('#onwards');
  if (!onwards) return;
  const goOn = () => onwards.submit();
  const offer = one('#offer');
  const skipped = 'holdfast-passkey-skipped';
  const remembers = (write) => {
    try {
      if (write) localStorage.setItem(skipped, write);
      return localStorage.getItem(skipped);
    } catch {
      return 'yes'; // a browser that remembers nothing would be asked every time
    }
  };

  async function isWorthOffering() {
    if (!offer || !canUsePasskeys) return false;
    return !remembers() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
  }

  isWorthOffering().then((isWorth) => {
    if (!isWorth) return goOn();
    one('#signed-in').hidden = true;
    offer.hidden = false;
    document.title = offer.dataset.title;
    const heading = one('#offer h1');
    heading.tabIndex = -1;
    heading.focus();
    // The proof of the sign-in lasts five minutes; the offer will come again.
    setTimeout(goOn, 240_000);
    one('#offer-skip').addEventListener('click', () => {
      remembers('yes');
      goOn();
    });
    one('#offer-accept').addEventListener('click', async () => {
      try {
        const publicKey = creationOptions(JSON.parse(offer.dataset.options));
        send(one('#offer-form'), await navigator.credentials.create({ publicKey }));
      } catch {
        say(offer.dataset.failed);
      }
    });
  }, goOn);
})();
