import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{t}from"./useQuery-CsVt3xMf.js";import{P as n}from"./query-key-CjIBNTxo.js";import{d as r,p as i,v as a,y as o}from"./frame-Df5DsYkB.js";import{t as s}from"./createLucideIcon-DEqOZct4.js";import{n as c,t as l}from"./save-file-BTndYePy.js";import{t as u}from"./key-round-CboMpJXR.js";import{r as d}from"./plain-text-DFsv9xDS.js";import{t as f}from"./http-vjLwYGEz.js";import{c as p,m,p as h}from"./queries-BQSRUhUg.js";import{t as g}from"./environment-switch-CW2NoEt1.js";import{n as _,r as v}from"./not-found-Dd1SYRkb.js";import{n as y,r as b}from"./route-params-BAdTkPTB.js";import{n as x,r as S}from"./texts-BRgx2Ohu.js";import{t as C}from"./action-CnsNiWpI.js";import{c as w,l as T,n as E,o as D,s as O,t as k}from"./controls-DKMFwkrF.js";import{t as A}from"./fault-Czm5by_2.js";import{t as j}from"./json-Cu71QjJ6.js";var M={name:`arrow-right`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}],[`path`,{d:`m12 5 7 7-7 7`,key:`xquz4c`}]]};M.node;var N=s(M),P=e(o(),1),F={title:`Connect`,lead:`Three steps to a game with guests, saves and this configuration.`,demoTitle:`Welcome to Holdfast`,demoLead:`This is the demo project. Its configuration is live: change it, and every client sees the change.`,stepRead:`Create a game`,stepReadText:`A whole game for this environment. Whoever opens it becomes a guest.`,download:`Download`,run:{browser:`Save it as game.html and open it in a browser.`,ts:`Save it as game.ts, then run:`,curl:`Run it in a terminal.`,unity:`Save it as LiveConfig.cs and add it to an object of a scene.`},createKey:`Create a key for this snippet`,keyIn:`The key in the snippet is publishable: a game may contain it.`,keyHidden:`The existing keys are too old to be shown.`,noGuests:`This project does not let guests in yet.`,allowGuests:`Let guests in`,keyName:`Snippet`,stepChange:`Change the configuration`,stepChangeText:`Edit it, review the difference and save. You can restore earlier versions.`,openEditor:`Open the editor`,stepProject:`Make it yours`,stepProjectText:`Create a project for your game, then let players sign in.`,stepPlayers:`Let players sign in`,stepPlayersText:`With an email address, or with Google, Apple, Steam and other providers.`,signPlayers:`Set up player sign-in`,document:`Current configuration`,placeholder:`YOUR_API_KEY`},I={title:`Verbinden`,lead:`In drei Schritten zu einem Spiel mit Gästen, Spielständen und dieser Konfiguration.`,demoTitle:`Willkommen bei Holdfast`,demoLead:`Das ist das Demoprojekt. Seine Konfiguration ist live: Wenn Sie sie ändern, sieht jeder Client die Änderung.`,stepRead:`Ein Spiel erstellen`,stepReadText:`Ein ganzes Spiel für diese Umgebung. Wer es öffnet, wird Gast mit Spielstand.`,download:`Herunterladen`,run:{browser:`Speichern Sie es als game.html und öffnen Sie die Datei im Browser.`,ts:`Speichern Sie es als game.ts und führen Sie aus:`,curl:`Führen Sie es in einem Terminal aus.`,unity:`Speichern Sie es als LiveConfig.cs und fügen Sie es einem Objekt einer Szene hinzu.`},createKey:`Schlüssel für dieses Beispiel erstellen`,keyIn:`Der Schlüssel im Beispiel ist öffentlich: Ein Spiel darf ihn enthalten.`,keyHidden:`Die vorhandenen Schlüssel sind zu alt, um angezeigt zu werden.`,noGuests:`Dieses Projekt lässt noch keine Gäste zu.`,allowGuests:`Gäste zulassen`,keyName:`Beispiel`,stepChange:`Die Konfiguration ändern`,stepChangeText:`Bearbeiten Sie sie, prüfen Sie die Unterschiede und speichern Sie. Frühere Versionen lassen sich wiederherstellen.`,openEditor:`Editor öffnen`,stepProject:`Ein eigenes Projekt`,stepProjectText:`Erstellen Sie ein Projekt für Ihr Spiel und richten Sie dann die Anmeldung für Spieler ein.`,stepPlayers:`Spieler anmelden lassen`,stepPlayersText:`Mit E-Mail-Adresse oder über Google, Apple, Steam und andere Anbieter.`,signPlayers:`Spieleranmeldung einrichten`,document:`Aktuelle Konfiguration`,placeholder:`IHR_API_SCHLUESSEL`},L=()=>x()===`de`?I:F,R=[{value:`browser`,label:`Browser`},{value:`ts`,label:`TypeScript`},{value:`curl`,label:`curl`},{value:`unity`,label:`Unity C#`}],z={browser:{file:`game.html`},ts:{file:`game.ts`,command:`npm install @holdfast/client && node game.ts`},curl:{},unity:{file:`LiveConfig.cs`}},B=({baseUrl:e,accountId:t,slug:n,env:r})=>`${e}/v1/${t}/projects/${n}/public-state/${r}`,V={browser:({baseUrl:e,env:t,key:n})=>`<!doctype html>
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
<\/script>`,ts:({baseUrl:e,env:t,key:n})=>`import { createClient } from '@holdfast/client';

type Documents = {
  publicState: Record<string, unknown>;
  userState: { digs?: number };
};
const { publicState, userState, auth } = createClient<Documents>(
  '${e}',
  '${n}',
  { environment: '${t}', auth: { guest: true } },
);
publicState.subscribe(({ state }) => console.log(state));
const { state } = await userState.update((save) => {
  save.digs = (save.digs ?? 0) + 1;
});
console.log(auth.user?.id, state.digs);`,curl:e=>`curl -H 'Authorization: ApiKey ${e.key}' \\\n  '${B(e)}'`,unity:e=>`using System.Collections;
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
}`},H=(e,t)=>V[e](t),U=a(),W=5e3;function G(){let e=S(),n=L(),{welcome:a}=i({from:`/shell/p/$slug/connect`}),o=b(),{accountId:s,slug:c,env:l}=o,[u,f]=(0,P.useState)(`browser`),p=J(o,l),h=t({...m(o),refetchInterval:W}),y=H(u,{baseUrl:d,accountId:s,slug:c,env:l,key:p.text??n.placeholder});return v(h.error)?(0,U.jsx)(_,{}):(0,U.jsxs)(`div`,{className:`page wide`,children:[(0,U.jsx)(O,{title:a?n.demoTitle:n.title,lead:a?n.demoLead:n.lead,children:(0,U.jsx)(g,{})}),(0,U.jsxs)(`div`,{className:`connect`,children:[(0,U.jsxs)(`ol`,{className:`steps`,children:[(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:n.stepRead}),(0,U.jsx)(`p`,{children:n.stepReadText}),(0,U.jsx)(K,{language:u,onLanguage:f,text:y}),(0,U.jsx)(q,{env:l,known:p}),(u===`browser`||u===`ts`)&&(0,U.jsx)(Y,{})]}),(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:n.stepChange}),(0,U.jsx)(`p`,{children:n.stepChangeText}),(0,U.jsxs)(r,{className:`button`,to:`/p/$slug/$env/state`,params:{slug:c,env:l},children:[n.openEditor,(0,U.jsx)(N,{"aria-hidden":`true`})]})]}),(0,U.jsxs)(`li`,{className:`card`,children:[(0,U.jsx)(`h2`,{children:a?n.stepProject:n.stepPlayers}),(0,U.jsx)(`p`,{children:a?n.stepProjectText:n.stepPlayersText}),(0,U.jsxs)(`div`,{className:`buttons`,children:[a&&(0,U.jsx)(r,{className:`button`,to:`/`,hash:`new`,children:e.nav.newProject}),(0,U.jsx)(r,{className:`button`,to:`/p/$slug/sign-in`,params:{slug:c},children:n.signPlayers})]})]})]}),(0,U.jsxs)(`section`,{className:`card live-document`,"aria-label":n.document,children:[(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(`h2`,{children:n.document}),h.data&&(0,U.jsx)(`span`,{className:`badge`,children:e.common.version(h.data.version)})]}),h.data===void 0&&(0,U.jsx)(A,{error:h.error,onRetry:()=>void h.refetch()}),h.isPending&&(0,U.jsx)(T,{rows:6}),h.data===null&&(0,U.jsx)(`p`,{className:`hint nothing`,children:e.state.empty}),h.data&&(0,U.jsx)(j,{value:h.data.state})]})]})]})}function K({language:e,onLanguage:t,text:n}){let r=S(),i=L(),{file:a,command:o}=z[e];return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsxs)(`div`,{className:`card-bar`,children:[(0,U.jsx)(w,{label:r.nav.language,value:e,onChange:t,options:R}),(0,U.jsxs)(`div`,{className:`buttons`,children:[a!==void 0&&(0,U.jsx)(k,{kind:`quiet`,size:`small`,icon:(0,U.jsx)(c,{}),title:a,onClick:()=>l(a,`text/plain`,n),children:i.download}),(0,U.jsx)(E,{text:n,size:`small`})]})]}),(0,U.jsx)(`pre`,{className:`json snippet`,tabIndex:0,children:n}),(0,U.jsxs)(`p`,{children:[i.run[e],` `,o!==void 0&&(0,U.jsx)(`code`,{children:o})]})]})}function q({env:e,known:t}){let r=L(),i=y(),a=n(),o=C(async()=>{let n={name:r.keyName,kind:`publishable`,access:`read`,environments:[e]},{apiKey:o}=await f(`createApiKey`,{params:i,body:n});t.show(e,o),await a.invalidateQueries(p(i))});return t.isPending?null:t.text===void 0?(0,U.jsxs)(U.Fragment,{children:[t.isHidden&&(0,U.jsx)(`p`,{children:r.keyHidden}),(0,U.jsx)(k,{kind:`primary`,icon:(0,U.jsx)(u,{}),isBusy:o.isBusy,onClick:o.run,children:r.createKey}),(0,U.jsx)(A,{error:o.fault})]}):(0,U.jsx)(D,{kind:`good`,children:r.keyIn})}function J(e,n){let[r,i]=(0,P.useState)(),{data:a=[],isPending:o}=t({...p(e),retry:!1}),s=a.filter(({kind:e,environments:t,expiresAt:r})=>e===`publishable`&&t.includes(n)&&(r===null||Date.parse(r)>Date.now())),c=s.find(({apiKey:e})=>e!==null)?.apiKey??void 0;return{isPending:o,text:r?.env===n?r.text:c,isHidden:s.length>0,show:(e,t)=>i({env:e,text:t})}}function Y(){let e=L(),r=y(),i=n(),{data:a}=t({...h(r),retry:!1}),o=C(async()=>{let e={enabled:!0,allowedIdps:[...new Set([...a?.allowedIdps??[],`anonymous`])]};i.setQueryData(h(r).queryKey,await f(`patchPlayerAuthConfig`,{params:r,body:e}))});return a===void 0||a.enabled&&a.allowedIdps.includes(`anonymous`)?null:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`p`,{children:e.noGuests}),(0,U.jsx)(k,{isBusy:o.isBusy,onClick:o.run,children:e.allowGuests}),(0,U.jsx)(A,{error:o.fault})]})}export{G as ConnectPage};