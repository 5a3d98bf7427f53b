import{$ as e,E as t,P as n,f as r,h as i,p as a,t as o}from"./session-DA23Pdv3.js";import{t as s}from"./useParams-xpabXy-P.js";import{d as c,g as l,m as u,p as d}from"./texts-DzwJmOEn.js";import{n as f,r as p}from"./not-found-DxznBKor.js";import{t as m}from"./action-CaeuZmJ0.js";import{c as h,i as g,l as _,r as v,s as y,t as b,u as x}from"./fault-D0CA6ChX.js";import{t as S}from"./form-ChcZjZ2z.js";import{t as C}from"./loaded-CpUnW-p6.js";import{t as w}from"./title-CbiP1_0s.js";import{n as T}from"./toasts-Cxmp3Jjz.js";import"./limits-Dlfi_IHL.js";import{t as E}from"./react-dom-DL1DXyyY.js";var D=l(u(),1),O=4.5,k=3,A=1.3;function j(e,t){let n=e.primary??(t===`dark`?`#8ab4f8`:`#1f4fbf`),{background:r,surface:i}=M(e,t,n),a=N(n,i)<A?P(n,i,O):n,o=P(L(i)?`#f3f5f4`:`#16201f`,i,12),s=N(`#ffffff`,a)>=O?`#ffffff`:P(`#0c1514`,a,O),c=P(R(i,o,.3),i,k),l=I(o,R(i,`#c9342b`,L(i)?.18:.07)),u=I(o,R(i,L(i)?`#000000`:`#ffffff`,L(i)?.2:.6)),d=I(o,R(i,a,.08));return{bg:r,"on-bg":P(R(r,L(r)?`#ffffff`:`#16201f`,.7),r,O),"link-on-bg":P(a,r,O),surface:i,text:o,muted:P(R(i,o,.65),i,O),line:c,hairline:R(i,o,.14),field:u,primary:a,"primary-hover":R(a,s===`#ffffff`?`#000000`:`#ffffff`,.12),"primary-line":N(a,i)>=k?a:c,"on-primary":s,link:F(a,[i,d,u]),danger:F(`#c0322a`,[i,l]),"danger-surface":l,"note-surface":d}}function M({background:e,surface:t},n,r){if(n===`dark`){let n=e!==null&&L(e)?e:R(`#0d1112`,r,.06);return{background:n,surface:t!==null&&L(t)?t:R(n,`#ffffff`,.07)}}let i=e??t??R(`#f4f5f5`,r,.04);return{background:i,surface:t??(L(i)?R(i,`#ffffff`,.07):`#ffffff`)}}function N(e,t){let[n,r]=[z(e),z(t)].sort((e,t)=>e-t);return(r+.05)/(n+.05)}function P(e,t,n){return F(e,[t],n)}function F(e,t,n=O){let r=L(t[0])?`#ffffff`:`#000000`;for(let i=0;i<1;i+=.04){let a=R(e,r,i);if(t.every(e=>N(a,e)>=n))return a}return r}function I(e,t){let n=L(e)?`#ffffff`:`#000000`,r=t;for(let i=0;i<1&&N(e,r)<O;i+=.04)r=R(t,n,i);return r}function L(e){return N(e,`#ffffff`)>N(e,`#000000`)}function R(e,t,n){let[r,i]=[B(e),B(t)];return`#${r.map((e,t)=>Math.round(e+(i[t]-e)*n).toString(16).padStart(2,`0`)).join(``)}`}function z(e){let[t,n,r]=B(e).map(e=>{let t=e/255;return t<=.04045?t/12.92:((t+.055)/1.055)**2.4});return .2126*t+.7152*n+.0722*r}function B(e){if(!/^#[0-9a-f]{6}$/i.test(e))throw Error(`${JSON.stringify(e)} is no colour of the form #rrggbb`);let t=Number.parseInt(e.slice(1),16);return[t>>16,t>>8&255,t&255]}var V=`*,
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
`,H=l(E(),1),U=d(),W={"google.com":`Google`,"apple.com":`Apple`,"github.com":`GitHub`,"microsoft.com":`Microsoft`},G=V.replace(/^html \{/m,`:host {`).replace(/^body \{/m,`.page {`).replaceAll(`@media (min-width`,`@container (min-width`).replaceAll(/100svh|100vh/g,`100%`).concat(`:host{display:block;height:100%;container-type:inline-size;overflow:auto} .page{min-height:100%;height:100%}`),K;function q(){return K===void 0&&(K=new CSSStyleSheet,K.replaceSync(G)),K}function J({projectName:e,colours:t,logo:n,methods:r,scheme:i,frame:a}){let o=(0,D.useRef)(null),[s,c]=(0,D.useState)();(0,D.useEffect)(()=>{if(o.current===null)return;let e=o.current.shadowRoot??o.current.attachShadow({mode:`open`});e.adoptedStyleSheets=[q()],c(e)},[]);let l=j(t,i),u={...Object.fromEntries(Object.entries(l).map(([e,t])=>[`--${e}`,t])),colorScheme:i};return(0,U.jsxs)(`div`,{className:`login-preview`,"data-frame":a,style:u,tabIndex:0,role:`img`,"aria-label":e,children:[(0,U.jsx)(`div`,{ref:o,className:`login-preview-page`,inert:!0}),s!==void 0&&(0,H.createPortal)((0,U.jsx)(Y,{projectName:e,logo:n,methods:r}),s)]})}function Y({projectName:e,logo:t,methods:n}){let r=c().signIn.previewTexts,i=n.filter(e=>e!==`password`),a=n.includes(`password`);return(0,U.jsx)(`div`,{className:`page project`,children:(0,U.jsxs)(`main`,{children:[(0,U.jsxs)(`div`,{className:`brand`,children:[t===void 0?(0,U.jsx)(`div`,{className:`monogram`,children:[...e][0]?.toUpperCase()}):(0,U.jsx)(`img`,{src:t,alt:``}),(0,U.jsx)(`span`,{children:e})]}),(0,U.jsx)(`h1`,{children:r.title}),(0,U.jsxs)(`div`,{className:`body`,children:[i.length>0&&(0,U.jsx)(`ul`,{className:`ways`,children:i.map(e=>(0,U.jsx)(`li`,{children:(0,U.jsx)(`span`,{className:`button`,children:r.with(W[e]??e.replace(/^oidc\./,``))})},e))}),i.length>0&&a&&(0,U.jsx)(`div`,{className:`or`,children:r.or}),a&&(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`div`,{className:`field`,children:[(0,U.jsx)(`div`,{className:`label`,children:(0,U.jsx)(`b`,{children:r.email})}),(0,U.jsx)(`input`,{readOnly:!0})]}),(0,U.jsxs)(`div`,{className:`field`,children:[(0,U.jsx)(`div`,{className:`label`,children:(0,U.jsx)(`b`,{children:r.password})}),(0,U.jsx)(`input`,{readOnly:!0})]}),(0,U.jsx)(`span`,{className:`button primary`,children:r.submit})]})]})]})})}var X=[[`primaryColor`,`primary`,`#1f4fbf`],[`surfaceColor`,`surface`,`#ffffff`],[`bgColor`,`background`,`#f4f5f5`]];function Z({settings:e,onChange:t}){let n=c(),[r,i]=(0,D.useState)(),a=async({target:e})=>{let r=e.files?.[0];if(e.value=``,r===void 0)return;let a=[`image/png`,`image/jpeg`,`image/webp`].find(e=>e===r.type);a===void 0?i(n.signIn.logoType):r.size>65536?i(n.signIn.logoLarge):(i(void 0),t({logoData:await Q(r),logoMediaType:a}))};return(0,U.jsxs)(`fieldset`,{className:`card branding`,children:[(0,U.jsx)(`legend`,{children:n.signIn.branding}),(0,U.jsx)(`div`,{className:`colours`,children:X.map(([r,i,a])=>(0,U.jsxs)(`div`,{className:`colour`,children:[(0,U.jsxs)(`label`,{children:[(0,U.jsx)(`input`,{type:`color`,value:e[r]??a,onChange:e=>t({[r]:e.target.value})}),(0,U.jsx)(`span`,{children:n.signIn[i]})]}),(0,U.jsx)(`code`,{children:e[r]??n.signIn.default}),e[r]!==null&&(0,U.jsx)(`button`,{type:`button`,className:`link`,onClick:()=>t({[r]:null}),children:n.signIn.default})]},r))}),(0,U.jsxs)(`div`,{className:`field logo-field`,children:[(0,U.jsx)(`span`,{className:`label`,children:n.signIn.logo}),(0,U.jsxs)(`div`,{className:`buttons`,children:[e.logoData!==null&&(0,U.jsx)(`img`,{alt:``,src:`data:${e.logoMediaType};base64,${e.logoData}`}),(0,U.jsxs)(`label`,{className:`button`,children:[n.signIn.chooseLogo,(0,U.jsx)(`input`,{type:`file`,accept:`image/png,image/jpeg,image/webp`,className:`hidden-text`,onChange:e=>void a(e)})]}),e.logoData!==null&&(0,U.jsx)(v,{kind:`quiet`,onClick:()=>t({logoData:null,logoMediaType:null}),children:n.signIn.removeLogo})]}),r===void 0?(0,U.jsx)(`p`,{className:`hint`,children:n.signIn.logoHint}):(0,U.jsx)(`p`,{className:`fault`,children:r})]})]})}async function Q(e){let t=new Uint8Array(await e.arrayBuffer()),n=``;for(let e of t)n+=String.fromCharCode(e);return btoa(n)}function ee({project:e,settings:t}){let i=c(),{data:a}=n(r(e.accountId)),[o,s]=(0,D.useState)(`phone`),[l,u]=(0,D.useState)(`light`),{primaryColor:d,surfaceColor:f,bgColor:p,logoData:m,logoMediaType:h}=t;return(0,U.jsxs)(`section`,{className:`preview`,"aria-label":i.signIn.preview,children:[(0,U.jsx)(`h2`,{children:i.signIn.preview}),(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(x,{label:i.signIn.preview,value:o,onChange:s,options:[{value:`phone`,label:i.signIn.phone},{value:`desktop`,label:i.signIn.desktop}]}),(0,U.jsx)(x,{label:i.nav.theme,value:l,onChange:u,options:[{value:`light`,label:i.nav.themes.light},{value:`dark`,label:i.nav.themes.dark}]})]}),(0,U.jsx)(J,{projectName:a?.find(({slug:t})=>t===e.slug)?.name??e.slug,colours:{primary:d,surface:f,background:p},logo:m===null?void 0:`data:${h};base64,${m}`,methods:t.allowedIdps,scheme:l,frame:o})]})}function te(){let e=c(),t=o(),{slug:r}=s({from:`/shell/p/$slug/sign-in`});w(`${e.signIn.title} · ${r}`);let a=n({...i({accountId:t,slug:r}),refetchOnWindowFocus:!1});return p(a.error)?(0,U.jsx)(f,{}):(0,U.jsxs)(`div`,{className:`page wide`,children:[(0,U.jsx)(_,{title:e.signIn.title,lead:e.signIn.lead}),(0,U.jsx)(C,{query:a,rows:8,children:e=>(0,U.jsx)(ae,{project:{accountId:t,slug:r},answer:e},r)})]})}var ne=[`password`,`google.com`,`apple.com`,`github.com`,`microsoft.com`],$={"google.com":`Google`,"apple.com":`Apple`,"github.com":`GitHub`,"microsoft.com":`Microsoft`},re=/^(?:https:\/\/[^\s#*]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?][^\s#*]*)?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s#*]*)$/i,ie=e=>[...new Set(e.split(`
`).map(e=>e.trim()))].filter(e=>e!==``);function ae({project:n,answer:r}){let a=c(),o=e(),{warnings:s=[],...l}=r,[u,d]=(0,D.useState)(l),[f,p]=(0,D.useState)(l.redirectUris.join(`
`)),g={...u,redirectUris:ie(f)},_=JSON.stringify(g)!==JSON.stringify(l),y=g.redirectUris.find(e=>!re.test(e)),x=e=>d(t=>({...t,...e})),C=({warnings:e,...t})=>{d(t),p(t.redirectUris.join(`
`))},w=m(async()=>{if(!_||y!==void 0)return;let e=await t(`replaceEndUserAuthConfig`,{params:n,body:g});o.setQueryData(i(n).queryKey,e),C(e),T(a.signIn.saved)});return(0,U.jsxs)(`div`,{className:`sign-in-settings`,children:[(0,U.jsxs)(S,{action:w,children:[s.map(({code:e,value:t})=>(0,U.jsx)(h,{kind:`warn`,children:a.signIn.warnings[e]($[t]??t)},`${e} ${t}`)),(0,U.jsx)(oe,{project:n,isEnabled:u.enabled,onChange:e=>x({enabled:e})}),(0,U.jsx)(ce,{project:n,allowed:u.allowedIdps,onChange:e=>x({allowedIdps:[...e]})}),(0,U.jsx)(se,{text:f,badUri:y,onChange:p}),(0,U.jsx)(Z,{settings:u,onChange:x}),(0,U.jsx)(b,{error:w.fault}),_&&(0,U.jsxs)(`div`,{className:`form-actions sticky`,children:[(0,U.jsx)(`span`,{className:`hint`,children:a.signIn.unsaved}),(0,U.jsx)(v,{onClick:()=>C(l),children:a.state.discard}),(0,U.jsx)(v,{kind:`primary`,type:`submit`,isBusy:w.isBusy,disabled:y!==void 0,children:a.common.save})]})]}),(0,U.jsx)(ee,{project:n,settings:u})]})}function oe({project:{accountId:e,slug:t},isEnabled:n,onChange:r}){let i=c(),a=`${e}.${t}`;return(0,U.jsxs)(`section`,{className:`card`,children:[(0,U.jsxs)(`label`,{className:`check switch-row`,children:[(0,U.jsx)(`input`,{type:`checkbox`,role:`switch`,"aria-checked":n,checked:n,onChange:e=>r(e.target.checked)}),(0,U.jsxs)(`span`,{children:[(0,U.jsx)(`b`,{children:i.signIn.enabled}),(0,U.jsx)(`small`,{children:i.signIn.enabledHint})]})]}),(0,U.jsxs)(`div`,{className:`client-id`,children:[(0,U.jsx)(`span`,{className:`hint`,children:i.signIn.clientId}),(0,U.jsx)(`code`,{children:a}),(0,U.jsx)(g,{text:a,size:`small`})]})]})}function se({text:e,badUri:t,onChange:n}){let r=c();return(0,U.jsx)(`section`,{className:`card`,children:(0,U.jsx)(y,{label:r.signIn.redirects,hint:r.signIn.redirectsHint,fault:t===void 0?void 0:r.signIn.redirectFault(t),children:t=>(0,U.jsx)(`textarea`,{...t,className:`mono`,rows:Math.max(3,e.split(`
`).length),value:e,onChange:e=>n(e.target.value),spellCheck:!1,placeholder:`https://game.example.com/signed-in`})})})}function ce({project:{accountId:e},allowed:t,onChange:r}){let i=c(),o=n(a(e)),s=new Map(o.data?.map(({providerId:e,name:t})=>[e,t])),l=[...new Set([...ne,...s.keys(),...t])];return(0,U.jsxs)(`fieldset`,{className:`card checks`,children:[(0,U.jsx)(`legend`,{children:i.signIn.methods}),l.map(e=>(0,U.jsxs)(`label`,{className:`check`,children:[(0,U.jsx)(`input`,{type:`checkbox`,checked:t.includes(e),onChange:({target:n})=>r(n.checked?[...t,e]:t.filter(t=>t!==e))}),(0,U.jsx)(`span`,{children:e===`password`?i.signIn.password:s.get(e)??$[e]??e}),e!==`password`&&o.data!==void 0&&!s.has(e)&&(0,U.jsx)(`small`,{className:`method-state`,children:i.signIn.notConfigured})]},e))]})}export{te as SignInSettingsPage};