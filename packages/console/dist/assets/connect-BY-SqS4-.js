import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{t}from"./useQuery-CsVt3xMf.js";import{P as n}from"./query-key-CjIBNTxo.js";import{d as r,p as i,v as a,y as o}from"./frame-Df5DsYkB.js";import{t as s}from"./createLucideIcon-DEqOZct4.js";import{t as c}from"./key-round-CboMpJXR.js";import{r as l}from"./plain-text-DFsv9xDS.js";import{t as u}from"./http-CtSVC564.js";import{c as d,m as f,p}from"./queries-DnKfVz9j.js";import{t as m}from"./environment-switch-CJYwJm1z.js";import{n as h,r as g}from"./not-found-BcEscoom.js";import{n as _,r as v}from"./route-params-Lxyb5amX.js";import{n as y,r as b}from"./texts-C4egBs9v.js";import{t as x}from"./action-CnsNiWpI.js";import{c as S,l as C,n as w,o as T,s as E,t as D}from"./controls-Cyq_Kl_Z.js";import{t as O}from"./fault-Bl_1fGu7.js";import{t as k}from"./json-B1bN1jpf.js";var A={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};A.node;var j=s(A),M=e(o(),1),N={title:`Connect`,lead:`Three steps to a game with guests, saves and this configuration.`,demoTitle:`Welcome to Holdfast`,demoLead:`This is the demo project. Its configuration is live: change it, and every client sees the change.`,stepRead:`Create a game`,stepReadText:`A whole game for this environment. Whoever opens it becomes a guest.`,createKey:`Create a key for this snippet`,keyIn:`The key in the snippet is publishable: a game may contain it.`,keyHidden:`The existing keys are too old to be shown.`,noGuests:`This project does not let guests in yet.`,allowGuests:`Let guests in`,keyName:`Snippet`,stepChange:`Change the configuration`,stepChangeText:`Edit it, review the difference and save. You can restore earlier versions.`,openEditor:`Open the editor`,stepProject:`Make it yours`,stepProjectText:`Create a project for your game, then let players sign in.`,signPlayers:`Set up player sign-in`,document:`Current configuration`,placeholder:`YOUR_API_KEY`},P={title:`Verbinden`,lead:`In drei Schritten zu einem Spiel mit Gästen, Spielständen und dieser Konfiguration.`,demoTitle:`Willkommen bei Holdfast`,demoLead:`Das ist das Demoprojekt. Seine Konfiguration ist live: Wenn Sie sie ändern, sieht jeder Client die Änderung.`,stepRead:`Ein Spiel erstellen`,stepReadText:`Ein ganzes Spiel für diese Umgebung. Wer es öffnet, wird Gast mit Spielstand.`,createKey:`Schlüssel für dieses Beispiel erstellen`,keyIn:`Der Schlüssel im Beispiel ist öffentlich: Ein Spiel darf ihn enthalten.`,keyHidden:`Die vorhandenen Schlüssel sind zu alt, um angezeigt zu werden.`,noGuests:`Dieses Projekt lässt noch keine Gäste zu.`,allowGuests:`Gäste zulassen`,keyName:`Beispiel`,stepChange:`Die Konfiguration ändern`,stepChangeText:`Bearbeiten Sie sie, prüfen Sie die Unterschiede und speichern Sie. Frühere Versionen lassen sich wiederherstellen.`,openEditor:`Editor öffnen`,stepProject:`Ein eigenes Projekt`,stepProjectText:`Erstellen Sie ein Projekt für Ihr Spiel und richten Sie dann die Anmeldung für Spieler ein.`,signPlayers:`Spieleranmeldung einrichten`,document:`Aktuelle Konfiguration`,placeholder:`IHR_API_SCHLUESSEL`},F=()=>y()===`de`?P:N,I=[{value:`browser`,label:`Browser`},{value:`ts`,label:`TypeScript`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],L=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,R={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
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
console.log(auth.user?.id, state.digs);`,curl:e=>`curl -H 'Authorization: ApiKey ${e.key}' \\\n  '${L(e)}'`,unity:e=>`using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class LiveConfig : MonoBehaviour
{
    IEnumerator Start()
    {
        using var request = UnityWebRequest.Get(
            "${L(e)}");
        request.SetRequestHeader("Authorization", "ApiKey ${e.key}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`},z=(e,t)=>R[e](t),B=a(),V=5e3;function H(){let e=b(),n=F(),{welcome:a}=i({from:`/shell/p/$slug/connect`}),o=v(),{accountId:s,slug:c,env:u}=o,[d,p]=(0,M.useState)(`browser`),_=W(o,u),y=t({...f(o),refetchInterval:V}),x=z(d,{baseUrl:l,accountId:s,slug:c,env:u,key:_.text??n.placeholder});return g(y.error)?(0,B.jsx)(h,{}):(0,B.jsxs)(`div`,{className:`page wide`,children:[(0,B.jsx)(E,{title:a?n.demoTitle:n.title,lead:a?n.demoLead:n.lead,children:(0,B.jsx)(m,{})}),(0,B.jsxs)(`div`,{className:`connect`,children:[(0,B.jsxs)(`ol`,{className:`steps`,children:[(0,B.jsxs)(`li`,{className:`card`,children:[(0,B.jsx)(`h2`,{children:n.stepRead}),(0,B.jsx)(`p`,{children:n.stepReadText}),(0,B.jsxs)(`div`,{className:`card-bar`,children:[(0,B.jsx)(S,{label:e.nav.language,value:d,onChange:p,options:I}),(0,B.jsx)(w,{text:x,size:`small`})]}),(0,B.jsx)(`pre`,{className:`json snippet`,tabIndex:0,children:x}),(0,B.jsx)(U,{env:u,known:_}),(d===`browser`||d===`ts`)&&(0,B.jsx)(G,{})]}),(0,B.jsxs)(`li`,{className:`card`,children:[(0,B.jsx)(`h2`,{children:n.stepChange}),(0,B.jsx)(`p`,{children:n.stepChangeText}),(0,B.jsxs)(r,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:c,env:u},children:[n.openEditor,(0,B.jsx)(j,{"aria-hidden":`true`})]})]}),(0,B.jsxs)(`li`,{className:`card`,children:[(0,B.jsx)(`h2`,{children:n.stepProject}),(0,B.jsx)(`p`,{children:n.stepProjectText}),(0,B.jsxs)(`div`,{className:`buttons`,children:[(0,B.jsx)(r,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,B.jsx)(r,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:c},children:n.signPlayers})]})]})]}),(0,B.jsxs)(`section`,{className:`card live-document`,"aria-label":n.document,children:[(0,B.jsxs)(`div`,{className:`card-bar`,children:[(0,B.jsx)(`h2`,{children:n.document}),y.data&&(0,B.jsx)(`span`,{className:`badge`,children:e.common.version(y.data.version)})]}),y.data===void 0&&(0,B.jsx)(O,{error:y.error,onRetry:()=>void y.refetch()}),y.isPending&&(0,B.jsx)(C,{rows:6}),y.data===null&&(0,B.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),y.data&&(0,B.jsx)(k,{value:y.data.state})]})]})]})}function U({env:e,known:t}){let r=F(),i=_(),a=n(),o=x(async()=>{let n={name:r.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await u(`createApiKey`,{params:i,body:n});t.show(e,o),await a.invalidateQueries(d(i))});return t.isPending?null:t.text===void 0?(0,B.jsxs)(B.Fragment,{children:[t.isHidden&&(0,B.jsx)(`p`,{children:r.keyHidden}),(0,B.jsx)(D,{kind:`primary`,icon:(0,B.jsx)(c,{}),isBusy:o.isBusy,onClick:o.run,children:r.createKey}),(0,B.jsx)(O,{error:o.fault})]}):(0,B.jsx)(T,{kind:`good`,children:r.keyIn})}function W(e,n){let[r,i]=(0,M.useState)(),{data:a=[],isPending:o}=t({...d(e),retry:!1}),s=a.filter(({kind:e,environments:t,expiresAt:r})=>e===`publishable`&&t.includes(n)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:r?.env===n?r.text:c,isHidden:s.length>0,show:(e,t)=>i({env:e,text:t})}}function G(){let e=F(),r=_(),i=n(),{data:a}=t({...p(r),retry:!1}),o=x(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...a?.allowedIdps??[],`anonymous`])]};i.setQueryData(p(r).queryKey,await u(`patchPlayerAuthConfig`,{params:r,body:e}))});return a===void 0||a.enabled&&a.allowedIdps.includes(`anonymous`)?null:(0,B.jsxs)(B.Fragment,{children:[(0,B.jsx)(`p`,{children:e.noGuests}),(0,B.jsx)(D,{isBusy:o.isBusy,onClick:o.run,children:e.allowGuests}),(0,B.jsx)(O,{error:o.fault})]})}export{H as ConnectPage};