import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{I as t,r as n}from"./query-key-BoIrs7N1.js";import{d as r,p as i,v as a,y as o}from"./frame-Df5DsYkB.js";import{t as s}from"./createLucideIcon-DEqOZct4.js";import{t as c}from"./key-round-CboMpJXR.js";import{r as l}from"./plain-text-DFsv9xDS.js";import{t as u}from"./http-tQBvi8iG.js";import{c as d,m as f,p}from"./queries-Cj5RYrsv.js";import{t as m}from"./environment-switch-BxxJ0Pv5.js";import{n as h,r as g}from"./not-found-aW7gjZbB.js";import{n as _,r as v}from"./route-params-Bdg9PJLo.js";import{r as y}from"./texts-BVJ-HkvB.js";import{t as b}from"./action-CnsNiWpI.js";import{c as x,l as S,n as C,o as w,s as T,t as E}from"./controls-DGkL8w5Y.js";import{t as D}from"./fault-C3FXmm7A.js";import{t as O}from"./json-BbF1Lgyt.js";var k={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};k.node;var A=s(k),j=e(o(),1),M=[{value:`browser`,label:`Browser`},{value:`ts`,label:`TypeScript`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],N=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,P={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
<meta charset="utf-8">
<pre id="configuration"></pre>
<button id="dig">Dig</button>
<script type="module">
  import { createClient } from '${e}/client.js';

  const { publicState, userState } = createClient('${e}', '${n}', {
    environment: '${t}',
    auth: { guest: true },
  });
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
<\/script>`,ts:({baseUrl:e,env:t,key:n})=>`import { createClient } from '@holdfast/client';

type Documents = {
  publicState: Record<string, unknown>;
  userState: { digs?: number };
};
const { publicState, userState, auth } = createClient<Documents>('${e}', '${n}', {
  environment: '${t}',
  auth: { guest: true },
});
publicState.subscribe(({ state }) => console.log(state));
const { state } = await userState.update((save) => {
  save.digs = (save.digs ?? 0) + 1;
});
console.log(auth.user?.id, state.digs);`,curl:e=>`curl -H 'Authorization: ApiKey ${e.key}' \\\n  '${N(e)}'`,unity:e=>`using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class LiveConfig : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Get(
            "${N(e)}");
        request.SetRequestHeader("Authorization", "ApiKey ${e.key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`},F=(e,t)=>P[e](t),I=a(),L=5e3;function R(){let e=y(),{welcome:t}=i({from:`/shell/p/$slug/connect`}),a=v(),{accountId:o,slug:s,env:c}=a,[u,d]=(0,j.useState)(`browser`),p=B(a,c),_=n({...f(a),refetchInterval:L}),b=F(u,{baseUrl:l,accountId:o,slug:s,env:c,key:p.text??e.connect.placeholder});return g(_.error)?(0,I.jsx)(h,{}):(0,I.jsxs)(`div`,{className:`page wide`,children:[(0,I.jsx)(T,{title:t?e.connect.demoTitle:e.connect.title,lead:t?e.connect.demoLead:e.connect.lead,children:(0,I.jsx)(m,{})}),(0,I.jsxs)(`div`,{className:`connect`,children:[(0,I.jsxs)(`ol`,{className:`steps`,children:[(0,I.jsxs)(`li`,{className:`card`,children:[(0,I.jsx)(`h2`,{children:e.connect.stepRead}),(0,I.jsx)(`p`,{children:e.connect.stepReadText}),(0,I.jsxs)(`div`,{className:`card-bar`,children:[(0,I.jsx)(x,{label:e.nav.language,value:u,onChange:d,options:M}),(0,I.jsx)(C,{text:b,size:`small`})]}),(0,I.jsx)(`pre`,{className:`json snippet`,tabIndex:0,children:b}),(0,I.jsx)(z,{env:c,known:p}),(u===`browser`||u===`ts`)&&(0,I.jsx)(V,{})]}),(0,I.jsxs)(`li`,{className:`card`,children:[(0,I.jsx)(`h2`,{children:e.connect.stepChange}),(0,I.jsx)(`p`,{children:e.connect.stepChangeText}),(0,I.jsxs)(r,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:s,env:c},children:[e.connect.openEditor,(0,I.jsx)(A,{"aria-hidden":`true`})]})]}),(0,I.jsxs)(`li`,{className:`card`,children:[(0,I.jsx)(`h2`,{children:e.connect.stepProject}),(0,I.jsx)(`p`,{children:e.connect.stepProjectText}),(0,I.jsxs)(`div`,{className:`buttons`,children:[(0,I.jsx)(r,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,I.jsx)(r,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:s},children:e.connect.signPlayers})]})]})]}),(0,I.jsxs)(`section`,{className:`card live-document`,"aria-label":e.connect.document,children:[(0,I.jsxs)(`div`,{className:`card-bar`,children:[(0,I.jsx)(`h2`,{children:e.connect.document}),_.data&&(0,I.jsx)(`span`,{className:`badge`,children:e.common.version(_.data.version)})]}),_.data===void 0&&(0,I.jsx)(D,{error:_.error,onRetry:()=>void _.refetch()}),_.isPending&&(0,I.jsx)(S,{rows:6}),_.data===null&&(0,I.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),_.data&&(0,I.jsx)(O,{value:_.data.state})]})]})]})}function z({env:e,known:n}){let r=y(),i=_(),a=t(),o=b(async()=>{let t={name:r.connect.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await u(`createApiKey`,{params:i,body:t});n.show(e,o),await a.invalidateQueries(d(i))});return n.isPending?null:n.text===void 0?(0,I.jsxs)(I.Fragment,{children:[n.isHidden&&(0,I.jsx)(`p`,{children:r.connect.keyHidden}),(0,I.jsx)(E,{kind:`primary`,icon:(0,I.jsx)(c,{}),isBusy:o.isBusy,onClick:o.run,children:r.connect.createKey}),(0,I.jsx)(D,{error:o.fault})]}):(0,I.jsx)(w,{kind:`good`,children:r.connect.keyIn})}function B(e,t){let[r,i]=(0,j.useState)(),{data:a=[],isPending:o}=n({...d(e),retry:!1}),s=a.filter(({kind:e,environments:n,expiresAt:r})=>e===`publishable`&&n.includes(t)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:r?.env===t?r.text:c,isHidden:s.length>0,show:(e,t)=>i({env:e,text:t})}}function V(){let e=y(),r=_(),i=t(),{data:a}=n({...p(r),retry:!1}),o=b(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...a?.allowedIdps??[],`anonymous`])]};i.setQueryData(p(r).queryKey,await u(`patchPlayerAuthConfig`,{params:r,body:e}))});return a===void 0||a.enabled&&a.allowedIdps.includes(`anonymous`)?null:(0,I.jsxs)(I.Fragment,{children:[(0,I.jsx)(`p`,{children:e.connect.noGuests}),(0,I.jsx)(E,{isBusy:o.isBusy,onClick:o.run,children:e.connect.allowGuests}),(0,I.jsx)(D,{error:o.fault})]})}export{R as ConnectPage};