import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{t}from"./sign-in-methods-vwwp9qvV.js";import{F as n,n as r}from"./queryOptions-DbXAQhby.js";import{b as i,f as a,u as o,y as s}from"./frame-DEtlEuQP.js";import{t as c}from"./createLucideIcon-CSnZhS24.js";import{t as l}from"./download-DZpmEuxV.js";import{t as u}from"./key-round-vnd4TB75.js";import{t as d,x as f}from"./index-D_0KdUUP.js";import{c as p,m,p as h}from"./queries-Ec98iJY-.js";import{A as g,h as _,m as v,s as y,x as b}from"./app-1RnNN2GK.js";import{r as x}from"./route-params-Y1HOuoGP.js";import{a as S,r as C}from"./texts-tZx5CYMa.js";import{t as w}from"./action-Dua9IRFP.js";import{n as T,t as E}from"./code-D4eDoz76.js";import{c as D,n as O,o as k,s as A,t as j}from"./controls-BVzAZb9y.js";import{n as M}from"./filters-BzWpqrVW.js";import{t as N}from"./save-file-q0-F17Ce.js";var P={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};P.node;var F=c(P),I=e(i(),1),L=[{value:`browser`,label:`Browser`},{value:`node`,label:`Node.js`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],R={browser:`game.html`,node:`game.mjs`,unity:`LiveConfig.cs`},z=(e,{baseUrl:t})=>e===`node`?`curl -o client.mjs ${t}/client.js && node game.mjs`:void 0,B=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,V={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
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
}`},H=(e,t)=>V[e](t),U=s(),[W]=C(`connect`),G=5e3;function K(){let e=S(),t=W(),{welcome:n}=a({from:`/shell/p/$slug/connect`}),i=x(),[s,c]=(0,I.useState)(`development`),l={...i,env:s},{accountId:u,slug:d}=i,[p,h]=(0,I.useState)(`browser`),C=p===`browser`||p===`node`,w=Y(l,s),E=r({...m(l),refetchInterval:G}),O={baseUrl:f,accountId:u,slug:d,env:s,key:w.text??t.placeholder},k=H(p,O);return _(E.error)?(0,U.jsx)(v,{}):(0,U.jsxs)(`div`,{className:`page`,children:[(0,U.jsx)(g,{title:t.title,lead:n?t.demoLead:t.lead}),(0,U.jsxs)(M,{children:[(0,U.jsx)(y,{value:s,onChange:c}),s===`production`&&C&&(0,U.jsx)(`p`,{className:`connect-warning`,children:t.writesSaves})]}),(0,U.jsxs)(`div`,{className:`connect`,children:[(0,U.jsxs)(`ol`,{className:`steps`,children:[(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:t.steps[p].title}),(0,U.jsx)(`p`,{children:t.steps[p].text}),C&&(0,U.jsx)(X,{}),(0,U.jsx)(q,{language:p,onLanguage:h,text:k,command:z(p,O)}),(0,U.jsx)(J,{env:s,known:w})]}),(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:t.stepChange}),(0,U.jsx)(`p`,{children:t.stepChangeText}),(0,U.jsxs)(o,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:d,env:s},children:[t.openEditor,(0,U.jsx)(F,{"aria-hidden":`true`})]})]}),(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:n?t.stepProject:t.stepPlayers}),(0,U.jsx)(`p`,{children:n?t.stepProjectText:t.stepPlayersText}),(0,U.jsxs)(`div`,{className:`buttons`,children:[n&&(0,U.jsx)(o,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,U.jsx)(o,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:d},children:t.signPlayers})]})]})]}),(0,U.jsxs)(`section`,{className:`card live-document`,"aria-label":t.document,children:[(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(`h2`,{children:t.document}),E.data&&(0,U.jsx)(`span`,{className:`badge`,children:e.common.version(E.data.version)})]}),E.data===void 0&&(0,U.jsx)(b,{error:E.error,onRetry:()=>void E.refetch()}),E.isPending&&(0,U.jsx)(D,{rows:6}),E.data===null&&(0,U.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),E.data&&(0,U.jsx)(T,{value:E.data.state})]})]})]})}function q({language:e,onLanguage:t,text:n,command:r}){let i=S(),a=W(),o=R[e];return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(A,{label:i.nav.language,value:e,onChange:t,options:L}),(0,U.jsxs)(`div`,{className:`buttons`,children:[o!==void 0&&(0,U.jsx)(j,{icon:(0,U.jsx)(l,{}),title:o,onClick:()=>N(o,`text/plain`,n),children:a.download}),(0,U.jsx)(O,{text:n})]})]}),(0,U.jsx)(E,{className:`snippet`,text:n}),(0,U.jsx)(`p`,{children:a.run[e]}),r!==void 0&&(0,U.jsxs)(`div`,{className:`snippet-command`,children:[(0,U.jsx)(E,{text:r}),(0,U.jsx)(O,{text:r,size:`small`})]})]})}function J({env:e,known:t}){let r=W(),i=x(),a=n(),o=w(async()=>{let n={name:r.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await d(`createApiKey`,{params:i,body:n});t.show(e,o),await a.invalidateQueries(p(i))});return t.isPending?null:t.text===void 0?(0,U.jsxs)(U.Fragment,{children:[t.isHidden&&(0,U.jsx)(`p`,{children:r.keyHidden}),(0,U.jsx)(j,{kind:`primary`,icon:(0,U.jsx)(u,{}),isBusy:o.isBusy,onClick:o.run,children:r.createKey}),(0,U.jsx)(b,{error:o.fault})]}):(0,U.jsx)(k,{kind:`good`,children:r.keyIn})}function Y(e,t){let[n,i]=(0,I.useState)(),{data:a=[],isPending:o}=r({...p(e),retry:!1}),s=a.filter(({kind:e,environments:n,expiresAt:r})=>e===`publishable`&&n.includes(t)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:n?.env===t?n.text:c,isHidden:s.length>0,show:(e,t)=>i({env:e,text:t})}}function X(){let e=W(),i=x(),a=n(),{data:o}=r({...h(i),retry:!1}),s=w(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...o?.allowedIdps??[],t])]};a.setQueryData(h(i).queryKey,await d(`patchPlayerAuthConfig`,{params:i,body:e}))});return o===void 0||o.enabled&&o.allowedIdps.includes(`anonymous`)?null:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(k,{kind:`warn`,action:(0,U.jsx)(j,{isBusy:s.isBusy,onClick:s.run,children:e.allowGuests}),children:e.noGuests}),(0,U.jsx)(b,{error:s.fault})]})}export{K as ConnectPage};