<<<<<<<< HEAD:packages/console/dist/assets/loaded-g9CK2aCU.js
import{l as e}from"./controls-46e6RgAQ.js";import{t}from"./fault-Dctm26A0.js";import{v as n}from"./frame-Df5DsYkB.js";var r=n();function i({query:n,rows:i,children:a}){let{data:o,error:s,isPending:c,refetch:l}=n;return(0,r.jsxs)(r.Fragment,{children:[(0,r.jsx)(t,{error:s,onRetry:()=>void l()}),c&&(0,r.jsx)(e,{rows:i}),o!=null&&a(o)]})}export{i as t};
========
import{l as e}from"./controls-B-8WAaD1.js";import{t}from"./fault-hQNl3UGr.js";import{v as n}from"./frame-Df5DsYkB.js";var r=n();function i({query:n,rows:i,children:a}){let{data:o,error:s,isPending:c,refetch:l}=n;return(0,r.jsxs)(r.Fragment,{children:[(0,r.jsx)(t,{error:s,onRetry:()=>void l()}),c&&(0,r.jsx)(e,{rows:i}),o!=null&&a(o)]})}export{i as t};
>>>>>>>> 80d56013 (Show a whole game with the project's own key on the console's first steps):packages/console/dist/assets/loaded-DeVvfON1.js
