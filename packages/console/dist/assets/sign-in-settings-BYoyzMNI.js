import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{F as t,n,t as r}from"./queryOptions-DbXAQhby.js";import{b as i,y as a}from"./frame-DEtlEuQP.js";import{i as o,r as s}from"./authority-D4DpJDvD.js";import{A as c,C as l,p as u,s as d,t as f,x as p}from"./index-D_0KdUUP.js";import{d as m,p as h,u as g}from"./queries-Ec98iJY-.js";import{n as _,t as v}from"./not-allowed-BsmkC034.js";import{A as y,b,h as x,m as S,x as C}from"./app-1RnNN2GK.js";import{r as w}from"./route-params-Y1HOuoGP.js";import{a as T,i as E,r as D}from"./texts-tZx5CYMa.js";import{t as ee}from"./action-Dua9IRFP.js";import{a as O,n as k,o as A,s as te,t as j}from"./controls-BVzAZb9y.js";import{a as ne,i as re,n as ie,r as ae,t as oe}from"./dialog-umbMSGzX.js";import{t as se}from"./loaded-BcmQULD0.js";import{t as ce}from"./save-bar-srRHItG_.js";import"./limits-BuDdXtFn.js";import{n as M}from"./method-names-DLXbjm1I.js";import{t as le}from"./query-key-DO1ZxpQW.js";import{a as ue,n as de,o as fe,r as pe,t as me}from"./sign-in-methods-vwwp9qvV.js";import{t as he}from"./plus-D-y7V00f.js";import{t as ge}from"./createLucideIcon-CSnZhS24.js";import{t as N}from"./drafts-DQVIFF5r.js";var _e={name:`external-link`,size:24,node:[[`path`,{d:`M15 3h6v6`,key:`1q9fwt`}],[`path`,{d:`M10 14 21 3`,key:`gplh6r`}],[`path`,{d:`M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6`,key:`a6xqqp`}]]};_e.node;var ve=ge(_e),P=e(i(),1),F=class{text;constructor(e){this.text=e}};function I(e,...t){return new F(e.reduce((e,n,r)=>e+ye(t[r-1])+n))}function ye(e){return e===void 0||e===!1?``:e instanceof F?e.text:typeof e==`object`?e.map(ye).join(``):xe(String(e))}var be={"&":`&amp;`,"<":`&lt;`,">":`&gt;`,'"':`&quot;`,"'":`&#39;`};function xe(e){return e.replace(/[&<>"']/g,e=>be[e]??e)}var Se={code:(e,t,n=null)=>({subject:n===null?`${t} ist Ihr Code${e===null?``:` für ${e}`}`:`${t} – ${n}`,paragraphs:[`Geben Sie diesen Code auf der Seite ein, auf der Sie sich${e===null?``:` bei ${e}`} registriert haben. Er ist 15 Minuten gültig.`,{code:t},`Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren: Ohne den Code wird kein Konto erstellt.`]}),known:(e,t)=>({subject:`Sie haben bereits ein Konto${e===null?``:` bei ${e}`}`,paragraphs:[`Jemand, vermutlich Sie, wollte sich${e===null?``:` bei ${e}`} mit dieser Adresse registrieren, zu der es bereits ein Konto gibt. Melden Sie sich mit Ihrem Passwort an.`,`Wenn Sie es vergessen haben, wählen Sie hier ein neues. Ihre Passkeys müssen Sie danach eventuell neu einrichten. Der Link ist 30 Minuten gültig.`,{link:t,label:`Neues Passwort wählen`},`Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Konto ist unverändert.`]}),reset:(e,t)=>({subject:`Wählen Sie ein neues Passwort${e===null?``:` für ${e}`}`,paragraphs:[`Wählen Sie auf dieser Seite ein neues Passwort. Der Link ist 30 Minuten gültig und funktioniert nur einmal.`,{link:t,label:`Neues Passwort wählen`},`Mit dem neuen Passwort werden Sie überall abgemeldet. Ohne zweiten Faktor werden auch Ihre Passkeys gelöscht: Richten Sie sie danach neu ein.`,`Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt unverändert.`]}),invitation:({inviter:e,account:t},n)=>({subject:e===null?`Einladung zu ${t??`einem Konto`}`:`${e} lädt Sie zu ${t??`einem Konto`} ein`,paragraphs:[`${e===null?`Sie wurden eingeladen`:`„${e}“ lädt Sie ein`}, ${t===null?`einem Konto`:`dem Konto „${t}“`} beizutreten.`,`Diese Seite zeigt vor der Anmeldung, wer Sie eingeladen hat und welche Rolle Sie erhalten. Der Link ist 7 Tage gültig und funktioniert nur einmal.`,{link:n,label:`Einladung annehmen`},`Wenn Sie nicht wissen, wer Sie eingeladen hat, können Sie diese E-Mail ignorieren: Die Einladung läuft ab.`]})},Ce={code:(e,t,n=null)=>({subject:n===null?`${t} is your code${e===null?``:` for ${e}`}`:`${t} – ${n}`,paragraphs:[`Enter this code on the page where you signed up${e===null?``:` for ${e}`}. It works for 15 minutes.`,{code:t},`If you did not sign up, you can ignore this email: without the code, no account is created.`]}),known:(e,t)=>({subject:`You already have an account${e===null?``:` with ${e}`}`,paragraphs:[`Somebody, probably you, tried to sign up${e===null?``:` for ${e}`} with this address, which already has an account. Sign in with your password.`,`If you have forgotten it, choose a new one here. You may then have to set up your passkeys again. The link expires after 30 minutes.`,{link:t,label:`Choose a new password`},`If it was not you, you can ignore this email: your account has not changed.`]}),reset:(e,t)=>({subject:`Choose a new password${e===null?``:` for ${e}`}`,paragraphs:[`Choose a new password on this page. The link works only once and expires after 30 minutes.`,{link:t,label:`Choose a new password`},`A new password signs you out everywhere. Unless you have a second factor, your passkeys are deleted too: set them up again afterwards.`,`If you did not ask for this, you can ignore this email: your password has not changed.`]}),invitation:({inviter:e,account:t},n)=>({subject:`${e===null?`You are invited`:`${e} invited you`} to ${t??`an account`}`,paragraphs:[`${e===null?`You are invited`:`“${e}” invited you`} to join ${t===null?`an account`:`the account “${t}”`}.`,`Before you sign in, this page shows who invited you and which role you will have. The link works only once and expires after 7 days.`,{link:n,label:`Accept the invitation`},`If you do not know who invited you, you can ignore this email: the invitation will expire.`]})},we=`logo`,Te={name:`Holdfast`,colours:{background:`#f4f1e8`,surface:`#fffdf8`,text:`#16201f`,muted:`#5a6663`,hairline:`#ddd8cb`,primary:`#0d5b53`,onPrimary:`#ffffff`},logo:null,texts:null},Ee={de:Se,en:Ce};function De(e,t,n,r=Te){let i=n(Ee[e]),{greeting:a=null,footer:o=null}=r.texts??{},s=L(i.subject),c=[...a===null?[]:[a],...i.paragraphs].map(e=>typeof e==`string`?L(e):e),l=o===null?[]:o.split(`
`).map(L);return{to:t,subject:s,text:`${[...c.map(Oe),...l.length>0?[l.join(`
`)]:[]].join(`

`)}\n`,html:ke(e,s,c,l,r),...r.logo!==null&&{logo:r.logo}}}var L=e=>e.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu,` `);function Oe(e){return typeof e==`string`?e:`code`in e?`    ${e.code}`:e.link}function ke(e,t,n,r,{name:i,colours:a,logo:o}){let{background:s,surface:c,text:l,muted:u,hairline:d}=a,f=L(i),p=o===null?I`<b style="font-size:20px">${f}</b>`:I`<img src="cid:${we}" alt="${f}" height="48" style="display:block;max-width:240px;height:48px;border:0">`,m=r.length>0&&I`<tr><td style="padding:16px 32px 24px;border-top:1px solid ${d};font-size:13px;color:${u}">${r.map(e=>I`${e}<br>`)}</td></tr>`;return I`<!doctype html>
<html lang="${e}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${t}</title></head>
<body style="margin:0;background:${s}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:${s}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:544px;background:${c};border:1px solid ${d};border-radius:12px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:${l}">
<tr><td style="padding:28px 32px 0">${p}</td></tr>
<tr><td style="padding:12px 32px 20px">${n.map(e=>Ae(e,a))}</td></tr>
${m}
</table>
</td></tr></table>
</body></html>
`.text}function Ae(e,{primary:t,onPrimary:n,hairline:r,muted:i}){if(typeof e==`string`)return I`<p style="margin:0 0 16px">${e}</p>`;if(`code`in e)return I`<p style="margin:0 0 16px;padding:16px;border:1px solid ${r};border-radius:8px;text-align:center;font-size:30px;line-height:1.2;letter-spacing:.2em"><b>${e.code}</b></p>`;let{link:a,label:o}=e;return I`<p style="margin:0 0 12px"><a href="${a}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${t};color:${n};font-weight:600;text-decoration:none">${o}</a></p><p style="margin:0 0 16px;font-size:13px;word-break:break-all"><a href="${a}" style="color:${i}">${a}</a></p>`}var je=/[\p{L}\p{N}+.-]:\/\/|\bwww\.|[@＠]|\b\d{1,3}(?:[.．。]\d{1,3}){3}\b|[\p{L}\p{N}][.．。｡․‧·][\p{L}\p{N}-]*\p{L}{2}|\bxn--/iu;function Me(e){return je.test(e.normalize(`NFKC`).replaceAll(/\p{C}/gu,``))}var R=4.5,Ne=3,Pe=1.3;function Fe(e,t){let n=e.primary??(t===`dark`?`#8ab4f8`:`#1f4fbf`),{background:r,surface:i}=Ie(e,t,n),a=z(n,i)<Pe?B(n,i,R):n,o=B(U(i)?`#f3f5f4`:`#16201f`,i,12),s=z(`#ffffff`,a)>=R?`#ffffff`:B(`#0c1514`,a,R),c=B(W(i,o,.3),i,Ne),l=H(o,W(i,`#c9342b`,U(i)?.18:.07)),u=H(o,W(i,U(i)?`#000000`:`#ffffff`,U(i)?.2:.6)),d=H(o,W(i,a,.08));return{bg:r,raised:i,text:o,muted:B(W(i,o,.65),i,R),line:c,hairline:W(i,o,.14),field:u,primary:a,"primary-hover":W(a,s===`#ffffff`?`#000000`:`#ffffff`,.12),"primary-line":z(a,i)>=Ne?a:c,"on-primary":s,link:V(a,[i,d,u]),danger:V(`#c0322a`,[i,l]),"danger-soft":l,note:d}}function Ie({background:e,surface:t},n,r){if(n===`dark`){let n=e!==null&&U(e)?e:W(`#0d1112`,r,.06);return{background:n,surface:t!==null&&U(t)?t:W(n,`#ffffff`,.07)}}let i=e??t??W(`#f4f5f5`,r,.04);return{background:i,surface:t??(U(i)?W(i,`#ffffff`,.07):`#ffffff`)}}function z(e,t){let[n,r]=[Le(e),Le(t)].sort((e,t)=>e-t);return(r+.05)/(n+.05)}function B(e,t,n){return V(e,[t],n)}function V(e,t,n=R){let r=U(t[0])?`#ffffff`:`#000000`;for(let i=0;i<1;i+=.04){let a=W(e,r,i);if(t.every(e=>z(a,e)>=n))return a}return r}function H(e,t){let n=U(e)?`#ffffff`:`#000000`,r=t;for(let i=0;i<1&&z(e,r)<R;i+=.04)r=W(t,n,i);return r}function U(e){return z(e,`#ffffff`)>z(e,`#000000`)}function W(e,t,n){let[r,i]=[G(e),G(t)];return`#${r.map((e,t)=>Math.round(e+(i[t]-e)*n).toString(16).padStart(2,`0`)).join(``)}`}function Le(e){let[t,n,r]=G(e).map(e=>{let t=e/255;return t<=.04045?t/12.92:((t+.055)/1.055)**2.4});return .2126*t+.7152*n+.0722*r}function G(e){if(!/^#[0-9a-f]{6}$/i.test(e))throw Error(`${JSON.stringify(e)} is not a colour such as #12ab34`);let t=Number.parseInt(e.slice(1),16);return[t>>16,t>>8&255,t&255]}function Re(e,t,n){let{logoData:r,logoMediaType:i,primaryColor:a,surfaceColor:o,bgColor:s,mailWords:c}=t,l=Fe({primary:a,surface:o,background:s},`light`),{bg:u,raised:d,text:f,muted:p,hairline:m,primary:h}=l;return{name:e,colours:{background:u,surface:d,text:f,muted:p,hairline:m,primary:h,onPrimary:l[`on-primary`]},logo:r===null||i===null?null:{data:r,mediaType:i},texts:n&&c&&!Object.values(c).some(e=>e!==null&&Me(e))?c:null}}var K=a(),[ze]=D(`sign-in-settings`),Be=`482913`;function Ve({projectName:e,settings:t}){let n=ze(),r=(0,P.useRef)(null),i=E(),a=(0,P.useMemo)(()=>{let n=Re(e,t,!0),r=n.texts?.subject;return De(i,``,t=>t.code(e,Be,r),n)},[i,e,t]);return(0,P.useEffect)(()=>{if(r.current===null)return;let e=r.current.shadowRoot??r.current.attachShadow({mode:`open`});e.innerHTML=Ue(He(a.html));for(let t of e.querySelectorAll(`[data-style]`))t.style.cssText=t.dataset.style??``;let t=e.querySelector(`img[src="cid:${we}"]`);t&&a.logo&&(t.src=`data:${a.logo.mediaType};base64,${a.logo.data}`)},[a]),(0,K.jsxs)(`div`,{className:`mail-preview`,children:[(0,K.jsxs)(`p`,{children:[(0,K.jsx)(`span`,{className:`hint`,children:n.settings.mailSubject}),` `,(0,K.jsx)(`b`,{children:a.subject})]}),(0,K.jsx)(`div`,{ref:r,inert:!0,role:`img`,"aria-label":n.settings.mail})]})}var He=e=>/<body[^>]*>([\s\S]*)<\/body>/.exec(e)?.[1]??``,Ue=e=>e.replaceAll(` style="`,` data-style="`),We={subject:null,greeting:null,footer:null},Ge=[[`subject`,100],[`greeting`,200],[`footer`,500]];function Ke({settings:e,onChange:t}){let n=ze(),r=e.mailWords??We;return(0,K.jsxs)(`fieldset`,{className:`card`,children:[(0,K.jsx)(`legend`,{children:n.settings.mailWords}),(0,K.jsx)(`p`,{className:`hint`,children:n.settings.mailWordsHint}),Ge.map(([e,i])=>{let a={value:r[e]??``,maxLength:i,onChange:({target:n})=>t({mailWords:{...r,[e]:n.value===``?null:n.value}})};return(0,K.jsx)(O,{label:n.settings.mailFields[e],children:t=>e===`footer`?(0,K.jsx)(`textarea`,{rows:2,...t,...a}):(0,K.jsx)(`input`,{...t,...a})},e)})]})}var q=r({queryKey:le(`readAuthorizationServer`,void 0),queryFn:async()=>(await f(`readAuthorizationServer`)).authorization_endpoint,staleTime:1/0,initialData:`${p}/authorize`,initialDataUpdatedAt:0}),qe=`/* Elements without classes. */
*,
*::before,
*::after {
  box-sizing: border-box;
}
html {
  font: var(--size-xl) / 1.5 var(--sans);
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
  scrollbar-color: var(--line) transparent;
}
body {
  margin: 0;
  background: var(--bg);
  color: var(--text);
  overflow-wrap: anywhere;
}
h1,
h2,
h3,
h4,
p,
pre,
ul,
ol,
dl,
dd,
figure,
fieldset,
legend {
  margin: 0;
  padding: 0;
}
fieldset {
  border: 0;
  min-width: 0;
}
ul,
ol {
  list-style: none;
}
button,
input,
select,
textarea {
  font: inherit;
  color: inherit;
}
:where(button) {
  text-align: start;
  background: none;
  border: 0;
  cursor: pointer;
}
code,
pre,
.mono {
  font-family: var(--mono);
  font-size: 0.929em;
}
a {
  color: var(--link);
  text-underline-offset: 0.2em;
}
svg {
  flex: none;
}
:focus-visible {
  outline: 2px solid var(--primary);
  outline-offset: 2px;
  border-radius: var(--radius-s);
}
h1:focus,
main:focus {
  outline: 0;
}
::selection {
  background: var(--selection);
}
.hidden-text {
  position: absolute;
  width: 1px;
  min-width: 0;
  height: 1px;
  min-height: 0;
  margin: -1px;
  padding: 0;
  border: 0;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.cut {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
@media (prefers-reduced-motion: reduce) {
  *,
  *::before,
  *::after {
    /* biome-ignore lint/complexity/noImportantStyles: nothing may move, whatever asks for it */
    animation: none !important;
    /* biome-ignore lint/complexity/noImportantStyles: as above */
    transition: none !important;
  }
}
`,Je=`/* Controls that all pages share: buttons, fields, notices, tags, tables, dialogs. Their sizes are those of tokens.css. */
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: var(--space-s);
  min-height: var(--control);
  padding: var(--space-xs) var(--space-xl);
  font-weight: var(--weight-strong);
  line-height: 1.3;
  text-align: center;
  text-decoration: none;
  color: var(--text);
  background: var(--button);
  border: 1px solid var(--button-line);
  border-radius: var(--radius-m);
  cursor: pointer;
  transition:
    background-color 0.12s,
    border-color 0.12s;
}
.button > span {
  overflow-wrap: normal;
}
.button:hover {
  border-color: var(--line);
}
.button.primary {
  color: var(--on-primary);
  background: var(--primary);
  border-color: var(--primary-line);
}
.button.primary:hover:not(:disabled) {
  background: var(--primary-hover);
}
.button.danger {
  color: var(--danger);
  border-color: var(--danger-line);
}
.button.danger:hover {
  background: var(--danger-soft);
}
.button.quiet {
  background: none;
  border-color: transparent;
}
.button.quiet:hover,
.button[aria-pressed="true"] {
  background: var(--note);
}
.button.small {
  min-height: var(--height-s);
  padding: var(--space-2xs) var(--space-m);
  font-size: var(--size-s);
}
.button.icon-only {
  width: var(--control);
  padding: 0;
}
/* Disabled buttons of all kinds look the same. */
.button:disabled {
  color: color-mix(in srgb, var(--text) 42%, var(--bg));
  background: color-mix(in srgb, var(--text) 6%, transparent);
  border-color: transparent;
  cursor: not-allowed;
}
.button.quiet:disabled {
  background: none;
}
[data-busy] {
  cursor: progress;
}
.button[data-busy] > span {
  animation: breathe 1s ease-in-out infinite alternate;
}
@keyframes breathe {
  to {
    opacity: 0.45;
  }
}
.link {
  padding: 0;
  color: var(--link);
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
kbd {
  padding: 0 var(--space-xs);
  font: var(--weight-medium) var(--size-2xs) / 1.6 var(--sans);
  white-space: nowrap;
  border: 1px solid var(--hairline);
  border-radius: var(--radius-s);
}

.field {
  margin-bottom: var(--space-xl);
}
.label {
  display: block;
  margin-bottom: var(--space-xs);
  font-weight: var(--weight-strong);
}
/* Without weight, so that any class can change a field. */
:where(input:not([type="checkbox"], [type="radio"], [type="color"]), select, textarea) {
  width: 100%;
  min-height: var(--control);
  padding: var(--space-xs) var(--space-l);
  background: var(--field);
  border: 1px solid var(--line);
  border-radius: var(--radius-m);
}
:where(select) {
  appearance: none;
  padding-inline-end: var(--space-4xl);
  background:
    linear-gradient(45deg, transparent 44%, var(--muted) 44% 62%, transparent 62%) right 17px center / 6px 6px no-repeat,
    linear-gradient(-45deg, transparent 44%, var(--muted) 44% 62%, transparent 62%) right 12px center / 6px 6px no-repeat,
    var(--field);
  cursor: pointer;
}
:where(textarea) {
  resize: vertical;
  line-height: 1.6;
}
:is(input, select, textarea):focus-visible {
  outline-offset: -1px;
  border-radius: var(--radius-m);
}
[aria-invalid]:is(input, textarea) {
  border-color: var(--danger);
}
input:is([type="checkbox"], [type="radio"]) {
  appearance: none;
  display: grid;
  flex: none;
  place-content: center;
  width: 16px;
  height: 16px;
  margin: var(--space-3xs) 0;
  background: var(--field);
  border: 1px solid var(--line);
  border-radius: var(--radius-xs);
  cursor: inherit;
}
input[type="radio"] {
  border-radius: var(--radius-full);
}
input:is([type="checkbox"]:is(:checked, :indeterminate), [type="radio"]:checked) {
  background: var(--primary);
  border-color: var(--primary);
}
input[type="checkbox"]:checked::before {
  width: 9px;
  height: 5px;
  border: solid var(--on-primary);
  border-width: 0 0 2px 2px;
  transform: translateY(-1px) rotate(-45deg);
  content: "";
}
input[type="checkbox"]:indeterminate::before {
  width: 8px;
  height: 2px;
  background: var(--on-primary);
  border: 0;
  transform: none;
  content: "";
}
input[type="radio"]:checked::before {
  width: 6px;
  height: 6px;
  background: var(--on-primary);
  border-radius: var(--radius-full);
  content: "";
}
input:is([type="checkbox"], [type="radio"]):disabled {
  opacity: 0.55;
  cursor: not-allowed;
}
@media (forced-colors: active) {
  input:is([type="checkbox"], [type="radio"]) {
    appearance: auto;
  }
}
@media (pointer: coarse) {
  input,
  select,
  textarea {
    /* Phones zoom in on smaller text. */
    font-size: var(--size-xl);
  }
  .button:not(.small),
  :where(input:not([type="checkbox"], [type="radio"], [type="color"]), select, textarea) {
    min-height: max(var(--height-l), var(--control));
  }
}
.hint,
.lead {
  color: var(--muted);
  text-wrap: pretty;
}
.fault {
  color: var(--danger);
}
.field > :is(.hint, .fault) {
  margin-top: var(--space-xs);
  font-size: var(--size-s);
}
.check {
  display: flex;
  align-items: flex-start;
  gap: var(--space-m);
  padding: var(--space-2xs) 0;
  cursor: pointer;
}

.badge {
  display: inline-flex;
  align-items: center;
  padding: 1px var(--space-s);
  font-size: var(--size-xs);
  line-height: 1.55;
  white-space: nowrap;
  color: var(--muted);
  background: var(--chip);
  border-radius: var(--radius-full);
}
.badge.accent {
  color: var(--on-accent-soft);
  background: var(--accent-soft);
}
.badge.good {
  color: var(--good);
  background: var(--good-soft);
}
.badge.warn {
  color: var(--warn);
  background: var(--warn-soft);
}
.badge.bad {
  color: var(--danger);
  background: var(--danger-soft);
}
.notice {
  margin-bottom: var(--space-xl);
  padding: var(--space-m) var(--space-xl);
  background: var(--note);
  border: 1px solid var(--hairline);
  border-radius: var(--radius-m);
}
.notice.good {
  background: var(--good-soft);
}
.notice.warn {
  background: var(--warn-soft);
}
.notice.bad {
  background: var(--danger-soft);
  border-color: var(--danger-line);
}

table {
  width: 100%;
  border-collapse: collapse;
}
th,
td {
  padding: var(--space-m) var(--space-xl);
  text-align: start;
}
thead th {
  font-weight: var(--weight-strong);
  color: var(--muted);
}
tbody tr {
  border-top: 1px solid var(--hairline);
}
.number {
  text-align: end;
  font-variant-numeric: tabular-nums;
}
.dialog {
  color: inherit;
  background: var(--bg);
  border: 0;
  border-radius: var(--radius-l);
  box-shadow: var(--shadow-high);
}

.wordmark {
  display: flex;
  align-items: center;
  gap: var(--space-s);
  font: var(--weight-strong) var(--size-2xl) / 1.2 var(--serif);
  color: inherit;
  text-decoration: none;
}
.monogram {
  display: grid;
  flex: none;
  place-items: center;
  width: 30px;
  height: 30px;
  font-weight: var(--weight-strong);
  color: var(--on-accent-soft);
  background: var(--accent-soft);
  border-radius: var(--radius-m);
}
`,Ye=`/* The second step, and the page of one's own. */
.step {
  max-width: 304px;
  font-size: var(--size-3xl);
  letter-spacing: 0.08em;
  font-variant-numeric: tabular-nums;
}
.qr {
  width: 208px;
  max-width: 100%;
  margin-bottom: 16px;
  border: 1px solid var(--hairline);
  border-radius: var(--radius-m);
  overflow: hidden;
  background: var(--white);
}
.secret {
  margin: 4px 0 8px;
  font-size: var(--size-2xl);
}
.recovery {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(208px, 1fr));
  gap: 6px 24px;
  margin-bottom: 28px;
  padding: 16px 16px 16px 40px;
  border-radius: var(--radius-m);
  background: var(--note);
  list-style: decimal;
}
.recovery code {
  font-size: var(--size-xl);
}
section {
  margin: 36px 0;
}
h2 {
  margin-bottom: 12px;
  font-size: var(--size-2xl);
  font-weight: var(--weight-strong);
}
.rows {
  margin-bottom: 16px;
  border-top: 1px solid var(--hairline);
}
.rows li {
  display: flex;
  justify-content: space-between;
  align-items: baseline;
  gap: 8px 16px;
  padding: 14px 0;
  border-bottom: 1px solid var(--hairline);
}
.rows li.wide,
.rows li > div {
  flex: 1;
}
.rows .hint {
  display: block;
}
.rows .link {
  padding-block: 4px;
  white-space: nowrap;
}
.more {
  display: grid;
  gap: 12px;
}
.more form + form {
  margin-top: 0;
}
#passkey-add:not([hidden]) + .more {
  margin-top: 12px;
}
.kept {
  margin-bottom: 16px;
}
details {
  width: 100%;
}
summary {
  display: flex;
  justify-content: space-between;
  align-items: baseline;
  gap: 16px;
  cursor: pointer;
  list-style: none;
}
summary::-webkit-details-marker {
  display: none;
}
.unfolded {
  margin-top: 16px;
}
.unfolded .hint {
  margin-bottom: 16px;
}
.check {
  margin-bottom: 16px;
  font-weight: var(--weight-normal);
}
.check input {
  margin: 4px 0;
}
.legal,
.languages {
  display: flex;
  flex-wrap: wrap;
  gap: 4px 20px;
  margin: 32px 0 0;
  font-size: var(--size-m);
}
.legal + .languages {
  margin-top: 12px;
}
.languages > * {
  padding-block: 4px;
}
.languages > * {
  color: var(--muted);
  text-decoration: none;
  border-block-end: 2px solid transparent;
}
.languages a:hover {
  text-decoration: underline;
}
.languages [aria-current] {
  color: var(--text);
  border-color: var(--primary);
}
.notice {
  margin: 16px 0 24px;
  padding: 14px 16px;
  border-left: 4px solid var(--link);
}
.notice.bad {
  border-color: var(--danger);
}
.notice :is(p, ul) {
  margin: 0;
}
.notice ul {
  padding-left: 20px;
  list-style: disc;
}
.notice.bad a {
  color: inherit;
}
[data-busy] .primary {
  opacity: 0.75;
}
@media (forced-colors: active) {
  .notice,
  .button,
  input,
  .monogram,
  .project main {
    border: 1px solid;
  }
}

/* The accounts of a developer. */
.account {
  flex-direction: column;
  align-items: flex-start;
  gap: 2px;
  text-align: start;
}
.account small {
  font-weight: var(--weight-normal);
  opacity: 0.85;
}
`,Xe={signIn:`Anmelden`,signUp:`Konto erstellen`,signUpTitle:`Konto erstellen`,keepTitle:`Fortschritt behalten`,keepSignIn:`Melden Sie sich an oder erstellen Sie ein Konto, um Ihren Fortschritt zu behalten, auch auf anderen Geräten.`,keepSignUp:`Mit einem Konto behalten Sie Ihren Fortschritt, auch auf anderen Geräten.`,error:`Fehler`,email:`E-Mail`,password:`Passwort`,newPassword:`Neues Passwort`,name:`Name`,optional:`optional`,nameHint:`So spricht die App Sie an.`,passwordHint:`Mindestens 8 Zeichen. Ein paar zufällige Wörter ergeben ein gutes Passwort.`,showPassword:`Anzeigen`,hidePassword:`Verbergen`,forgot:`Passwort vergessen?`,noAccount:`Neu hier?`,haveAccount:`Schon ein Konto?`,or:`oder`,terms:`Nutzungsbedingungen`,languages:`Sprache`,privacy:`Datenschutz`,continueWith:e=>`Weiter mit ${e}`,passkey:`Mit Passkey anmelden`,working:`Einen Moment …`,rejected:`E-Mail-Adresse oder Passwort ist falsch. Bitte versuchen Sie es erneut.`,throttled:e=>`Zu viele Versuche. Sie können es in ${e} erneut versuchen.`,throttledWays:`Mit einem Passkey oder einem Link über „Passwort vergessen?“ können Sie sich sofort anmelden.`,busy:`Gerade melden sich sehr viele Menschen an. Bitte versuchen Sie es in ein paar Sekunden erneut.`,passkeyRejected:`Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,passkeyLate:`Diese Seite war zu lange offen. Versuchen Sie es erneut mit dem Passkey oder wählen Sie einen anderen Weg.`,pageLate:`Diese Seite war zu lange offen.`,startAgain:`Neu beginnen`,passkeyFailed:`Der Passkey wurde nicht verwendet. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,providerDenied:`Sie wurden nicht angemeldet: Die Anmeldung wurde dort abgebrochen oder abgelehnt. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,providerUnavailable:e=>`${e} ist gerade nicht erreichbar. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,providerUnavailableNameless:`Der Anbieter ist gerade nicht erreichbar. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,providerInvalid:`Die Antwort des Anbieters ließ sich nicht prüfen. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,providerNotOffered:`Diese Anmeldemethode gibt es hier nicht. Bitte wählen Sie eine andere.`,signUpClosed:`Um hier ein Konto zu erstellen, brauchen Sie eine Einladung. Öffnen Sie Ihren Einladungslink oder melden Sie sich mit Ihrem bestehenden Konto an.`,byInvitation:`Um hier ein Konto zu erstellen, brauchen Sie eine Einladung. Wenden Sie sich an den Betreiber dieses Dienstes.`,demoLink:`Um das Demoprojekt auszuprobieren, öffnen Sie den Link, der beim Start im Terminal steht. Einen neuen erhalten Sie mit:`,invited:`Melden Sie sich an oder erstellen Sie ein Konto, um beizutreten:`,faultSummary:`Bitte prüfen Sie diese Angaben:`,email_malformed:`Das ist keine E-Mail-Adresse. Eine Adresse sieht aus wie name@example.com.`,email_deceptive:`Der Teil vor dem @ enthält einen Buchstaben, der wie ein anderer aussieht. Bitte verwenden Sie eine E-Mail-Adresse ohne ihn.`,email_missing:`Geben Sie Ihre E-Mail-Adresse ein.`,password_missing:`Geben Sie Ihr Passwort ein.`,password_short:`Das Passwort ist zu kurz. Es braucht mindestens 8 Zeichen.`,password_long:`Das Passwort ist zu lang. Es darf höchstens 256 Zeichen haben.`,password_common:`Dieses Passwort ist sehr häufig und leicht zu erraten. Bitte wählen Sie ein anderes.`,name_long:`Der Name ist zu lang.`,confirmTitle:`Sehen Sie in Ihrem Postfach nach`,confirmSent:e=>`Wir haben eine Nachricht an ${e} geschickt. Geben Sie den Code daraus ein. Wenn Sie bereits ein Konto haben, steht in der Nachricht, wie Sie sich anmelden.`,confirmSentNameless:`Wir haben Ihnen eine Nachricht geschickt. Geben Sie den Code daraus ein. Wenn Sie bereits ein Konto haben, steht in der Nachricht, wie Sie sich anmelden.`,mailWaiting:e=>`Die Nachricht wurde noch nicht gesendet, weil der Mailserver sie nicht angenommen hat. Wir versuchen es bis ${e} weiter. Laden Sie diese Seite neu, um zu sehen, ob sie inzwischen gesendet wurde.`,mailFailed:`Die Nachricht konnte an diese Adresse nicht zugestellt werden. Prüfen Sie die Adresse oder fordern Sie einen neuen Code an.`,confirmHint:`Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.`,unconfirmed:`Diese Adresse ist noch nicht bestätigt. Nur der neueste Code gilt.`,code:`Code`,confirm:`Bestätigen`,resend:`Neuen Code senden`,resent:`Es gibt einen neuen Code. Nur der neueste Code gilt.`,otherAddress:`Andere Adresse verwenden`,code_malformed:`Geben Sie alle sechs oder neun Ziffern des Codes ein.`,wrongCode:e=>`Der Code ist falsch. Verbleibende Versuche: ${e}.`,codeExpired:`Der Code ist abgelaufen oder wurde bereits verwendet. Wenn Sie Ihre Adresse bestätigt haben, melden Sie sich an. Beginnen Sie sonst noch einmal.`,forgotTitle:`Passwort vergessen?`,forgotText:`Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.`,forgotSend:`Link senden`,forgotSentTitle:`Sehen Sie in Ihrem Postfach nach`,forgotSent:e=>`Wenn es ein Konto mit ${e} gibt, schicken wir jetzt eine Nachricht mit einem Link dorthin. Wenn der Mailserver sie nicht annimmt, versuchen wir es 30 Minuten lang weiter. Der Link gilt einmal und 30 Minuten lang.`,backToSignIn:`Zurück zur Anmeldung`,resetTitle:`Neues Passwort wählen`,resetFor:e=>`Für ${e}`,resetSave:`Passwort speichern`,resetDoneTitle:`Ihr Passwort wurde geändert`,resetDone:`Melden Sie sich mit dem neuen Passwort an. Sie wurden überall abgemeldet, und Ihre Passkeys wurden gelöscht: Richten Sie sie neu ein.`,resetDoneKept:`Melden Sie sich mit dem neuen Passwort an. Sie wurden überall abgemeldet. Ihre Passkeys und Ihr zweiter Faktor sind unverändert.`,resetExpiredTitle:`Dieser Link ist nicht mehr gültig`,resetExpired:`Er wurde bereits verwendet, durch einen neueren ersetzt oder ist älter als 30 Minuten. Fordern Sie einen neuen an.`,resetExpiredNameless:`Er wurde bereits verwendet, durch einen neueren ersetzt oder ist älter als 30 Minuten. Gehen Sie zurück zur App und fordern Sie bei der Anmeldung einen neuen an.`,chooseTitle:`Welches Konto?`,chooseText:`Sie sind Mitglied mehrerer Konten. Sie können später ohne neue Anmeldung zu einem anderen wechseln.`,chosenLast:`zuletzt verwendet`,roles:{owner:`Eigentümer`,admin:`Admin`,editor:`Bearbeiter`,support:`Support`,viewer:`Leser`},noneTitle:`Sie haben kein Konto`,noneText:`Sie sind in keinem Konto Mitglied. Wenn Sie eines sein sollten, bitten Sie um eine Einladung. Sie können auch ein eigenes Konto erstellen.`,noneMake:`Eigenes Konto erstellen`,continueTitle:`Angemeldet`,continueText:`Sie sind angemeldet. Weiter zur App …`,anyProgramText:`Ein Programm auf diesem Computer möchte Sie anmelden. Fahren Sie nur fort, wenn Sie die Anmeldung gerade selbst in einem Programm gestartet haben, dem Sie vertrauen.`,continueTo:e=>`Weiter zu ${e}`,continue:`Weiter`,offerTitle:`Nächstes Mal ohne Passwort?`,offerText:`Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN dieses Geräts an. Er lässt sich nicht erraten, und Sie müssen sich nichts merken.`,offerAccept:`Passkey erstellen`,offerSkip:`Nicht jetzt`,passkeyKept:`Ihr Passkey ist gespeichert.`,offerFailed:`Es wurde kein Passkey gespeichert. Versuchen Sie es erneut oder fahren Sie ohne fort.`,unknownClientTitle:`Dieser Link funktioniert nicht`,unknownClient:`Die App, von der Sie kommen, ist unbekannt oder nimmt gerade keine Anmeldungen an.`,badRedirect:`Die App, von der Sie kommen, hat eine Rückkehradresse genannt, die nicht für sie eingetragen ist.`,forDevelopers:`Wenn das Ihre App ist: Öffnen Sie in der Konsole die Anmeldeeinstellungen des Projekts und fügen Sie die Adresse dort hinzu.`,tellDeveloper:`Gehen Sie zurück zur App und versuchen Sie es erneut. Wenn das wieder passiert, melden Sie es bitte dem Team der App.`,noMethodTitle:`Noch keine Anmeldung möglich`,noMethod:`Diese App hat noch keine Anmeldemethode eingerichtet. Bitte melden Sie es dem Team der App.`,cookiesTitle:`Cookies sind nötig`,cookies:`Ihr Browser hat kein Cookie zurückgeschickt. Diese Seite braucht eines, um zu wissen, dass das Formular von Ihnen kommt, und verwendet es für nichts anderes. Erlauben Sie Cookies für diese Adresse und versuchen Sie es erneut.`,invitationGoneTitle:`Diese Einladung ist nicht mehr gültig`,invitationGone:`Sie wurde verwendet oder zurückgezogen oder ist abgelaufen. Sie wurden nicht angemeldet. Bitten Sie um eine neue oder melden Sie sich ohne Einladung an.`,goOn:`Weiter`,staleTitle:`Bitte versuchen Sie es erneut`,stale:`Dieses Formular kam von einer anderen Seite oder von einem früheren Besuch und wurde nicht verwendet. Es wurde nichts geändert.`,tryAgain:`Erneut versuchen`,flowExpiredTitle:`Das hat zu lange gedauert`,flowExpired:`Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist bereits abgeschlossen. Bitte beginnen Sie noch einmal.`,flowExpiredNameless:`Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist bereits abgeschlossen. Gehen Sie zurück zur App und beginnen Sie noch einmal.`,limitTitle:`Zu viele Anfragen`,limit:e=>`Aus Ihrem Netz kamen zu viele Anfragen. Bitte versuchen Sie es in ${e} erneut.`,unavailableTitle:`Gleich wieder da`,unavailable:`Die Anmeldung ist gerade nicht verfügbar. Ihre Daten sind sicher. Bitte versuchen Sie es in ein paar Sekunden erneut.`,issuerUnavailable:`Der Dienst, der Sie anmeldet, ist gerade nicht erreichbar. Bitte versuchen Sie es in ein paar Sekunden erneut.`,issuerRefused:`Sie wurden nicht angemeldet: Die Anmeldung wurde abgebrochen oder abgelehnt. Sie können noch einmal beginnen.`,failedTitle:`Das hat nicht geklappt`,failed:`Das Formular war ungültig. Gehen Sie zurück und versuchen Sie es erneut.`,notFoundTitle:`Seite nicht gefunden`,notFound:`Gehen Sie zurück zur App und beginnen Sie dort noch einmal.`},Ze={signIn:`Sign in`,signUp:`Create account`,signUpTitle:`Create your account`,keepTitle:`Keep your progress`,keepSignIn:`Sign in or create an account to keep your progress, even on other devices.`,keepSignUp:`With an account, you keep your progress, even on other devices.`,error:`Error`,email:`Email`,password:`Password`,newPassword:`New password`,name:`Name`,optional:`optional`,nameHint:`What the app calls you.`,passwordHint:`At least 8 characters. A few random words make a good password.`,showPassword:`Show`,hidePassword:`Hide`,forgot:`Forgot password?`,noAccount:`New here?`,haveAccount:`Have an account?`,or:`or`,terms:`Terms of use`,languages:`Language`,privacy:`Privacy`,continueWith:e=>`Continue with ${e}`,passkey:`Sign in with a passkey`,working:`One moment …`,rejected:`The email address or the password is wrong. Please try again.`,throttled:e=>`Too many attempts. You can try again in ${e}.`,throttledWays:`You can sign in right away with a passkey, or with a link from “Forgot password?”.`,busy:`Many people are signing in right now. Please try again in a few seconds.`,passkeyRejected:`That passkey did not work. Try again, or choose another way.`,passkeyLate:`This page was open for too long. Try the passkey again, or choose another way.`,pageLate:`This page was open for too long.`,startAgain:`Start again`,passkeyFailed:`The passkey was not used. Try again, or choose another way.`,providerDenied:`You were not signed in: the sign-in was cancelled or refused there. Try again, or choose another way.`,providerUnavailable:e=>`${e} cannot be reached right now. Try again, or choose another way.`,providerUnavailableNameless:`The provider cannot be reached right now. Try again, or choose another way.`,providerInvalid:`The provider’s response could not be verified. Try again, or choose another way.`,providerNotOffered:`That sign-in method is not available here. Please choose another one.`,signUpClosed:`You need an invitation to create an account here. Open your invitation link, or sign in to your existing account.`,byInvitation:`You need an invitation to create an account here. Ask the operator of this service for one.`,demoLink:`To try the demo project, open the link that the terminal printed at startup. For a new one, run:`,invited:`Sign in, or create an account, to join`,faultSummary:`Please check this:`,email_malformed:`This is not an email address. An address looks like name@example.com.`,email_deceptive:`The part before the @ contains a letter that looks like another one. Please use an email address without it.`,email_missing:`Enter your email address.`,password_missing:`Enter your password.`,password_short:`The password is too short. It needs at least 8 characters.`,password_long:`The password is too long. It can have at most 256 characters.`,password_common:`This password is very common and easy to guess. Please choose another one.`,name_long:`The name is too long.`,confirmTitle:`Check your mail`,confirmSent:e=>`We sent a message to ${e}. Enter the code in it. If you already have an account, the message says how to sign in.`,confirmSentNameless:`We sent you a message. Enter the code in it. If you already have an account, the message says how to sign in.`,mailWaiting:e=>`The message has not been sent yet, because the mail server has not accepted it. We will keep trying until ${e}. Reload this page to see whether it has been sent.`,mailFailed:`The message could not be delivered to this address. Check the address, or request another code.`,confirmHint:`This can take a minute. Check your spam folder, too.`,unconfirmed:`This address is not confirmed yet. Only the newest code works.`,code:`Code`,confirm:`Confirm`,resend:`Send another code`,resent:`There is a new code. Only the newest code works.`,otherAddress:`Use another address`,code_malformed:`Enter all six or nine digits of the code.`,wrongCode:e=>`The code is wrong. Attempts left: ${e}.`,codeExpired:`The code has expired or was already used. If you have confirmed your address, sign in; otherwise start again.`,forgotTitle:`Forgot your password?`,forgotText:`Enter your email address. We will send you a link to choose a new password.`,forgotSend:`Send the link`,forgotSentTitle:`Check your mail`,forgotSent:e=>`If there is an account with ${e}, we are now sending a message with a link to it. If the mail server does not accept it, we will keep trying for 30 minutes. The link works once, within 30 minutes.`,backToSignIn:`Back to sign-in`,resetTitle:`Choose a new password`,resetFor:e=>`For ${e}`,resetSave:`Save password`,resetDoneTitle:`Your password has been changed`,resetDone:`Sign in with the new password. You have been signed out everywhere, and your passkeys have been deleted: set them up again.`,resetDoneKept:`Sign in with the new password. You have been signed out everywhere. Your passkeys and your second factor have not changed.`,resetExpiredTitle:`This link no longer works`,resetExpired:`It was already used, was replaced by a newer one, or is older than 30 minutes. Ask for a new one.`,resetExpiredNameless:`It was already used, was replaced by a newer one, or is older than 30 minutes. Go back to the app and ask for a new one when you sign in.`,chooseTitle:`Which account?`,chooseText:`You are a member of several accounts. You can switch to another one later without signing in again.`,chosenLast:`last used`,roles:{owner:`Owner`,admin:`Admin`,editor:`Editor`,support:`Support`,viewer:`Viewer`},noneTitle:`You have no account`,noneText:`You are not a member of any account. If you expected to be one, ask for an invitation. You can also create an account of your own.`,noneMake:`Create an account of your own`,continueTitle:`Signed in`,continueText:`You are signed in. Continuing to the app …`,anyProgramText:`A program on this computer wants to sign you in. Continue only if you have just started the sign-in yourself, from a program that you trust.`,continueTo:e=>`Continue to ${e}`,continue:`Continue`,offerTitle:`Next time without a password?`,offerText:`A passkey signs you in with the fingerprint, face or PIN of this device. It cannot be guessed, and there is nothing to remember.`,offerAccept:`Create a passkey`,offerSkip:`Not now`,passkeyKept:`Your passkey is saved.`,offerFailed:`No passkey was saved. You can try again, or continue without one.`,unknownClientTitle:`This link does not work`,unknownClient:`The app that sent you here is unknown, or does not accept sign-ins at the moment.`,badRedirect:`The app that sent you here gave a return address that is not registered for it.`,forDevelopers:`If this is your app: open the sign-in settings of its project in the console, and add the address there.`,tellDeveloper:`Go back to the app and try again. If this happens again, please tell the makers of the app.`,noMethodTitle:`Sign-in is not set up yet`,noMethod:`This app has not set up a sign-in method. Please tell the makers of the app.`,cookiesTitle:`Cookies are needed`,cookies:`Your browser did not send a cookie back. This page needs one to know that the form comes from you, and uses it for nothing else. Allow cookies for this address and try again.`,invitationGoneTitle:`This invitation is no longer valid`,invitationGone:`It was used or withdrawn, or it has expired. You were not signed in. Ask for a new one, or sign in without an invitation.`,goOn:`Continue`,staleTitle:`Please try again`,stale:`This form came from another page or from an earlier visit, so it was not used. Nothing has changed.`,tryAgain:`Try again`,flowExpiredTitle:`That took too long`,flowExpired:`The sign-in was started too long ago or in another browser, or is already finished. Please start again.`,flowExpiredNameless:`The sign-in was started too long ago or in another browser, or is already finished. Go back to the app and start again.`,limitTitle:`Too many requests`,limit:e=>`There were too many requests from your network. Please try again in ${e}.`,unavailableTitle:`Back in a moment`,unavailable:`Sign-in is not available right now. Your data is safe. Please try again in a few seconds.`,issuerUnavailable:`The service that signs you in cannot be reached right now. Please try again in a few seconds.`,issuerRefused:`You were not signed in: the sign-in was cancelled or refused. You can start again.`,failedTitle:`That did not work`,failed:`The form was not valid. Go back and try again.`,notFoundTitle:`Page not found`,notFound:`Go back to the app and start again from there.`},Qe=[`en`,`de`],$e={en:Ze,de:Xe};function J(e){return $e[e]}var et={en:`English`,de:`Deutsch`},tt=I`<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" aria-hidden="true"><path d="M16 21V4M16 21C16 14 9 14 9 6M16 21c0-7 7-7 7-15M16 21c-2.5 3-6 2.5-8.5 7M16 21c2.5 3 6 2.5 8.5 7M16 21v7.5"/></svg>`,nt=I`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="8" cy="8" r="4.5"/><path d="m11.5 11.5 8 8m-3.5-3.5 2.5-2.5M13.5 13.5l2-2"/></svg>`,rt={"google.com":I`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill="#4285F4" d="M23.5 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.5a5.5 5.5 0 0 1-2.4 3.6v3h3.9c2.2-2.1 3.5-5.2 3.5-8.8z"/><path fill="#34A853" d="M12 24c3.2 0 6-1.1 8-2.9l-3.9-3c-1.1.7-2.5 1.2-4.1 1.2-3.1 0-5.8-2.1-6.7-5H1.3v3.1A12 12 0 0 0 12 24z"/><path fill="#FBBC05" d="M5.3 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8l4-3.1z"/><path fill="#EA4335" d="M12 4.8c1.8 0 3.3.6 4.6 1.8L20 3.1A12 12 0 0 0 1.3 6.6l4 3.1c.9-2.8 3.6-4.9 6.7-4.9z"/></svg>`,"microsoft.com":I`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill="#F25022" d="M1 1h10.5v10.5H1z"/><path fill="#7FBA00" d="M12.5 1H23v10.5H12.5z"/><path fill="#00A4EF" d="M1 12.5h10.5V23H1z"/><path fill="#FFB900" d="M12.5 12.5H23V23H12.5z"/></svg>`,"apple.com":I`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M17.05 12.54c-.03-2.79 2.28-4.13 2.38-4.19-1.3-1.9-3.31-2.15-4.02-2.18-1.71-.17-3.34 1.01-4.21 1.01-.87 0-2.2-.99-3.63-.96-1.86.03-3.59 1.08-4.55 2.75-1.94 3.37-.5 8.35 1.39 11.08.93 1.34 2.03 2.83 3.47 2.78 1.4-.06 1.92-.9 3.61-.9 1.68 0 2.16.9 3.63.87 1.5-.03 2.45-1.36 3.36-2.7 1.07-1.55 1.5-3.06 1.53-3.14-.03-.01-2.93-1.12-2.96-4.42zM14.28 4.34c.77-.93 1.29-2.22 1.15-3.51-1.11.05-2.46.74-3.25 1.67-.71.82-1.34 2.14-1.17 3.4 1.24.1 2.5-.63 3.27-1.56z"/></svg>`,"github.com":I`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M12 .3a12 12 0 0 0-3.8 23.38c.6.12.83-.26.83-.57L9 21.07c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.84 1.24 1.84 1.24 1.07 1.83 2.81 1.3 3.5 1 .1-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18 0 0 1-.32 3.3 1.23a11.5 11.5 0 0 1 6 0c2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18a4.65 4.65 0 0 1 1.23 3.22c0 4.61-2.8 5.63-5.48 5.92.42.36.81 1.1.81 2.22l-.01 3.29c0 .31.2.69.82.57A12 12 0 0 0 12 .3"/></svg>`};function it(e){return rt[e]??nt}function at(e,t){let{brand:n}=e;return I`${n.kind===`service`&&ct}
<main>
${n.kind===`project`&&lt(n)}
${t.body}
<p id="status" class="hint" role="status"></p>
${ot(e)}
${st(e,t)}
</main>`}function ot({legal:e,language:t}){let n=J(t),r=[{address:e?.terms,label:n.terms},{address:e?.privacy,label:n.privacy}].flatMap(({address:e,label:t})=>e===void 0?[]:I`<a href="${e}">${t}</a>`);return r.length===0?void 0:I`<p class="legal">${r}</p>`}function st({inLanguage:e,language:t},{address:n=``}){if(e===void 0)return;let[r=``]=n.split(`?`),i=Qe.map(n=>n===t?I`<span lang="${n}" aria-current="true">${et[n]}</span>`:I`<a lang="${n}" hreflang="${n}" href="${r}${e(n)}">${et[n]}</a>`);return I`<nav class="languages" aria-label="${J(t).languages}">${i}</nav>`}var ct=I`<header><p class="wordmark">${tt}Holdfast</p></header>`;function lt({name:e,logo:t}){return I`<div class="brand">${t===null?I`<div class="monogram" aria-hidden="true">${ut(e)}</div>`:I`<img src="data:${t.mediaType};base64,${t.data}" alt="">`}<span>${e}</span></div>`}function ut(e){let[t=``]=new Intl.Segmenter().segment(e)[Symbol.iterator]().next().value?.segment??``;return t.toUpperCase()}function dt(e){return mt(e,I`<div>${ht(e,e.type??`text`)}</div>`)}function ft(e,{autocomplete:t=`username`,...n}){return dt({...n,name:`email`,label:J(e.language).email,type:`email`,autocomplete:t})}function pt(e,t){let{showPassword:n,hidePassword:r}=J(e.language),{name:i,label:a}=t;return mt(t,I`<div class="reveal">${ht(t,`password`)}<button type="button" hidden data-reveal="${i}" data-show="${n}" data-hide="${r}" data-label="${a}"></button></div>`)}function mt({name:e,label:t,beside:n,hint:r,faults:i={}},a){let o=i[e],s=Object.keys(i).length===1;return I`<div class="field">
<div class="label"><label for="${e}">${t}</label>${n}</div>
${a}${o===void 0?r!==void 0&&I`<p class="hint" id="${e}-hint">${r}</p>`:I`<p class="fault" id="${e}-fault"${s&&I` role="alert"`}>${o}</p>`}
</div>`}function ht(e,t){let{name:n,value:r,autocomplete:i,hint:a,faults:o={},isFocused:s,isOptional:c,attributes:l}=e,u=o[n]!==void 0,d=s===!0||Object.keys(o)[0]===n,f=u?`${n}-fault`:a!==void 0&&`${n}-hint`;return I`<input id="${n}" name="${n}" type="${t}" autocomplete="${i}"${[r!==void 0&&I` value="${r}"`,!c&&I` required`,t===`email`&&I` autocapitalize="none" spellcheck="false"`,f!==!1&&I` aria-describedby="${f}"`,u&&I` aria-invalid="true"`,d&&I` autofocus`]}${l}>`}function gt(e,t,n,r){return I`<form method="post" action="${e.address(t)}"${r}>${Y(`csrf`,e.csrf)}${n}</form>`}function Y(e,t){return I`<input type="hidden" name="${e}" value="${t}">`}function _t(e){return I`<button class="button primary">${e}</button>`}function vt(e,t,n=`plain`){return I`<a class="button${n===`primary`&&` primary`}" href="${e}">${t}</a>`}function yt(e,t,n){if(t.length===0)return;let r=J(e.language);return I`<ul class="ways">${t.map(({id:t,name:n})=>I`<li>${vt(e.address(`/authorize/with/${encodeURIComponent(t)}`),I`${it(t)}<span>${r.continueWith(n)}</span>`)}</li>`)}</ul>${n&&I`
<div class="or">${r.or}</div>`}`}function bt(e){if(e!==void 0)return I`<div class="notice${e.isBad&&` bad`}" id="notice" role="${e.isBad?`alert`:`status`}"><p>${e.text}</p></div>`}function xt(e,t){let n=Object.keys(t??{});if(n.length<2)return;let r=J(e.language);return I`<div class="notice bad" role="alert"><p>${r.faultSummary}</p><ul>${n.map(e=>I`<li><a href="#${e}">${r[e]}</a></li>`)}</ul></div>`}function St({language:e,invitedTo:t}){return t===void 0?void 0:I`<p class="lead">${J(e).invited}<br><strong><bdi>${t}</bdi></strong></p>`}var Ct={en:{stepTitle:`One more step`,stepText:`Enter the code that your authenticator app shows now.`,stepPasskey:`Your account requires more than a password. Use your passkey to sign in.`,codeHint:`Six digits. Without the app, enter one of your recovery codes.`,codeMissing:`Enter the code.`,codeWrong:`The code is wrong or was already used. Wait for the next one and try again.`,stepLate:`That took too long, or was already used. Please sign in again.`,setUpTitle:`Set up an authenticator app`,setUpRequired:`Your account requires a second factor: a code from an app on your phone. It takes a minute to set up.`,setUpIntro:`After that, signing in with your password also needs a code from the app. Passkeys work as before.`,setUpScan:`Scan this picture with an authenticator app, such as the password manager of your phone.`,setUpPicture:`QR code with the secret for the app; the same follows as text`,setUpText:`Or enter this text in the app:`,setUpHere:`The app is on this device`,setUpCode:`The six digits that the app shows now.`,setUpConfirm:`Confirm`,recoveryTitle:`Save your recovery codes`,recoveryText:`Each of these codes signs you in once if you do not have the app. Keep them where you keep passwords, or on paper. They are not shown again.`,recoverySaved:`I have saved them`,title:`Your sign-in`,fresh:`Sign in once more to see and change how you sign in.`,signedInAs:e=>`Signed in as ${e}.`,unknown:`No account uses this way to sign in yet. Choose another way, or create an account first.`,leave:`Done`,left:`You have left this page.`,methods:`Ways to sign in`,password:`Password`,passwordChange:`Change password`,passwordSave:`Save password`,passwordEnds:`You will then be signed out everywhere.`,passwordChanged:`Your password has been changed, and you have been signed out everywhere.`,passwordAdd:`Add a password`,passwordEmail:`We will send a code to this address, to check that it is yours.`,passwordCode:e=>`We sent a message to ${e}. Enter the code in it. If it contains no code, another sign-in already uses this address.`,passwordAdded:`You can now also sign in with your email address and this password.`,passwordSet:`Your password is set, and you have been signed out everywhere.`,passwordLate:`The code has expired or was already used. Please start again.`,passwordLast:`This is your only way to sign in, so you cannot remove it. Add another way first.`,passwordRemoveText:`You can still set a new password with a link by mail. You will then be signed out everywhere.`,passwordRemove:`Remove the password`,passwordRemoved:`The password is removed, and you have been signed out everywhere.`,passkey:`Passkey`,passkeyAdd:`Add a passkey`,passkeyAdded:`Your passkey is saved.`,passkeyFailed:`No passkey was saved. Please try again.`,passkeyRemoved:`You can no longer sign in with this passkey.`,provider:`Connected`,providerAdd:e=>`Add ${e}`,providerGo:e=>`Next, sign in at ${e} with the account that you want to use here.`,providerAdded:e=>`You can now also sign in with ${e}.`,providerKnown:e=>`You can already sign in with this ${e} account. Nothing has changed.`,providerTaken:e=>`This ${e} account already belongs to another sign-in here. Nothing has changed. Sign in with ${e} to see it, and delete it if you do not need it.`,providerTooMany:`You cannot add more ways to sign in. Remove one first.`,providerRemoved:`You can no longer sign in this way.`,lastMethod:`This is your only way to sign in, so you cannot remove it.`,added:e=>`added ${e}`,lastUsed:e=>`last used ${e}`,neverUsed:`not used yet`,remove:`Remove`,removeWhat:e=>`Remove: ${e}`,second:`Second factor`,secondOff:`You sign in with only your password. With a code from an app, a stolen password is useless.`,secondOn:e=>`Authenticator app in use since ${e}.`,secondSetUp:`Set up an app`,secondRemove:`Remove the app`,secondRemoved:`The app and its recovery codes no longer work.`,recoveryLeft:e=>`Recovery codes left: ${e}.`,recoveryRenew:`New recovery codes`,sessions:`Where you are signed in`,sessionsNone:`Nowhere, apart from this page.`,sessionsHint:`For each place, we store only the network and the kind of program.`,sessionUnknown:`Unknown place`,since:e=>`since ${e}`,withPassword:`password`,withCode:`password and code`,withPasskey:`passkey`,end:`Sign out`,endWhat:e=>`Sign out: ${e}`,ended:`You are signed out there.`,endAll:`Sign out everywhere`,endedAll:`You are signed out everywhere.`,delete:`Delete your sign-in`,deleteText:`Your ways to sign in and your sessions are deleted, and you leave your accounts. What belongs to an account stays with it. This cannot be undone.`,deleteSure:`I want to delete my sign-in`,deleteDo:`Delete`,deleteUnsure:`Tick the box first. Nothing has changed.`,deleteLastOwner:e=>`You are the last owner of the account “${e}”. Make somebody else an owner, or delete the account in the console. Nothing has changed.`,data:`Your data`,dataText:e=>`This is what ${e} has stored about you: your saves with their earlier versions, and your ways to sign in.`,dataDownload:`Export my data`,erase:`Delete everything`,eraseText:e=>`Your saves in ${e} are deleted with all their earlier versions, and you are signed out everywhere. Your sign-in is deleted too, unless another game by the same makers has saves of yours or has blocked you. This cannot be undone.`,eraseSure:`I want to delete everything`,erasedTitle:`Everything is deleted`,erased:e=>`Your data in ${e} has been deleted, and you have been signed out everywhere.`,deletedTitle:`Your sign-in is deleted`,deleted:`You have been signed out everywhere.`,gone:`That no longer exists. Nothing has changed.`},de:{stepTitle:`Noch ein Schritt`,stepText:`Geben Sie den Code ein, den Ihre Authenticator-App jetzt zeigt.`,stepPasskey:`Ihr Konto verlangt mehr als ein Passwort. Melden Sie sich mit Ihrem Passkey an.`,codeHint:`Sechs Ziffern. Ohne die App geben Sie einen Ihrer Wiederherstellungscodes ein.`,codeMissing:`Geben Sie den Code ein.`,codeWrong:`Der Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten und versuchen Sie es erneut.`,stepLate:`Das hat zu lange gedauert oder wurde bereits verwendet. Bitte melden Sie sich erneut an.`,setUpTitle:`Authenticator-App einrichten`,setUpRequired:`Ihr Konto verlangt einen zweiten Faktor: den Code einer App auf Ihrem Smartphone. Das Einrichten dauert eine Minute.`,setUpIntro:`Danach braucht die Anmeldung mit Passwort auch einen Code aus der App. Passkeys funktionieren wie bisher.`,setUpScan:`Scannen Sie dieses Bild mit einer Authenticator-App, etwa der Passwortverwaltung Ihres Smartphones.`,setUpPicture:`QR-Code mit dem Geheimnis für die App; dasselbe folgt als Text`,setUpText:`Oder geben Sie diesen Text in der App ein:`,setUpHere:`Die App ist auf diesem Gerät`,setUpCode:`Die sechs Ziffern, die die App jetzt zeigt.`,setUpConfirm:`Bestätigen`,recoveryTitle:`Wiederherstellungscodes sichern`,recoveryText:`Mit jedem dieser Codes können Sie sich einmal ohne die App anmelden. Bewahren Sie sie bei Ihren Passwörtern oder auf Papier auf. Sie werden nicht noch einmal angezeigt.`,recoverySaved:`Ich habe sie gesichert`,title:`Ihre Anmeldung`,fresh:`Melden Sie sich noch einmal an, um Ihre Anmeldung zu sehen und zu ändern.`,signedInAs:e=>`Angemeldet als ${e}.`,unknown:`Damit meldet sich hier noch niemand an. Wählen Sie einen anderen Weg oder erstellen Sie zuerst ein Konto.`,leave:`Fertig`,left:`Sie haben diese Seite verlassen.`,methods:`Anmeldemethoden`,password:`Passwort`,passwordChange:`Passwort ändern`,passwordSave:`Passwort speichern`,passwordEnds:`Danach werden Sie überall abgemeldet.`,passwordChanged:`Ihr Passwort wurde geändert, und Sie wurden überall abgemeldet.`,passwordAdd:`Passwort hinzufügen`,passwordEmail:`Wir senden einen Code an diese Adresse, um zu prüfen, ob sie Ihnen gehört.`,passwordCode:e=>`Wir haben eine Nachricht an ${e} geschickt. Geben Sie den Code daraus ein. Enthält sie keinen Code, verwendet bereits eine andere Anmeldung diese Adresse.`,passwordAdded:`Sie können sich jetzt auch mit Ihrer E-Mail-Adresse und diesem Passwort anmelden.`,passwordSet:`Ihr Passwort ist festgelegt, und Sie wurden überall abgemeldet.`,passwordLate:`Der Code ist abgelaufen oder wurde bereits verwendet. Bitte beginnen Sie noch einmal.`,passwordLast:`Das ist Ihre einzige Anmeldemethode, deshalb lässt sie sich nicht entfernen. Fügen Sie zuerst eine andere hinzu.`,passwordRemoveText:`Über einen Link per E-Mail können Sie weiterhin ein neues festlegen. Sie werden dann überall abgemeldet.`,passwordRemove:`Passwort entfernen`,passwordRemoved:`Das Passwort ist entfernt, und Sie wurden überall abgemeldet.`,passkey:`Passkey`,passkeyAdd:`Passkey hinzufügen`,passkeyAdded:`Ihr Passkey ist gespeichert.`,passkeyFailed:`Es wurde kein Passkey gespeichert. Bitte versuchen Sie es erneut.`,passkeyRemoved:`Mit diesem Passkey können Sie sich nicht mehr anmelden.`,provider:`Verbunden`,providerAdd:e=>`${e} hinzufügen`,providerGo:e=>`Melden Sie sich als Nächstes bei ${e} mit dem Konto an, das Sie hier verwenden möchten.`,providerAdded:e=>`Sie können sich jetzt auch mit ${e} anmelden.`,providerKnown:e=>`Mit diesem Konto bei ${e} können Sie sich bereits anmelden. Es wurde nichts geändert.`,providerTaken:e=>`Dieses Konto bei ${e} gehört hier bereits zu einer anderen Anmeldung. Es wurde nichts geändert. Melden Sie sich mit ${e} an, um sie zu sehen, und löschen Sie sie, wenn Sie sie nicht brauchen.`,providerTooMany:`Weitere Anmeldemethoden sind nicht möglich. Entfernen Sie zuerst eine.`,providerRemoved:`Mit dieser Methode können Sie sich nicht mehr anmelden.`,lastMethod:`Das ist Ihre einzige Anmeldemethode, deshalb lässt sie sich nicht entfernen.`,added:e=>`hinzugefügt ${e}`,lastUsed:e=>`zuletzt verwendet ${e}`,neverUsed:`noch nicht verwendet`,remove:`Entfernen`,removeWhat:e=>`Entfernen: ${e}`,second:`Zweiter Faktor`,secondOff:`Sie melden sich nur mit Ihrem Passwort an. Mit dem Code einer App ist ein gestohlenes Passwort nutzlos.`,secondOn:e=>`Authenticator-App in Verwendung seit ${e}.`,secondSetUp:`App einrichten`,secondRemove:`App entfernen`,secondRemoved:`Die App und ihre Wiederherstellungscodes gelten nicht mehr.`,recoveryLeft:e=>`Übrige Wiederherstellungscodes: ${e}.`,recoveryRenew:`Neue Wiederherstellungscodes`,sessions:`Wo Sie angemeldet sind`,sessionsNone:`Nur auf dieser Seite.`,sessionsHint:`Zu jeder Anmeldung speichern wir nur das Netz und die Art des Programms.`,sessionUnknown:`Unbekannter Ort`,since:e=>`seit ${e}`,withPassword:`Passwort`,withCode:`Passwort und Code`,withPasskey:`Passkey`,end:`Abmelden`,endWhat:e=>`Abmelden: ${e}`,ended:`Sie sind dort abgemeldet.`,endAll:`Überall abmelden`,endedAll:`Sie sind überall abgemeldet.`,delete:`Anmeldung löschen`,deleteText:`Ihre Anmeldemethoden und Sitzungen werden gelöscht, und Sie verlassen Ihre Konten. Was zu einem Konto gehört, bleibt dort. Das lässt sich nicht rückgängig machen.`,deleteSure:`Ich möchte meine Anmeldung löschen`,deleteDo:`Löschen`,deleteUnsure:`Setzen Sie zuerst das Häkchen. Es wurde nichts geändert.`,deleteLastOwner:e=>`Sie sind der letzte Eigentümer des Kontos „${e}“. Machen Sie ein anderes Mitglied zum Eigentümer oder löschen Sie das Konto in der Konsole. Es wurde nichts geändert.`,data:`Ihre Daten`,dataText:e=>`Das hat ${e} über Sie gespeichert: Ihre Spielstände mit früheren Versionen und Ihre Anmeldemethoden.`,dataDownload:`Meine Daten exportieren`,erase:`Alles löschen`,eraseText:e=>`Ihre Spielstände in ${e} werden mit allen früheren Versionen gelöscht, und Sie werden überall abgemeldet. Auch Ihre Anmeldung wird gelöscht, es sei denn, Sie haben Spielstände in einem anderen Spiel desselben Teams oder sind dort gesperrt. Das lässt sich nicht rückgängig machen.`,eraseSure:`Ich möchte alles löschen`,erasedTitle:`Alles ist gelöscht`,erased:e=>`Ihre Daten in ${e} wurden gelöscht, und Sie wurden überall abgemeldet.`,deletedTitle:`Ihre Anmeldung ist gelöscht`,deleted:`Sie wurden überall abgemeldet.`,gone:`Das gibt es nicht mehr. Es wurde nichts geändert.`}},wt=e=>Ct[e];function Tt({ticket:e}){return I`${Y(`ticket`,e)}${Y(`credential`,``)}`}function Et(e,{options:t},n){let{pageLate:r,startAgain:i}=J(e.language);return I` data-options="${JSON.stringify(t)}" data-failed="${n}" data-late="${r}" data-again="${i}"`}function Dt(e,t,n=!1){let r=J(e.language);return gt(e,`/authorize/passkey`,I`${Tt(t)}<button class="button" type="button" id="passkey-button">${nt}<span>${r.passkey}</span></button>`,I` id="passkey" hidden${n&&I` data-asks`}${Et(e,t,r.passkeyFailed)}`)}var Ot=`npx holdfast account link`;function kt(e,t){let n=J(e.language),{providers:r,hasPassword:i,notice:a,faults:o}=t,s=r.length>0||i,c=s?e.isUpgrade?n.keepTitle:n.signIn:n.noMethodTitle;return{title:c,isFaulty:a?.isBad===!0||Object.keys(o??{}).length>0,...t.isAnswer&&{address:e.address(`/authorize`)},asksAgain:i&&t.passkey!==void 0,body:I`<h1>${c}</h1>
${St(e)}${e.isUpgrade&&s&&I`<p class="lead">${n.keepSignIn}</p>`}${e.isForAccountSettings&&I`<p class="lead">${wt(e.language).fresh}</p>`}${bt(a)}${xt(e,o)}
<div class="notice bad" id="passkey-notice" role="alert" hidden></div>
${s?I`<div class="body">${At(e,t)}</div>`:I`<p class="lead">${n.noMethod}</p>`}`}}function At(e,t){let{providers:n,hasPassword:r}=t;return I`${yt(e,n,r)}
${r&&jt(e,t)}`}function jt(e,t){let n=J(e.language),{email:r,faults:i,notice:a,isAnswer:o,canSignUp:s,passkey:c,hasDemoLink:l}=t,u=a?.isBad===!0&&o===!0;return I`${gt(e,`/authorize/sign-in`,I`${ft(e,{value:r,autocomplete:c===void 0?`username`:`username webauthn`,faults:i})}${pt(e,{name:`password`,label:n.password,autocomplete:`current-password`,beside:I`<a href="${e.address(`/authorize/forgot`)}">${n.forgot}</a>`,faults:i,isFocused:u&&i===void 0&&r!==void 0,...u&&i===void 0&&{attributes:I` aria-describedby="notice" aria-invalid="true"`}})}${_t(n.signIn)}`)}
${c!==void 0&&Dt(e,c)}
${s&&I`<p class="switch">${n.noAccount} <a href="${e.address(`/authorize/sign-up`)}">${n.signUp}</a></p>`}
${t.isByInvitation&&I`<p class="switch">${n.byInvitation}</p>`}
${l&&I`<p class="switch">${n.demoLink} <code>${Ot}</code></p>`}`}var Mt=[qe,Je,`/* The hosted login pages, over the shared controls: larger, and one below the other. */
:root {
  --button: var(--raised);
  --button-line: var(--line);
  --control: 48px;
  --danger-line: var(--danger);
  --radius-m: 10px;
  --size-s: var(--size-m);
}
body {
  min-height: 100svh;
}
h1 {
  margin-bottom: 12px;
  font-size: var(--size-5xl);
  line-height: 1.2;
  font-weight: var(--weight-strong);
  letter-spacing: -0.015em;
  text-wrap: balance;
}
p {
  margin-bottom: 16px;
  text-wrap: pretty;
}
.switch {
  color: var(--muted);
}
.lead {
  margin-bottom: 24px;
}
svg {
  display: block;
}
[hidden] {
  /* biome-ignore lint/complexity/noImportantStyles: what is hidden is hidden, whatever else it is */
  display: none !important;
}
:focus-visible {
  outline: 3px solid var(--text);
}

/* The page of a project: a card on the ground of the brand. */
.project {
  display: grid;
  align-items: start;
  justify-items: center;
  padding: 0;
}
.project main {
  width: 100%;
  max-width: 424px;
  min-height: 100svh;
  padding: 40px 24px 32px;
  background: var(--raised);
}
.brand {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 12px 16px;
  margin-bottom: 28px;
}
.brand img {
  max-width: 100%;
  max-height: 64px;
  height: auto;
  border-radius: var(--radius-l);
}
.monogram {
  width: 48px;
  height: 48px;
  border: 1px solid var(--primary-line);
  border-radius: var(--radius-l);
  background: var(--primary);
  color: var(--on-primary);
  font-size: var(--size-5xl);
}
.brand span {
  font-size: var(--size-2xl);
  font-weight: var(--weight-strong);
}
@media (min-width: 421px) {
  .project {
    align-items: center;
    padding: 32px 16px;
  }
  .project main {
    min-height: 0;
    padding: 40px;
    border-radius: var(--radius-2xl);
    box-shadow:
      0 0 0 1px var(--hairline),
      var(--shadow-card);
  }
}

/* Forms. */
.field {
  margin-bottom: 18px;
}
.label {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0 16px;
  font-weight: var(--weight-normal);
}
label {
  font-weight: var(--weight-strong);
}
label small {
  font-weight: var(--weight-normal);
  font-size: var(--size-m);
  color: var(--muted);
}
.code {
  max-width: 208px;
  font-size: var(--size-5xl);
  letter-spacing: 0.3em;
  font-variant-numeric: tabular-nums;
}
.reveal {
  position: relative;
}
.reveal input {
  padding-right: 112px;
}
.reveal button {
  position: absolute;
  inset: 1px 1px 1px auto;
  padding: 0 14px;
  font-size: var(--size-m);
  color: var(--link);
  border-radius: var(--radius-m);
}
.hint,
.fault {
  margin: 6px 0 0;
  font-size: var(--size-m);
}
.button {
  width: 100%;
  gap: 12px;
}
.button svg {
  flex: none;
  width: 20px;
  height: 20px;
}
form + form,
form + .button,
.button + form,
.button + .button {
  margin-top: 12px;
}
.ways {
  display: grid;
  gap: 12px;
}
.or {
  display: flex;
  align-items: center;
  gap: 16px;
  margin: 20px 0;
  color: var(--muted);
  font-size: var(--size-m);
}
.or::before,
.or::after {
  content: "";
  flex: 1;
  border-top: 1px solid var(--hairline);
}
.switch {
  margin: 28px 0 0;
}
.switch code {
  white-space: nowrap;
}
.others {
  display: flex;
  flex-wrap: wrap;
  gap: 8px 20px;
  margin-top: 24px;
}
.body {
  margin-top: 24px;
}
`,Ye].join(``).replace(/^(?:html|:root) \{/gm,`:host {`).replace(/^body \{/gm,`.page {`).replaceAll(`@media (min-width`,`@container (min-width`).replaceAll(/100svh|100vh/g,`100%`).concat(`:host{display:block;height:100%;container-type:inline-size;overflow:auto} .page{min-height:100%;height:100%}`),X;function Nt(){return X===void 0&&(X=new CSSStyleSheet,X.replaceSync(Mt)),X}function Pt({scheme:e,frame:t,...n}){let r=(0,P.useRef)(null),i=E(),{projectName:a,colours:o,logo:s,hasPassword:c,providers:l,pageUrl:u}=n,d=(0,P.useMemo)(()=>{let e={language:i,brand:{kind:`project`,name:a,colours:o,logo:s},nonce:``,address:()=>`#`,inLanguage:()=>`#`,csrf:``},t=It(u)?{options:{},ticket:``}:void 0;return at(e,kt(e,{providers:l,hasPassword:c,canSignUp:!0,passkey:t})).text},[i,a,o,s,c,l,u]);(0,P.useEffect)(()=>{if(r.current===null)return;let e=r.current.shadowRoot??r.current.attachShadow({mode:`open`});e.adoptedStyleSheets=[Nt()],e.innerHTML=`<div class="page project">${d}</div>`,Ft(e)},[d]);let f={...Object.fromEntries(Object.entries(Fe(o,e)).map(([e,t])=>[`--${e}`,t])),colorScheme:e};return(0,K.jsx)(`div`,{className:`login-preview`,"data-frame":t,style:f,tabIndex:0,role:`img`,"aria-label":a,children:(0,K.jsx)(`div`,{ref:r,className:`login-preview-page`,inert:!0})})}function Ft(e){for(let t of e.querySelectorAll(`[data-reveal]`))t.textContent=t.dataset.show??``,t.hidden=!1;let t=e.querySelector(`#passkey`);t!==null&&(t.hidden=!1)}function It(e){let{protocol:t,hostname:n}=new URL(e);return/^[\d.]+$|^\[/.test(n)?!1:t===`https:`||l&&n===`localhost`}var[Lt]=D(`sign-in-settings`),Rt=[[`primaryColor`,`primary`,`#1f4fbf`],[`surfaceColor`,`surface`,`#ffffff`],[`bgColor`,`background`,`#f4f5f5`]];function zt({settings:e,onChange:t}){let n=Lt(),[r,i]=(0,P.useState)(),a=async({target:e})=>{let r=e.files?.[0];if(e.value=``,r===void 0)return;let a=[`image/png`,`image/jpeg`,`image/webp`].find(e=>e===r.type);a===void 0?i(n.settings.logoType):r.size>65536?i(n.settings.logoLarge):(i(void 0),t({logoData:await Bt(r),logoMediaType:a}))};return(0,K.jsxs)(`fieldset`,{className:`card`,children:[(0,K.jsx)(`legend`,{children:n.settings.branding}),(0,K.jsx)(`div`,{className:`colours`,children:Rt.map(([r,i,a])=>(0,K.jsxs)(`div`,{className:`colour`,children:[(0,K.jsxs)(`label`,{children:[(0,K.jsx)(`input`,{type:`color`,value:e[r]??a,onChange:e=>t({[r]:e.target.value})}),(0,K.jsx)(`span`,{children:n.settings[i]})]}),(0,K.jsx)(`code`,{children:e[r]??n.settings.default}),e[r]!==null&&(0,K.jsx)(`button`,{type:`button`,className:`link`,onClick:()=>t({[r]:null}),children:n.settings.default})]},r))}),(0,K.jsxs)(`div`,{className:`field logo-field`,children:[(0,K.jsx)(`span`,{className:`label`,children:n.settings.logo}),(0,K.jsxs)(`div`,{className:`buttons`,children:[e.logoData!==null&&(0,K.jsx)(`img`,{alt:``,src:`data:${e.logoMediaType};base64,${e.logoData}`}),(0,K.jsxs)(`label`,{className:`button`,children:[n.settings.chooseLogo,(0,K.jsx)(`input`,{type:`file`,accept:`image/png,image/jpeg,image/webp`,className:`hidden-text`,onChange:e=>void a(e)})]}),e.logoData!==null&&(0,K.jsx)(j,{onClick:()=>t({logoData:null,logoMediaType:null}),children:n.settings.removeLogo})]}),r===void 0?(0,K.jsx)(`p`,{className:`hint`,children:n.settings.logoHint}):(0,K.jsx)(`p`,{className:`fault`,children:r})]})]})}async function Bt(e){let t=new Uint8Array(await e.arrayBuffer()),n=``;for(let e of t)n+=String.fromCharCode(e);return btoa(n)}function Vt({project:e,settings:t}){let r=T(),i=Lt(),{data:a}=n(g(e.accountId)),o=a?.find(({slug:t})=>t===e.slug)?.name??e.slug,[s,c]=(0,P.useState)(`phone`),[l,u]=(0,P.useState)(`light`),{primaryColor:d,surfaceColor:f,bgColor:h,logoData:_,logoMediaType:v,allowedIdps:y}=t,{data:b=`${p}/authorize`}=n(q),{data:x}=n(m(e.accountId)),S=(0,P.useMemo)(()=>({primary:d,surface:f,background:h}),[d,f,h]),C=(0,P.useMemo)(()=>_===null||v===null?null:{data:_,mediaType:v},[_,v]),w=(0,P.useMemo)(()=>y.flatMap(e=>{let t=x?.find(({providerId:t})=>t===e);return t===void 0?[]:[{id:e,name:t.name}]}),[y,x]);return(0,K.jsxs)(`section`,{className:`preview`,"aria-label":i.settings.preview,children:[(0,K.jsx)(`h2`,{children:i.settings.preview}),(0,K.jsxs)(`div`,{className:`card-bar`,children:[(0,K.jsx)(te,{label:i.settings.preview,value:s,onChange:c,options:[{value:`phone`,label:i.settings.phone},{value:`desktop`,label:i.settings.desktop},{value:`mail`,label:i.settings.mail}]}),s!==`mail`&&(0,K.jsx)(te,{label:r.nav.theme,value:l,onChange:u,options:[{value:`light`,label:r.nav.themes.light},{value:`dark`,label:r.nav.themes.dark}]})]}),s===`mail`?(0,K.jsx)(Ve,{projectName:o,settings:t}):(0,K.jsx)(Pt,{projectName:o,colours:S,logo:C,hasPassword:t.allowedIdps.includes(`password`),providers:w,pageUrl:b,scheme:l,frame:s})]})}var[Z]=D(`sign-in-settings`),Ht={"google.com":`https://console.cloud.google.com/apis/credentials`,"apple.com":`https://developer.apple.com/account/resources/identifiers/list/serviceId`,"github.com":`https://github.com/settings/developers`,"microsoft.com":`https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade`},Q=[`clientSecret`,`privateKey`],Ut=/^oidc\.[a-z0-9]+(?:[-_][a-z0-9]+)*$/;function Wt({project:e,record:n,onClose:r,onSaved:i,...a}){let o=Z(),s=t(),[c,l]=(0,P.useState)(``),[d,p]=(0,P.useState)({}),[g,_]=(0,P.useState)(!1),v=a.id??`oidc.${c.trim()}`,y=u(fe(v)),x=e=>d[e]??Gt(n,e),S=e=>pe(v).includes(e)&&x(e).trim()===``&&!(Q.includes(e)&&n?.hasSecret===!0),w=a.id!==void 0||Ut.test(v),T=w&&!y.some(S),{accountId:E}=e,D=()=>s.invalidateQueries(m(E)),O=ee(async()=>{T&&(await f(`replaceIdentityProvider`,{params:{accountId:E,providerId:v},body:Kt(y,x)}),await Promise.all([D(),s.invalidateQueries(h(e))]),i(v),b(o.saved),r())}),k=n?.name??M[v]??o.other;return(0,K.jsxs)(ie,{isOpen:!0,onClose:r,title:o.title(k),children:[(0,K.jsxs)(ae,{action:O,children:[a.id===void 0&&(0,K.jsx)(ne,{label:o.slug,hint:o.slugHint,value:c,onChange:l,spellCheck:!1}),(0,K.jsx)(qt,{accountId:E,id:w?v:void 0,record:n,name:n?.name??M[v]}),y.map(e=>(0,K.jsx)(Jt,{field:e,value:x(e),hasSecret:n?.hasSecret===!0,onChange:t=>p({...d,[e]:t})},e)),(0,K.jsx)(C,{error:O.fault}),n!==void 0&&(0,K.jsx)(Xt,{project:e,id:v,isAllowed:a.isAllowed}),n!==void 0&&(0,K.jsx)(j,{className:`provider-remove`,kind:`danger`,onClick:()=>_(!0),children:o.remove}),(0,K.jsx)(re,{action:O,label:o.save,isReady:T,onCancel:r})]}),(0,K.jsx)(oe,{isOpen:g,onClose:()=>_(!1),title:o.removeTitle(k),text:o.removeText,action:o.remove,onConfirm:async()=>{await f(`deleteIdentityProvider`,{params:{accountId:E,providerId:v}}),await D(),b(o.removed),r()}})]})}function Gt(e,t){return e===void 0||t===`clientSecret`||t===`privateKey`?``:e[t]??``}function Kt(e,t){let n=e.flatMap(e=>t(e).trim()===``?[]:[[e,t(e).trim()]]);return{clientId:``,...Object.fromEntries(n)}}function qt(e){let{accountId:t,id:r,record:i,name:a}=e,o=Z(),{data:s}=n(q);if(r===void 0)return(0,K.jsx)(`p`,{className:`hint callback`,children:o.registerLater});let c=i?.redirectUri??`${s}/federated/callback/${t}/${encodeURIComponent(r)}`,l=Ht[r];return(0,K.jsxs)(`section`,{className:`callback`,children:[(0,K.jsxs)(`p`,{children:[d(o.register(a)),l!==void 0&&(0,K.jsxs)(K.Fragment,{children:[` `,(0,K.jsx)(`a`,{href:l,target:`_blank`,rel:`noreferrer`,children:d(o.openConsole(a))})]})]}),(0,K.jsxs)(`div`,{className:`secret`,children:[(0,K.jsx)(`code`,{children:c}),(0,K.jsx)(k,{text:c,size:`small`})]})]})}function Jt({field:e,value:t,hasSecret:n,onChange:r}){let i=Z(),a=Q.includes(e),o=a&&n?i.secretKept:Yt(i,e);return e===`privateKey`?(0,K.jsx)(O,{label:i.fields[e],hint:o,children:e=>(0,K.jsx)(`textarea`,{...e,className:`mono`,rows:4,value:t,spellCheck:!1,placeholder:`-----BEGIN PRIVATE KEY-----`,onChange:e=>r(e.target.value)})}):(0,K.jsx)(ne,{label:i.fields[e],hint:o,value:t,onChange:r,spellCheck:!1,...a&&{type:`password`,autoComplete:`new-password`}})}var Yt=(e,t)=>e.hints[t];function Xt({project:e,id:t,isAllowed:r}){let i=Z(),{data:a}=n(q),{data:o}=n(h(e)),s=o?.enabled===!0&&o.allowedIdps.includes(t),c=new URLSearchParams({purpose:`account`,client_id:`${e.accountId}.${e.slug}`});return(0,K.jsx)(A,{action:s&&(0,K.jsxs)(`a`,{className:`button`,href:`${a}/with/${encodeURIComponent(t)}?${c}`,target:`_blank`,rel:`noreferrer`,children:[(0,K.jsx)(ve,{"aria-hidden":`true`}),i.test]}),children:s?i.testText:r?i.testSave:i.testAllow})}var[Zt]=D(`sign-in-settings`),Qt=[me,ue,...u(de)];function $t({project:e,allowed:t,onChange:r}){let i=T(),a=Zt(),c=n(m(e.accountId)),l=s(o(),`manage_access`),[u,f]=(0,P.useState)(),p=new Map(c.data?.map(e=>[e.providerId,e])),h={[me]:a.settings.guests,[ue]:i.signIn.password},g=[...new Set([...Qt,...p.keys(),...t])],_=e=>h[e]??p.get(e)?.name??M[e]??e;return(0,K.jsxs)(`fieldset`,{className:`card checks`,children:[(0,K.jsx)(`legend`,{children:a.settings.methods}),g.map(e=>{let n=p.get(e),i=h[e]===void 0&&c.data!==void 0;return(0,K.jsxs)(`div`,{className:`method`,children:[(0,K.jsxs)(`label`,{className:`check`,children:[(0,K.jsx)(`input`,{type:`checkbox`,checked:t.includes(e),disabled:i&&n===void 0&&!t.includes(e),onChange:({target:n})=>r(n.checked?[...t,e]:t.filter(t=>t!==e))}),(0,K.jsx)(`span`,{children:d(_(e))})]}),i&&n===void 0&&(0,K.jsx)(`small`,{className:`method-state`,children:a.settings.notConfigured}),i&&l&&(0,K.jsx)(j,{size:`small`,"aria-label":a.setUpOf(d(_(e))),onClick:()=>f({id:e,record:n}),children:n===void 0?a.setUp:a.change})]},e)}),l&&(0,K.jsx)(j,{size:`small`,icon:(0,K.jsx)(he,{}),onClick:()=>f({id:void 0,record:void 0}),children:a.addOther}),u!==void 0&&(0,K.jsx)(Wt,{project:e,...u,isAllowed:u.id!==void 0&&t.includes(u.id),onClose:()=>f(void 0),onSaved:e=>!t.includes(e)&&r([...t,e])})]})}var en=({accountId:e,slug:t})=>`${e}/${t}/sign-in`,tn=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function nn(e,t){let[n,r]=(0,P.useState)({}),[i,a]=(0,P.useState)(),o=en(e);(0,P.useEffect)(()=>{let e=!0;return N.read(o).then(t=>{e&&t!==void 0&&(r(e=>({...rn(t.text),...e})),a(t.savedAt))},()=>void 0),()=>{e=!1}},[o]);let s=(0,P.useCallback)(e=>{r(e);let n=tn({...t,...e},t),i={text:JSON.stringify(e),baseVersion:0,baseText:``,savedAt:Date.now()};(n?N.remove(o):N.write(o,i)).catch(()=>void 0)},[o,t]),c={...t,...n},l=!tn(c,t);return{settings:c,isChanged:l,restoredFrom:l?i:void 0,change:e=>s({...n,...e}),discard:()=>{a(void 0),s({})}}}function rn(e){let t=JSON.parse(e);return typeof t==`object`&&t?t:{}}var[$]=D(`sign-in-settings`);function an(){let e=T(),t=$(),r=w(),i=o(),a=i===void 0||s(i,`read_settings`),c=n({...h(r),enabled:a});return i!==void 0&&!a?(0,K.jsx)(_,{title:e.signIn.title,own:i,power:`read_settings`}):x(c.error)?(0,K.jsx)(S,{}):(0,K.jsxs)(`div`,{className:`page`,children:[(0,K.jsx)(y,{title:e.signIn.title,lead:t.settings.lead}),(0,K.jsx)(v,{power:`manage`,children:(0,K.jsx)(se,{query:c,rows:8,children:e=>(0,K.jsx)(ln,{project:r,answer:e},r.slug)})})]})}var on=/^(?:https:\/\/[^\s#*]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?][^\s#*]*)?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s#*]*)$/i,sn=/^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/[^\s#*]*)?$/,cn=e=>[...new Set(e.split(`
`).map(e=>e.trim()))].filter(e=>e!==``);function ln({project:e,answer:n}){let r=T(),i=$(),a=t(),{stored:o,warnings:s}=(0,P.useMemo)(()=>{let{warnings:e=[],...t}=n;return{stored:t,warnings:e}},[n]),{settings:l,isChanged:u,restoredFrom:d,change:p,discard:m}=nn(e,o),[g,_]=(0,P.useState)(),v=g??l.redirectUris.join(`
`),y=l.redirectUris.find(e=>!on.test(e)),x=e=>{_(void 0),p({redirectUris:[...l.redirectUris,e]})},S=()=>{_(void 0),m()},w=ee(async()=>{if(!u||y!==void 0)return;let t=await f(`replacePlayerAuthConfig`,{params:e,body:l});a.setQueryData(h(e).queryKey,t),S(),b(i.settings.saved)});return(0,K.jsxs)(`div`,{className:`sign-in-settings`,children:[(0,K.jsxs)(ae,{action:w,children:[d!==void 0&&(0,K.jsx)(A,{children:r.state.draftRestored(c(d))}),(0,K.jsx)(un,{warnings:s,registered:l.redirectUris,onAdd:x}),(0,K.jsx)(dn,{project:e,isEnabled:l.enabled,onChange:e=>p({enabled:e})}),(0,K.jsx)($t,{project:e,allowed:l.allowedIdps,onChange:e=>p({allowedIdps:[...e]})}),(0,K.jsx)(fn,{text:v,badUri:y,onChange:e=>{_(e),p({redirectUris:cn(e)})}}),(0,K.jsx)(zt,{settings:l,onChange:p}),(0,K.jsx)(Ke,{settings:l,onChange:p}),(0,K.jsx)(C,{error:w.fault}),u&&(0,K.jsx)(ce,{text:i.settings.unsaved,action:w,isReady:y===void 0,onDiscard:S})]}),(0,K.jsx)(Vt,{project:e,settings:l})]})}function un({warnings:e,registered:t,onAdd:n}){let r=$();return(0,K.jsx)(K.Fragment,{children:e.map(({code:e,value:i})=>(0,K.jsx)(A,{kind:`warn`,action:e===`redirect_uri_not_registered`&&sn.test(i)&&!t.includes(i)&&(0,K.jsx)(j,{size:`small`,onClick:()=>n(i),children:r.settings.addRedirect}),children:r.settings.warnings[e](M[i]??i)},`${e} ${i}`))})}function dn({project:{accountId:e,slug:t},isEnabled:n,onChange:r}){let i=$(),a=`${e}.${t}`;return(0,K.jsxs)(`section`,{className:`card`,children:[(0,K.jsxs)(`label`,{className:`check switch-row`,children:[(0,K.jsx)(`input`,{type:`checkbox`,role:`switch`,"aria-checked":n,checked:n,onChange:e=>r(e.target.checked)}),(0,K.jsxs)(`span`,{children:[(0,K.jsx)(`b`,{children:i.settings.enabled}),(0,K.jsx)(`small`,{children:i.settings.enabledHint})]})]}),(0,K.jsxs)(`div`,{className:`client-id`,children:[(0,K.jsx)(`span`,{className:`hint`,children:i.settings.clientId}),(0,K.jsx)(`code`,{children:a}),(0,K.jsx)(k,{text:a,size:`small`})]})]})}function fn({text:e,badUri:t,onChange:n}){let r=$();return(0,K.jsx)(`section`,{className:`card`,children:(0,K.jsx)(O,{label:r.settings.redirects,hint:r.settings.redirectsHint,fault:t===void 0?void 0:r.settings.redirectFault(t),children:t=>(0,K.jsx)(`textarea`,{...t,className:`mono`,rows:Math.max(3,e.split(`
`).length),value:e,onChange:e=>n(e.target.value),spellCheck:!1,placeholder:`https://game.example.com/signed-in`})})})}export{an as SignInSettingsPage};