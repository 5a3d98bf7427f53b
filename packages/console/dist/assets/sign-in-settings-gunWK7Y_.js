import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{t}from"./useQuery-QxOh5Wpu.js";import{R as n}from"./session-CyfvlANT.js";import{n as r,v as i,y as a}from"./frame-Df5DsYkB.js";import{t as o}from"./http-BowTZqfU.js";import{c as s,d as c,l}from"./queries-CdQkGrKY.js";import{n as u,r as d}from"./not-found-Dfq6T6t0.js";import{n as f}from"./place-DCNlmSt5.js";import{r as p}from"./texts-BLcbphiP.js";import{t as m}from"./action-CnsNiWpI.js";import{c as h,l as g,n as _,o as v,r as y,s as b,t as x}from"./fault-Daxyx5ZX.js";import{t as S}from"./form-B2e2nVSH.js";import{t as C}from"./loaded-2PX9QJBh.js";import{n as w}from"./toasts-Dz4FK-B1.js";import"./limits-TWAokjEk.js";var T=e(a(),1),E=4.5,D=3,ee=1.3;function O(e,t){let n=e.primary??(t===`dark`?`#8ab4f8`:`#1f4fbf`),{background:r,surface:i}=k(e,t,n),a=A(n,i)<ee?j(n,i,E):n,o=j(P(i)?`#f3f5f4`:`#16201f`,i,12),s=A(`#ffffff`,a)>=E?`#ffffff`:j(`#0c1514`,a,E),c=j(F(i,o,.3),i,D),l=N(o,F(i,`#c9342b`,P(i)?.18:.07)),u=N(o,F(i,P(i)?`#000000`:`#ffffff`,P(i)?.2:.6)),d=N(o,F(i,a,.08));return{bg:r,"on-bg":j(F(r,P(r)?`#ffffff`:`#16201f`,.7),r,E),"link-on-bg":j(a,r,E),surface:i,text:o,muted:j(F(i,o,.65),i,E),line:c,hairline:F(i,o,.14),field:u,primary:a,"primary-hover":F(a,s===`#ffffff`?`#000000`:`#ffffff`,.12),"primary-line":A(a,i)>=D?a:c,"on-primary":s,link:M(a,[i,d,u]),danger:M(`#c0322a`,[i,l]),"danger-surface":l,"note-surface":d}}function k({background:e,surface:t},n,r){if(n===`dark`){let n=e!==null&&P(e)?e:F(`#0d1112`,r,.06);return{background:n,surface:t!==null&&P(t)?t:F(n,`#ffffff`,.07)}}let i=e??t??F(`#f4f5f5`,r,.04);return{background:i,surface:t??(P(i)?F(i,`#ffffff`,.07):`#ffffff`)}}function A(e,t){let[n,r]=[I(e),I(t)].sort((e,t)=>e-t);return(r+.05)/(n+.05)}function j(e,t,n){return M(e,[t],n)}function M(e,t,n=E){let r=P(t[0])?`#ffffff`:`#000000`;for(let i=0;i<1;i+=.04){let a=F(e,r,i);if(t.every(e=>A(a,e)>=n))return a}return r}function N(e,t){let n=P(e)?`#ffffff`:`#000000`,r=t;for(let i=0;i<1&&A(e,r)<E;i+=.04)r=F(t,n,i);return r}function P(e){return A(e,`#ffffff`)>A(e,`#000000`)}function F(e,t,n){let[r,i]=[L(e),L(t)];return`#${r.map((e,t)=>Math.round(e+(i[t]-e)*n).toString(16).padStart(2,`0`)).join(``)}`}function I(e){let[t,n,r]=L(e).map(e=>{let t=e/255;return t<=.04045?t/12.92:((t+.055)/1.055)**2.4});return .2126*t+.7152*n+.0722*r}function L(e){if(!/^#[0-9a-f]{6}$/i.test(e))throw Error(`${JSON.stringify(e)} is no colour of the form #rrggbb`);let t=Number.parseInt(e.slice(1),16);return[t>>16,t>>8&255,t&255]}var R=`*,
*::before,
*::after {
  box-sizing: border-box;
}
html {
  font:
    100% / 1.5 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "Noto Sans",
    sans-serif;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
body {
  margin: 0;
  min-height: 100svh;
  background: var(--bg);
  color: var(--text);
  overflow-wrap: anywhere;
}
h1 {
  margin: 0 0 0.75rem;
  font-size: 1.5rem;
  line-height: 1.2;
  font-weight: 650;
  letter-spacing: -0.015em;
  text-wrap: balance;
}
p {
  margin: 0 0 1rem;
  text-wrap: pretty;
}
.lead,
.hint,
.switch {
  color: var(--muted);
}
.lead {
  margin-bottom: 1.5rem;
}
.hint {
  margin: 0.375rem 0 0;
  font-size: 0.875rem;
}
a {
  color: var(--link);
  text-underline-offset: 0.2em;
  text-decoration-thickness: 0.08em;
}
a:hover {
  text-decoration-thickness: 0.14em;
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
  outline-offset: 2px;
  border-radius: 0.5rem;
}
h1:focus {
  outline: 0;
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
  max-width: 26.5rem;
  min-height: 100svh;
  padding: 2.5rem 1.5rem 2rem;
  background: var(--surface);
}
.brand {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.75rem 1rem;
  margin-bottom: 1.75rem;
}
.brand img {
  max-width: 100%;
  max-height: 4rem;
  height: auto;
  border-radius: 0.75rem;
}
.monogram {
  display: grid;
  place-items: center;
  width: 3rem;
  height: 3rem;
  border-radius: 0.875rem;
  border: 1px solid var(--primary-line);
  background: var(--primary);
  color: var(--on-primary);
  font-size: 1.5rem;
  font-weight: 650;
}
.brand span {
  font-size: 1.125rem;
  font-weight: 600;
}
@media (min-width: 30em) {
  .project {
    align-items: center;
    padding: 2rem 1rem;
  }
  .project main {
    min-height: 0;
    padding: 2.5rem;
    border-radius: 1.5rem;
    box-shadow:
      0 0 0 1px var(--hairline),
      0 1.5rem 3rem -1.5rem rgb(0 0 0 / 28%);
  }
}

/* The page of the service: kelp that holds to its rock. */
.service header {
  position: relative;
  overflow: hidden;
  background: #0c3633;
  color: #f2efe4;
  min-height: 8.5rem;
  padding: 1.75rem 1.5rem;
}
.service header svg.scene {
  position: absolute;
  top: -6rem;
  right: -6.5rem;
  width: 19rem;
  height: 28.5rem;
}
.wordmark {
  position: relative;
  display: flex;
  align-items: center;
  gap: 0.625rem;
  margin: 0;
  font:
    600 1.375rem / 1.2 ui-serif,
    "Iowan Old Style",
    "Palatino Linotype",
    Palatino,
    Georgia,
    serif;
}
.wordmark svg {
  width: 2rem;
  height: 2rem;
}
.tagline {
  position: relative;
  margin: 0.25rem 0 0 2.625rem;
  font-size: 0.875rem;
  color: #c9d8cd;
}
.service main {
  width: 100%;
  max-width: 29rem;
  margin: 0 auto;
  padding: 2.25rem 1.5rem 3rem;
}
.service h1 {
  font:
    600 1.875rem / 1.15 ui-serif,
    "Iowan Old Style",
    "Palatino Linotype",
    Palatino,
    Georgia,
    serif;
}
.sway {
  animation: sway 14s ease-in-out infinite alternate;
  transform-origin: 300px 800px;
}
@keyframes sway {
  from {
    transform: rotate(-1.2deg);
  }
  to {
    transform: rotate(1.2deg);
  }
}
@media (min-width: 56em) {
  .service {
    display: grid;
    grid-template-columns: minmax(20rem, 5fr) 7fr;
  }
  .service header {
    position: sticky;
    top: 0;
    height: 100vh;
    padding: 2.5rem;
  }
  .service header svg.scene {
    inset: 0;
    width: 100%;
    height: 100%;
  }
  .service main {
    align-self: center;
    padding-block: 3rem;
  }
  .wordmark {
    font-size: 1.75rem;
  }
  .tagline {
    font-size: 1rem;
  }
}

/* Forms. */
form {
  margin: 0;
}
.field {
  margin-bottom: 1.125rem;
}
.label {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: 0 1rem;
  margin-bottom: 0.375rem;
}
label {
  font-weight: 600;
}
label small {
  font-weight: 400;
  font-size: 0.875rem;
  color: var(--muted);
}
input {
  width: 100%;
  min-height: 3rem;
  padding: 0.625rem 0.875rem;
  font: inherit;
  color: var(--text);
  background: var(--field);
  border: 1px solid var(--line);
  border-radius: 0.625rem;
}
input:focus-visible {
  outline-offset: -1px;
  border-radius: 0.625rem;
}
input[aria-invalid] {
  border-color: var(--danger);
  box-shadow: inset 0 0 0 1px var(--danger);
}
.code {
  max-width: 13rem;
  font-size: 1.5rem;
  letter-spacing: 0.3em;
  font-variant-numeric: tabular-nums;
}
.reveal {
  position: relative;
}
.reveal input {
  padding-right: 7rem;
}
.reveal button {
  position: absolute;
  inset: 1px 1px 1px auto;
  padding: 0 0.875rem;
  font: inherit;
  font-size: 0.875rem;
  color: var(--link);
  background: none;
  border: 0;
  border-radius: 0.625rem;
  cursor: pointer;
}
.fault {
  margin: 0.375rem 0 0;
  font-size: 0.9375rem;
  color: var(--danger);
}
.button {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 0.75rem;
  width: 100%;
  min-height: 3rem;
  padding: 0.625rem 1.125rem;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 0.625rem;
  cursor: pointer;
  transition: background-color 0.15s;
}
.button:hover {
  background: var(--note-surface);
}
.button.primary {
  color: var(--on-primary);
  background: var(--primary);
  border-color: var(--primary-line);
}
.button.primary:hover {
  background: var(--primary-hover);
}
.button svg {
  flex: none;
  width: 1.25rem;
  height: 1.25rem;
}
form + form,
form + .button,
.button + form,
.button + .button {
  margin-top: 0.75rem;
}
.ways {
  margin: 0;
  padding: 0;
  list-style: none;
  display: grid;
  gap: 0.75rem;
}
.or {
  display: flex;
  align-items: center;
  gap: 1rem;
  margin: 1.25rem 0;
  color: var(--muted);
  font-size: 0.875rem;
}
.or::before,
.or::after {
  content: "";
  flex: 1;
  border-top: 1px solid var(--hairline);
}
.switch {
  margin: 1.75rem 0 0;
}
.others {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.25rem;
  margin-top: 1.5rem;
}
.plain {
  display: inline;
  padding: 0;
  font: inherit;
  color: var(--link);
  background: none;
  border: 0;
  text-decoration: underline;
  text-underline-offset: 0.2em;
  cursor: pointer;
}
.body {
  margin-top: 1.5rem;
}

/* The second step, and the page of one's own. */
.step {
  max-width: 19rem;
  font-size: 1.25rem;
  letter-spacing: 0.08em;
  font-variant-numeric: tabular-nums;
}
.qr {
  width: 13rem;
  max-width: 100%;
  margin-bottom: 1rem;
  border: 1px solid var(--hairline);
  border-radius: 0.625rem;
  overflow: hidden;
  background: #fff;
}
.secret {
  margin: 0.25rem 0 0.5rem;
  font-size: 1.125rem;
}
.recovery {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
  gap: 0.375rem 1.5rem;
  margin: 0 0 1.75rem;
  padding: 1rem 1rem 1rem 2.5rem;
  border-radius: 0.625rem;
  background: var(--note-surface);
}
.recovery code {
  font-size: 1rem;
}
.others form {
  margin: 0;
}
section {
  margin: 2.25rem 0;
}
h2 {
  margin: 0 0 0.75rem;
  font-size: 1.125rem;
  font-weight: 650;
}
.rows {
  margin: 0 0 1rem;
  padding: 0;
  list-style: none;
  border-top: 1px solid var(--hairline);
}
.rows li {
  display: flex;
  justify-content: space-between;
  align-items: baseline;
  gap: 0.5rem 1rem;
  padding: 0.875rem 0;
  border-bottom: 1px solid var(--hairline);
}
.rows li.wide,
.rows li > div {
  flex: 1;
}
.rows .hint {
  display: block;
}
.rows .plain {
  padding-block: 0.25rem;
  white-space: nowrap;
}
.more {
  display: grid;
  gap: 0.75rem;
}
#passkey-add:not([hidden]) + .more {
  margin-top: 0.75rem;
}
.kept {
  margin-bottom: 1rem;
}
details {
  width: 100%;
}
summary {
  display: flex;
  justify-content: space-between;
  align-items: baseline;
  gap: 1rem;
  cursor: pointer;
  list-style: none;
}
summary::-webkit-details-marker {
  display: none;
}
.unfolded {
  margin-top: 1rem;
}
.unfolded .hint {
  margin-bottom: 1rem;
}
.check {
  display: flex;
  align-items: center;
  gap: 0.75rem;
  margin-bottom: 1rem;
  font-weight: 400;
}
.check input {
  flex: none;
  width: 1.25rem;
  min-height: 1.25rem;
  accent-color: var(--primary);
}
.button.danger {
  color: var(--danger);
  border-color: var(--danger);
}
.legal {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  margin: 2rem 0 0;
  font-size: 0.875rem;
}
.notice {
  margin: 1rem 0 1.5rem;
  padding: 0.875rem 1rem;
  border-radius: 0.625rem;
  border-left: 4px solid var(--link);
  background: var(--note-surface);
}
.notice.bad {
  border-color: var(--danger);
  background: var(--danger-surface);
}
.notice p,
.notice ul {
  margin: 0;
}
.notice ul {
  padding-left: 1.25rem;
}
.notice.bad a {
  color: inherit;
}
[data-busy] .primary {
  cursor: progress;
  opacity: 0.75;
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
@media (forced-colors: active) {
  .notice,
  .button,
  input,
  .monogram,
  .project main {
    border: 1px solid;
  }
  .service header svg.scene {
    display: none;
  }
}

/* The accounts of a developer. */
.account {
  flex-direction: column;
  align-items: flex-start;
  gap: 0.125rem;
  text-align: start;
}
.account small {
  font-weight: 400;
  opacity: 0.85;
}
`,z=e(r(),1),B=i(),V={"google.com":`Google`,"apple.com":`Apple`,"github.com":`GitHub`,"microsoft.com":`Microsoft`},H=R.replace(/^html \{/m,`:host {`).replace(/^body \{/m,`.page {`).replaceAll(`@media (min-width`,`@container (min-width`).replaceAll(/100svh|100vh/g,`100%`).concat(`:host{display:block;height:100%;container-type:inline-size;overflow:auto} .page{min-height:100%;height:100%}`),U;function W(){return U===void 0&&(U=new CSSStyleSheet,U.replaceSync(H)),U}function G({projectName:e,colours:t,logo:n,methods:r,scheme:i,frame:a}){let o=(0,T.useRef)(null),[s,c]=(0,T.useState)();(0,T.useEffect)(()=>{if(o.current===null)return;let e=o.current.shadowRoot??o.current.attachShadow({mode:`open`});e.adoptedStyleSheets=[W()],c(e)},[]);let l=O(t,i),u={...Object.fromEntries(Object.entries(l).map(([e,t])=>[`--${e}`,t])),colorScheme:i};return(0,B.jsxs)(`div`,{className:`login-preview`,"data-frame":a,style:u,tabIndex:0,role:`img`,"aria-label":e,children:[(0,B.jsx)(`div`,{ref:o,className:`login-preview-page`,inert:!0}),s!==void 0&&(0,z.createPortal)((0,B.jsx)(K,{projectName:e,logo:n,methods:r}),s)]})}function K({projectName:e,logo:t,methods:n}){let r=p().signIn.previewTexts,i=n.filter(e=>e!==`password`&&e!==`anonymous`),a=n.includes(`password`);return(0,B.jsx)(`div`,{className:`page project`,children:(0,B.jsxs)(`main`,{children:[(0,B.jsxs)(`div`,{className:`brand`,children:[t===void 0?(0,B.jsx)(`div`,{className:`monogram`,children:[...e][0]?.toUpperCase()}):(0,B.jsx)(`img`,{src:t,alt:``}),(0,B.jsx)(`span`,{children:e})]}),(0,B.jsx)(`h1`,{children:r.title}),(0,B.jsxs)(`div`,{className:`body`,children:[i.length>0&&(0,B.jsx)(`ul`,{className:`ways`,children:i.map(e=>(0,B.jsx)(`li`,{children:(0,B.jsx)(`span`,{className:`button`,children:r.with(V[e]??e.replace(/^oidc\./,``))})},e))}),i.length>0&&a&&(0,B.jsx)(`div`,{className:`or`,children:r.or}),a&&(0,B.jsxs)(B.Fragment,{children:[(0,B.jsxs)(`div`,{className:`field`,children:[(0,B.jsx)(`div`,{className:`label`,children:(0,B.jsx)(`b`,{children:r.email})}),(0,B.jsx)(`input`,{readOnly:!0})]}),(0,B.jsxs)(`div`,{className:`field`,children:[(0,B.jsx)(`div`,{className:`label`,children:(0,B.jsx)(`b`,{children:r.password})}),(0,B.jsx)(`input`,{readOnly:!0})]}),(0,B.jsx)(`span`,{className:`button primary`,children:r.submit})]})]})]})})}var q=[[`primaryColor`,`primary`,`#1f4fbf`],[`surfaceColor`,`surface`,`#ffffff`],[`bgColor`,`background`,`#f4f5f5`]];function J({settings:e,onChange:t}){let n=p(),[r,i]=(0,T.useState)(),a=async({target:e})=>{let r=e.files?.[0];if(e.value=``,r===void 0)return;let a=[`image/png`,`image/jpeg`,`image/webp`].find(e=>e===r.type);a===void 0?i(n.signIn.logoType):r.size>65536?i(n.signIn.logoLarge):(i(void 0),t({logoData:await Y(r),logoMediaType:a}))};return(0,B.jsxs)(`fieldset`,{className:`card branding`,children:[(0,B.jsx)(`legend`,{children:n.signIn.branding}),(0,B.jsx)(`div`,{className:`colours`,children:q.map(([r,i,a])=>(0,B.jsxs)(`div`,{className:`colour`,children:[(0,B.jsxs)(`label`,{children:[(0,B.jsx)(`input`,{type:`color`,value:e[r]??a,onChange:e=>t({[r]:e.target.value})}),(0,B.jsx)(`span`,{children:n.signIn[i]})]}),(0,B.jsx)(`code`,{children:e[r]??n.signIn.default}),e[r]!==null&&(0,B.jsx)(`button`,{type:`button`,className:`link`,onClick:()=>t({[r]:null}),children:n.signIn.default})]},r))}),(0,B.jsxs)(`div`,{className:`field logo-field`,children:[(0,B.jsx)(`span`,{className:`label`,children:n.signIn.logo}),(0,B.jsxs)(`div`,{className:`buttons`,children:[e.logoData!==null&&(0,B.jsx)(`img`,{alt:``,src:`data:${e.logoMediaType};base64,${e.logoData}`}),(0,B.jsxs)(`label`,{className:`button`,children:[n.signIn.chooseLogo,(0,B.jsx)(`input`,{type:`file`,accept:`image/png,image/jpeg,image/webp`,className:`hidden-text`,onChange:e=>void a(e)})]}),e.logoData!==null&&(0,B.jsx)(_,{kind:`quiet`,onClick:()=>t({logoData:null,logoMediaType:null}),children:n.signIn.removeLogo})]}),r===void 0?(0,B.jsx)(`p`,{className:`hint`,children:n.signIn.logoHint}):(0,B.jsx)(`p`,{className:`fault`,children:r})]})]})}async function Y(e){let t=new Uint8Array(await e.arrayBuffer()),n=``;for(let e of t)n+=String.fromCharCode(e);return btoa(n)}function X({project:e,settings:n}){let r=p(),{data:i}=t(s(e.accountId)),[a,o]=(0,T.useState)(`phone`),[c,l]=(0,T.useState)(`light`),{primaryColor:u,surfaceColor:d,bgColor:f,logoData:m,logoMediaType:h}=n;return(0,B.jsxs)(`section`,{className:`preview`,"aria-label":r.signIn.preview,children:[(0,B.jsx)(`h2`,{children:r.signIn.preview}),(0,B.jsxs)(`div`,{className:`card-bar`,children:[(0,B.jsx)(g,{label:r.signIn.preview,value:a,onChange:o,options:[{value:`phone`,label:r.signIn.phone},{value:`desktop`,label:r.signIn.desktop}]}),(0,B.jsx)(g,{label:r.nav.theme,value:c,onChange:l,options:[{value:`light`,label:r.nav.themes.light},{value:`dark`,label:r.nav.themes.dark}]})]}),(0,B.jsx)(G,{projectName:i?.find(({slug:t})=>t===e.slug)?.name??e.slug,colours:{primary:u,surface:d,background:f},logo:m===null?void 0:`data:${h};base64,${m}`,methods:n.allowedIdps,scheme:c,frame:a})]})}function Z(){let e=p(),n=f(),r=t({...c(n),refetchOnWindowFocus:!1});return d(r.error)?(0,B.jsx)(u,{}):(0,B.jsxs)(`div`,{className:`page wide`,children:[(0,B.jsx)(h,{title:e.signIn.title,lead:e.signIn.lead}),(0,B.jsx)(C,{query:r,rows:8,children:e=>(0,B.jsx)(re,{project:n,answer:e},n.slug)})]})}var Q=[`anonymous`,`password`,`google.com`,`apple.com`,`github.com`,`microsoft.com`],$={"google.com":`Google`,"apple.com":`Apple`,"github.com":`GitHub`,"microsoft.com":`Microsoft`},te=/^(?:https:\/\/[^\s#*]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?][^\s#*]*)?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s#*]*)$/i,ne=e=>[...new Set(e.split(`
`).map(e=>e.trim()))].filter(e=>e!==``);function re({project:e,answer:t}){let r=p(),i=n(),{warnings:a=[],...s}=t,[l,u]=(0,T.useState)(s),[d,f]=(0,T.useState)(s.redirectUris.join(`
`)),h={...l,redirectUris:ne(d)},g=JSON.stringify(h)!==JSON.stringify(s),v=h.redirectUris.find(e=>!te.test(e)),y=e=>u(t=>({...t,...e})),C=({warnings:e,...t})=>{u(t),f(t.redirectUris.join(`
`))},E=m(async()=>{if(!g||v!==void 0)return;let t=await o(`replaceEndUserAuthConfig`,{params:e,body:h});i.setQueryData(c(e).queryKey,t),C(t),w(r.signIn.saved)});return(0,B.jsxs)(`div`,{className:`sign-in-settings`,children:[(0,B.jsxs)(S,{action:E,children:[a.map(({code:e,value:t})=>(0,B.jsx)(b,{kind:`warn`,children:r.signIn.warnings[e]($[t]??t)},`${e} ${t}`)),(0,B.jsx)(ie,{project:e,isEnabled:l.enabled,onChange:e=>y({enabled:e})}),(0,B.jsx)(oe,{project:e,allowed:l.allowedIdps,onChange:e=>y({allowedIdps:[...e]})}),(0,B.jsx)(ae,{text:d,badUri:v,onChange:f}),(0,B.jsx)(J,{settings:l,onChange:y}),(0,B.jsx)(x,{error:E.fault}),g&&(0,B.jsxs)(`div`,{className:`form-actions sticky`,children:[(0,B.jsx)(`span`,{className:`hint`,children:r.signIn.unsaved}),(0,B.jsx)(_,{onClick:()=>C(s),children:r.state.discard}),(0,B.jsx)(_,{kind:`primary`,type:`submit`,isBusy:E.isBusy,disabled:v!==void 0,children:r.common.save})]})]}),(0,B.jsx)(X,{project:e,settings:l})]})}function ie({project:{accountId:e,slug:t},isEnabled:n,onChange:r}){let i=p(),a=`${e}.${t}`;return(0,B.jsxs)(`section`,{className:`card`,children:[(0,B.jsxs)(`label`,{className:`check switch-row`,children:[(0,B.jsx)(`input`,{type:`checkbox`,role:`switch`,"aria-checked":n,checked:n,onChange:e=>r(e.target.checked)}),(0,B.jsxs)(`span`,{children:[(0,B.jsx)(`b`,{children:i.signIn.enabled}),(0,B.jsx)(`small`,{children:i.signIn.enabledHint})]})]}),(0,B.jsxs)(`div`,{className:`client-id`,children:[(0,B.jsx)(`span`,{className:`hint`,children:i.signIn.clientId}),(0,B.jsx)(`code`,{children:a}),(0,B.jsx)(y,{text:a,size:`small`})]})]})}function ae({text:e,badUri:t,onChange:n}){let r=p();return(0,B.jsx)(`section`,{className:`card`,children:(0,B.jsx)(v,{label:r.signIn.redirects,hint:r.signIn.redirectsHint,fault:t===void 0?void 0:r.signIn.redirectFault(t),children:t=>(0,B.jsx)(`textarea`,{...t,className:`mono`,rows:Math.max(3,e.split(`
`).length),value:e,onChange:e=>n(e.target.value),spellCheck:!1,placeholder:`https://game.example.com/signed-in`})})})}function oe({project:{accountId:e},allowed:n,onChange:r}){let i=p(),a=t(l(e)),o=new Map(a.data?.map(({providerId:e,name:t})=>[e,t])),s={anonymous:i.signIn.guests,password:i.signIn.password},c=[...new Set([...Q,...o.keys(),...n])];return(0,B.jsxs)(`fieldset`,{className:`card checks`,children:[(0,B.jsx)(`legend`,{children:i.signIn.methods}),c.map(e=>(0,B.jsxs)(`label`,{className:`check`,children:[(0,B.jsx)(`input`,{type:`checkbox`,checked:n.includes(e),onChange:({target:t})=>r(t.checked?[...n,e]:n.filter(t=>t!==e))}),(0,B.jsx)(`span`,{children:s[e]??o.get(e)??$[e]??e}),s[e]===void 0&&a.data!==void 0&&!o.has(e)&&(0,B.jsx)(`small`,{className:`method-state`,children:i.signIn.notConfigured})]},e))]})}export{Z as SignInSettingsPage};