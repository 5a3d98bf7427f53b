import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{r as t}from"./identifiers-DCFoHJSh.js";import{t as n}from"./sign-in-methods-vwwp9qvV.js";import{F as r,n as i}from"./queryOptions-DbXAQhby.js";import{b as a,f as o,u as s,y as c}from"./frame-DEtlEuQP.js";import{t as l}from"./createLucideIcon-CSnZhS24.js";import{t as u}from"./download-DZpmEuxV.js";import{t as d}from"./key-round-vnd4TB75.js";import{t as f,y as p}from"./index-BjuUx53N.js";import{c as m,m as h,p as g}from"./queries-F3LBN5fT.js";import{l as _,s as v,u as y}from"./app-CE1nDpQD.js";import{a as b,r as x}from"./texts-BaOfp1dY.js";import{t as S}from"./action-Dua9IRFP.js";import{n as C,t as w}from"./code-OXvWZhFO.js";import{c as T,i as E,l as D,n as O,o as k,s as A,t as j}from"./controls-ZQ7CS9Bp.js";import{t as M}from"./fault-Da1Z4hoO.js";import{n as N}from"./filters-tzEohx8t.js";import{t as P}from"./save-file-q0-F17Ce.js";/* empty css              */var F={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};F.node;var I=l(F),L=e(a(),1),R=[{value:`browser`,label:`Browser`},{value:`node`,label:`Node.js`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],z={browser:`game.html`,node:`game.mjs`,unity:`LiveConfig.cs`},B=(e,{baseUrl:t})=>e===`node`?`curl -o client.mjs ${t}/client.js && node game.mjs`:void 0,V=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,H={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
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
console.log(auth.user.id, state.digs);`,curl:e=>`curl -H 'Authorization: ApiKey ${e.key}' \\\n  '${V(e)}'`,unity:e=>`using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class LiveConfig : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Get(
            "${V(e)}");
        request.SetRequestHeader("Authorization", "ApiKey ${e.key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`},U=(e,t)=>H[e](t),W=c(),[G]=x(`connect`),K=5e3;function q(){let e=b(),n=G(),{welcome:r}=o({from:`/shell/p/$slug/connect`}),a=v(),[c,l]=(0,L.useState)(`development`),u={...a,env:c},{accountId:d,slug:f}=a,[m,g]=(0,L.useState)(`browser`),x=m===`browser`||m===`node`,S=X(u,c),w=i({...h(u),refetchInterval:K}),O={baseUrl:p,accountId:d,slug:f,env:c,key:S.text??n.placeholder},k=U(m,O);return y(w.error)?(0,W.jsx)(_,{}):(0,W.jsxs)(`div`,{className:`page wide`,children:[(0,W.jsx)(A,{title:n.title,lead:r?n.demoLead:n.lead}),(0,W.jsxs)(N,{children:[(0,W.jsx)(`span`,{className:`environment-switch`,children:(0,W.jsx)(T,{label:e.nav.environment,value:c,onChange:l,options:t.map(e=>({value:e,label:(0,W.jsx)(E,{env:e})}))})}),c===`production`&&x&&(0,W.jsx)(`p`,{className:`connect-warning`,children:n.writesSaves})]}),(0,W.jsxs)(`div`,{className:`connect`,children:[(0,W.jsxs)(`ol`,{className:`steps`,children:[(0,W.jsxs)(`li`,{className:`card`,children:[(0,W.jsx)(`h2`,{children:n.steps[m].title}),(0,W.jsx)(`p`,{children:n.steps[m].text}),x&&(0,W.jsx)(Z,{}),(0,W.jsx)(J,{language:m,onLanguage:g,text:k,command:B(m,O)}),(0,W.jsx)(Y,{env:c,known:S})]}),(0,W.jsxs)(`li`,{className:`card`,children:[(0,W.jsx)(`h2`,{children:n.stepChange}),(0,W.jsx)(`p`,{children:n.stepChangeText}),(0,W.jsxs)(s,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:f,env:c},children:[n.openEditor,(0,W.jsx)(I,{"aria-hidden":`true`})]})]}),(0,W.jsxs)(`li`,{className:`card`,children:[(0,W.jsx)(`h2`,{children:r?n.stepProject:n.stepPlayers}),(0,W.jsx)(`p`,{children:r?n.stepProjectText:n.stepPlayersText}),(0,W.jsxs)(`div`,{className:`buttons`,children:[r&&(0,W.jsx)(s,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,W.jsx)(s,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:f},children:n.signPlayers})]})]})]}),(0,W.jsxs)(`section`,{className:`card live-document`,"aria-label":n.document,children:[(0,W.jsxs)(`div`,{className:`card-bar`,children:[(0,W.jsx)(`h2`,{children:n.document}),w.data&&(0,W.jsx)(`span`,{className:`badge`,children:e.common.version(w.data.version)})]}),w.data===void 0&&(0,W.jsx)(M,{error:w.error,onRetry:()=>void w.refetch()}),w.isPending&&(0,W.jsx)(D,{rows:6}),w.data===null&&(0,W.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),w.data&&(0,W.jsx)(C,{value:w.data.state})]})]})]})}function J({language:e,onLanguage:t,text:n,command:r}){let i=b(),a=G(),o=z[e];return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsxs)(`div`,{className:`card-bar`,children:[(0,W.jsx)(T,{label:i.nav.language,value:e,onChange:t,options:R}),(0,W.jsxs)(`div`,{className:`buttons`,children:[o!==void 0&&(0,W.jsx)(j,{kind:`quiet`,icon:(0,W.jsx)(u,{}),title:o,onClick:()=>P(o,`text/plain`,n),children:a.download}),(0,W.jsx)(O,{text:n})]})]}),(0,W.jsx)(w,{className:`snippet`,text:n}),(0,W.jsx)(`p`,{children:a.run[e]}),r!==void 0&&(0,W.jsxs)(`div`,{className:`snippet-command`,children:[(0,W.jsx)(w,{text:r}),(0,W.jsx)(O,{text:r,size:`small`})]})]})}function Y({env:e,known:t}){let n=G(),i=v(),a=r(),o=S(async()=>{let r={name:n.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await f(`createApiKey`,{params:i,body:r});t.show(e,o),await a.invalidateQueries(m(i))});return t.isPending?null:t.text===void 0?(0,W.jsxs)(W.Fragment,{children:[t.isHidden&&(0,W.jsx)(`p`,{children:n.keyHidden}),(0,W.jsx)(j,{kind:`primary`,icon:(0,W.jsx)(d,{}),isBusy:o.isBusy,onClick:o.run,children:n.createKey}),(0,W.jsx)(M,{error:o.fault})]}):(0,W.jsx)(k,{kind:`good`,children:n.keyIn})}function X(e,t){let[n,r]=(0,L.useState)(),{data:a=[],isPending:o}=i({...m(e),retry:!1}),s=a.filter(({kind:e,environments:n,expiresAt:r})=>e===`publishable`&&n.includes(t)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:n?.env===t?n.text:c,isHidden:s.length>0,show:(e,t)=>r({env:e,text:t})}}function Z(){let e=G(),t=v(),a=r(),{data:o}=i({...g(t),retry:!1}),s=S(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...o?.allowedIdps??[],n])]};a.setQueryData(g(t).queryKey,await f(`patchPlayerAuthConfig`,{params:t,body:e}))});return o===void 0||o.enabled&&o.allowedIdps.includes(`anonymous`)?null:(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(k,{kind:`warn`,action:(0,W.jsx)(j,{isBusy:s.isBusy,onClick:s.run,children:e.allowGuests}),children:e.noGuests}),(0,W.jsx)(M,{error:s.fault})]})}export{q as ConnectPage};