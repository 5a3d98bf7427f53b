import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{F as t,n}from"./queryOptions-Bckomkxx.js";import{b as r,d as i,p as a,x as o}from"./frame-D5rcLVUu.js";import{t as s}from"./createLucideIcon-D9RsEy3y.js";import{n as c,t as l}from"./save-file-D7Lk-oq3.js";import{t as u}from"./key-round-DZN9Pe5Y.js";import{r as d}from"./plain-text-DFsv9xDS.js";import{t as f}from"./http-BpKhToKP.js";import{c as p,m,p as h}from"./queries-Bd7_q6A7.js";import{t as g}from"./environment-switch-CXDhYdGO.js";import{n as _,r as v}from"./not-found-CMEAt9_7.js";import{i as y,r as b}from"./route-params-ClN_KELV.js";import{a as x,r as S}from"./texts-CgdgW-ZG.js";import{t as C}from"./action-CkcnTVt_.js";import{n as w,t as T}from"./code-B_ZIyJaT.js";import{c as E,l as D,n as O,o as k,s as A,t as j}from"./controls-DRg0HY5v.js";import{t as M}from"./fault-6vpmfn9S.js";import{n as N}from"./filters-Doa7BwPz.js";var P={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};P.node;var F=s(P),I=e(o(),1),L=[{value:`browser`,label:`Browser`},{value:`node`,label:`Node.js`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],R={browser:`game.html`,node:`game.mjs`,unity:`LiveConfig.cs`},z=(e,{baseUrl:t})=>e===`node`?`curl -o client.mjs ${t}/client.js && node game.mjs`:void 0,B=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,V={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
<meta charset="utf-8">
<pre id="configuration"></pre>
<button id="dig">Dig</button>
<script type="module">
  import { createClient } from '${e}/client.js';

  const { publicState, userState } = createClient(
    '${e}',
    '${n}',
    { environment: '${t}', auth: { guest: true } },
  );
  const element = (id) => document.getElementById(id);

  // The configuration: again after every change.
  publicState.subscribe(({ state }) => {
    element('configuration').textContent = JSON.stringify(state, null, 2);
  });
  // The save of this guest: changes from several tabs add up.
  userState.subscribe(({ state }) => {
    element('dig').textContent = \`Dig (\${state?.digs ?? 0})\`;
  });
  element('dig').onclick = () =>
    userState.update((save) => { save.digs = (save.digs ?? 0) + 1; });
<\/script>`,node:({baseUrl:e,env:t,key:n})=>`import { createClient } from './client.mjs';

const { publicState, userState, auth } = createClient(
  '${e}',
  '${n}',
  { environment: '${t}', auth: { guest: true } },
);
// The configuration: again after every change.
publicState.subscribe(({ state }) => console.log(state));
// The save of a new guest.
const { state } = await userState.update((save) => {
  save.digs = (save.digs ?? 0) + 1;
});
console.log(auth.user.id, state.digs);`,curl:e=>`curl -H 'Authorization: ApiKey ${e.key}' \\\n  '${B(e)}'`,unity:e=>`using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class LiveConfig : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Get(
            "${B(e)}");
        request.SetRequestHeader("Authorization", "ApiKey ${e.key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`},H=(e,t)=>V[e](t),U=r(),[W]=S(`connect`),G=5e3;function K(){let e=x(),t=W(),{welcome:r}=a({from:`/shell/p/$slug/connect`}),o=y(),{accountId:s,slug:c,env:l}=o,[u,f]=(0,I.useState)(`browser`),p=Y(o,l),h=n({...m(o),refetchInterval:G}),b={baseUrl:d,accountId:s,slug:c,env:l,key:p.text??t.placeholder},S=H(u,b);return v(h.error)?(0,U.jsx)(_,{}):(0,U.jsxs)(`div`,{className:`page wide`,children:[(0,U.jsx)(A,{title:t.title,lead:r?t.demoLead:t.lead}),(0,U.jsx)(N,{children:(0,U.jsx)(g,{})}),(0,U.jsxs)(`div`,{className:`connect`,children:[(0,U.jsxs)(`ol`,{className:`steps`,children:[(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:t.steps[u].title}),(0,U.jsx)(`p`,{children:t.steps[u].text}),(u===`browser`||u===`node`)&&(0,U.jsx)(X,{}),(0,U.jsx)(q,{language:u,onLanguage:f,text:S,command:z(u,b)}),(0,U.jsx)(J,{env:l,known:p})]}),(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:t.stepChange}),(0,U.jsx)(`p`,{children:t.stepChangeText}),(0,U.jsxs)(i,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:c,env:l},children:[t.openEditor,(0,U.jsx)(F,{"aria-hidden":`true`})]})]}),(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:r?t.stepProject:t.stepPlayers}),(0,U.jsx)(`p`,{children:r?t.stepProjectText:t.stepPlayersText}),(0,U.jsxs)(`div`,{className:`buttons`,children:[r&&(0,U.jsx)(i,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,U.jsx)(i,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:c},children:t.signPlayers})]})]})]}),(0,U.jsxs)(`section`,{className:`card live-document`,"aria-label":t.document,children:[(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(`h2`,{children:t.document}),h.data&&(0,U.jsx)(`span`,{className:`badge`,children:e.common.version(h.data.version)})]}),h.data===void 0&&(0,U.jsx)(M,{error:h.error,onRetry:()=>void h.refetch()}),h.isPending&&(0,U.jsx)(D,{rows:6}),h.data===null&&(0,U.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),h.data&&(0,U.jsx)(w,{value:h.data.state})]})]})]})}function q({language:e,onLanguage:t,text:n,command:r}){let i=x(),a=W(),o=R[e];return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(E,{label:i.nav.language,value:e,onChange:t,options:L}),(0,U.jsxs)(`div`,{className:`buttons`,children:[o!==void 0&&(0,U.jsx)(j,{kind:`quiet`,icon:(0,U.jsx)(c,{}),title:o,onClick:()=>l(o,`text/plain`,n),children:a.download}),(0,U.jsx)(O,{text:n})]})]}),(0,U.jsx)(T,{className:`snippet`,text:n}),(0,U.jsx)(`p`,{children:a.run[e]}),r!==void 0&&(0,U.jsxs)(`div`,{className:`snippet-command`,children:[(0,U.jsx)(T,{text:r}),(0,U.jsx)(O,{text:r,size:`small`})]})]})}function J({env:e,known:n}){let r=W(),i=b(),a=t(),o=C(async()=>{let t={name:r.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await f(`createApiKey`,{params:i,body:t});n.show(e,o),await a.invalidateQueries(p(i))});return n.isPending?null:n.text===void 0?(0,U.jsxs)(U.Fragment,{children:[n.isHidden&&(0,U.jsx)(`p`,{children:r.keyHidden}),(0,U.jsx)(j,{kind:`primary`,icon:(0,U.jsx)(u,{}),isBusy:o.isBusy,onClick:o.run,children:r.createKey}),(0,U.jsx)(M,{error:o.fault})]}):(0,U.jsx)(k,{kind:`good`,children:r.keyIn})}function Y(e,t){let[r,i]=(0,I.useState)(),{data:a=[],isPending:o}=n({...p(e),retry:!1}),s=a.filter(({kind:e,environments:n,expiresAt:r})=>e===`publishable`&&n.includes(t)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:r?.env===t?r.text:c,isHidden:s.length>0,show:(e,t)=>i({env:e,text:t})}}function X(){let e=W(),r=b(),i=t(),{data:a}=n({...h(r),retry:!1}),o=C(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...a?.allowedIdps??[],`anonymous`])]};i.setQueryData(h(r).queryKey,await f(`patchPlayerAuthConfig`,{params:r,body:e}))});return a===void 0||a.enabled&&a.allowedIdps.includes(`anonymous`)?null:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(k,{kind:`warn`,action:(0,U.jsx)(j,{isBusy:o.isBusy,onClick:o.run,children:e.allowGuests}),children:e.noGuests}),(0,U.jsx)(M,{error:o.fault})]})}export{K as ConnectPage};