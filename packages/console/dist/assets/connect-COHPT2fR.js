import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{t}from"./sign-in-methods-vwwp9qvV.js";import{F as n,n as r}from"./queryOptions-D492Ek5h.js";import{b as i,d as a,p as o,x as s}from"./frame-DvLO9S90.js";import{t as c}from"./createLucideIcon-IJAn27SM.js";import{n as l,t as u}from"./save-file-DHAQdk4u.js";import{t as d}from"./key-round-8FKpvetC.js";import{t as f,y as p}from"./index-ug09Ebwg.js";import{c as m,m as h,p as g}from"./queries-TqVneRfY.js";import{t as _}from"./environment-switch-C3hephhJ.js";import{c as v,l as y,s as b,u as x}from"./app-0vqthLKl.js";import{a as S,r as C}from"./texts-CEm5HAYp.js";import{t as w}from"./action-BVxMmtuj.js";import{n as T,t as E}from"./code-Cb-jkolJ.js";import{c as D,l as O,n as k,o as A,s as j,t as M}from"./controls-BWEFfGwj.js";import{t as N}from"./fault-CcCLMbi8.js";import{n as P}from"./filters-UQsLdcup.js";var F={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};F.node;var I=c(F),L=e(s(),1),R=[{value:`browser`,label:`Browser`},{value:`node`,label:`Node.js`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],z={browser:`game.html`,node:`game.mjs`,unity:`LiveConfig.cs`},B=(e,{baseUrl:t})=>e===`node`?`curl -o client.mjs ${t}/client.js && node game.mjs`:void 0,V=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,H={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
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
}`},U=(e,t)=>H[e](t),W=i(),[G]=C(`connect`),K=5e3;function q(){let e=S(),t=G(),{welcome:n}=o({from:`/shell/p/$slug/connect`}),i=v(),{accountId:s,slug:c,env:l}=i,[u,d]=(0,L.useState)(`browser`),f=X(i,l),m=r({...h(i),refetchInterval:K}),g={baseUrl:p,accountId:s,slug:c,env:l,key:f.text??t.placeholder},b=U(u,g);return x(m.error)?(0,W.jsx)(y,{}):(0,W.jsxs)(`div`,{className:`page wide`,children:[(0,W.jsx)(j,{title:t.title,lead:n?t.demoLead:t.lead}),(0,W.jsx)(P,{children:(0,W.jsx)(_,{})}),(0,W.jsxs)(`div`,{className:`connect`,children:[(0,W.jsxs)(`ol`,{className:`steps`,children:[(0,W.jsxs)(`li`,{className:`card`,children:[(0,W.jsx)(`h2`,{children:t.steps[u].title}),(0,W.jsx)(`p`,{children:t.steps[u].text}),(u===`browser`||u===`node`)&&(0,W.jsx)(Z,{}),(0,W.jsx)(J,{language:u,onLanguage:d,text:b,command:B(u,g)}),(0,W.jsx)(Y,{env:l,known:f})]}),(0,W.jsxs)(`li`,{className:`card`,children:[(0,W.jsx)(`h2`,{children:t.stepChange}),(0,W.jsx)(`p`,{children:t.stepChangeText}),(0,W.jsxs)(a,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:c,env:l},children:[t.openEditor,(0,W.jsx)(I,{"aria-hidden":`true`})]})]}),(0,W.jsxs)(`li`,{className:`card`,children:[(0,W.jsx)(`h2`,{children:n?t.stepProject:t.stepPlayers}),(0,W.jsx)(`p`,{children:n?t.stepProjectText:t.stepPlayersText}),(0,W.jsxs)(`div`,{className:`buttons`,children:[n&&(0,W.jsx)(a,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,W.jsx)(a,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:c},children:t.signPlayers})]})]})]}),(0,W.jsxs)(`section`,{className:`card live-document`,"aria-label":t.document,children:[(0,W.jsxs)(`div`,{className:`card-bar`,children:[(0,W.jsx)(`h2`,{children:t.document}),m.data&&(0,W.jsx)(`span`,{className:`badge`,children:e.common.version(m.data.version)})]}),m.data===void 0&&(0,W.jsx)(N,{error:m.error,onRetry:()=>void m.refetch()}),m.isPending&&(0,W.jsx)(O,{rows:6}),m.data===null&&(0,W.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),m.data&&(0,W.jsx)(T,{value:m.data.state})]})]})]})}function J({language:e,onLanguage:t,text:n,command:r}){let i=S(),a=G(),o=z[e];return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsxs)(`div`,{className:`card-bar`,children:[(0,W.jsx)(D,{label:i.nav.language,value:e,onChange:t,options:R}),(0,W.jsxs)(`div`,{className:`buttons`,children:[o!==void 0&&(0,W.jsx)(M,{kind:`quiet`,icon:(0,W.jsx)(l,{}),title:o,onClick:()=>u(o,`text/plain`,n),children:a.download}),(0,W.jsx)(k,{text:n})]})]}),(0,W.jsx)(E,{className:`snippet`,text:n}),(0,W.jsx)(`p`,{children:a.run[e]}),r!==void 0&&(0,W.jsxs)(`div`,{className:`snippet-command`,children:[(0,W.jsx)(E,{text:r}),(0,W.jsx)(k,{text:r,size:`small`})]})]})}function Y({env:e,known:t}){let r=G(),i=b(),a=n(),o=w(async()=>{let n={name:r.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await f(`createApiKey`,{params:i,body:n});t.show(e,o),await a.invalidateQueries(m(i))});return t.isPending?null:t.text===void 0?(0,W.jsxs)(W.Fragment,{children:[t.isHidden&&(0,W.jsx)(`p`,{children:r.keyHidden}),(0,W.jsx)(M,{kind:`primary`,icon:(0,W.jsx)(d,{}),isBusy:o.isBusy,onClick:o.run,children:r.createKey}),(0,W.jsx)(N,{error:o.fault})]}):(0,W.jsx)(A,{kind:`good`,children:r.keyIn})}function X(e,t){let[n,i]=(0,L.useState)(),{data:a=[],isPending:o}=r({...m(e),retry:!1}),s=a.filter(({kind:e,environments:n,expiresAt:r})=>e===`publishable`&&n.includes(t)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:n?.env===t?n.text:c,isHidden:s.length>0,show:(e,t)=>i({env:e,text:t})}}function Z(){let e=G(),i=b(),a=n(),{data:o}=r({...g(i),retry:!1}),s=w(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...o?.allowedIdps??[],t])]};a.setQueryData(g(i).queryKey,await f(`patchPlayerAuthConfig`,{params:i,body:e}))});return o===void 0||o.enabled&&o.allowedIdps.includes(`anonymous`)?null:(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(A,{kind:`warn`,action:(0,W.jsx)(M,{isBusy:s.isBusy,onClick:s.run,children:e.allowGuests}),children:e.noGuests}),(0,W.jsx)(N,{error:s.fault})]})}export{q as ConnectPage};