<<<<<<<< HEAD:packages/console/dist/assets/texts-Eu5EK6mw.js
import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{y as t}from"./frame-Df5DsYkB.js";import{d as n,f as r,h as i,t as a,u as o}from"./loaders-Dl0_n_BQ.js";var s=e(t(),1),c=await n(a),l=()=>(0,s.useSyncExternalStore)(r,o),u=()=>(0,s.useSyncExternalStore)(r,i);function d(){return l(),c()}export{u as i,l as n,d as r,c as t};
========
import{n as e}from"./rolldown-runtime-WkwZ5CU-.js";import{y as t}from"./frame-Df5DsYkB.js";import{d as n,f as r,h as i,t as a,u as o}from"./loaders-DwvPQzV8.js";var s=e(t(),1),c=await n(a),l=()=>(0,s.useSyncExternalStore)(r,o),u=()=>(0,s.useSyncExternalStore)(r,i);function d(){return l(),c()}export{u as i,l as n,d as r,c as t};
>>>>>>>> 80d56013 (Show a whole game with the project's own key on the console's first steps):packages/console/dist/assets/texts-XMEdjCff.js
