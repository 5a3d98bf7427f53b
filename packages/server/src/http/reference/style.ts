/** The style of the reference: light and dark, from 320 pixels up, without a font, image or script. */
export const referenceStyle = `
:root{color-scheme:light dark;--page:#fbfbf9;--panel:#f2f2ee;--text:#1d2022;--soft:#575e63;--line:#dcdcd5;--link:#1f5e4d;--get:#1d5c8f;--put:#7a4b00;--patch:#6a3d9a;--post:#23653a;--delete:#a12a2a}
@media (prefers-color-scheme:dark){:root{--page:#131618;--panel:#1c2023;--text:#e4e7e8;--soft:#a1a9ae;--line:#31373b;--link:#7fc8b0;--get:#86bdea;--put:#e0b061;--patch:#c3a2ea;--post:#8acb9f;--delete:#f09a94}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
code,pre,.method{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
a{color:var(--link);text-underline-offset:.2em}
a:focus-visible,summary:focus-visible,pre:focus-visible,main:focus-visible{outline:2px solid var(--link);outline-offset:3px;border-radius:3px}
.skip{position:absolute;left:-100vw;top:0;padding:.75rem 1rem;background:var(--page);z-index:1}
.skip:focus{left:0}
header{padding:2.5rem 1.25rem 0;max-width:52rem}
main,footer{padding:0 1.25rem 2rem;max-width:52rem}
main{outline:0}
h1{margin:0;font-size:2rem;line-height:1.2;letter-spacing:-.02em}
h1 small,h4 small{font-weight:400;color:var(--soft);letter-spacing:0}
h2{margin:4rem 0 .25rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em}
h3{margin:0 0 .5rem;font-size:1.125rem;line-height:1.35}
section>h3{margin-top:2.5rem}
h4{margin:1.5rem 0 .25rem;font-size:.875rem}
p{margin:.5rem 0}
ul{padding-left:1.25rem;margin:.5rem 0}
.soft,.type,.callers,.anchor{color:var(--soft)}
.callers,.type,.fields,table{font-size:.9375rem}
article{margin:2rem 0 0;padding:2rem 0 0;border-top:1px solid var(--line)}
article:target h3{color:var(--link)}
.anchor{text-decoration:none;opacity:0;padding:0 .25rem}
h3:hover .anchor,.anchor:focus{opacity:1}
.route{overflow-wrap:anywhere}
.route code{font-size:.9375rem}
var{font-style:normal;color:var(--link)}
.method{font-weight:650;letter-spacing:.02em}
.get{color:var(--get)}.put{color:var(--put)}.patch{color:var(--patch)}.post{color:var(--post)}.delete{color:var(--delete)}
.fields{list-style:none;margin:.25rem 0;padding:0}
.fields li{padding:.5rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.fields>li:first-child{border-top:0}
.fields .fields{margin:.5rem 0 0;padding-left:1rem;border-left:2px solid var(--line)}
.name{font-weight:650;margin-right:.25rem}
.about{display:block}
details{margin:.25rem 0}
summary{cursor:pointer;padding:.25rem 0}
details[open]>summary{margin-bottom:.25rem}
.status{font-weight:650;font-variant-numeric:tabular-nums}
tr:target{background:var(--panel)}
.codes a{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
.codes{list-style:none;margin:.25rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.125rem 1.25rem;font-size:.9375rem}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.5rem 1rem .5rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
th{white-space:nowrap}
thead th{border-top:0;color:var(--soft);font-weight:400}
td p,td ul{margin:0}
td ul{padding-left:0;list-style:none}
pre{margin:.5rem 0;padding:.875rem 1rem;background:var(--panel);border-radius:6px;overflow-x:auto;line-height:1.5}
pre code{font-size:.8125rem}
nav{padding:1.5rem 1.25rem 0;font-size:.9375rem}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.25rem 0;color:inherit;text-decoration:none}
nav a:hover{color:var(--link);text-decoration:underline}
nav>ul>li>a{font-weight:650}
nav li li{display:none}
footer{color:var(--soft);font-size:.9375rem;padding-top:3rem}
@media (max-width:63.99rem){nav>ul{display:flex;flex-wrap:wrap;gap:0 1.25rem}}
@media (min-width:64rem){
body{display:grid;grid-template-columns:19rem minmax(0,1fr);grid-template-rows:auto 1fr auto;column-gap:2.5rem}
nav{grid-row:1/4;position:sticky;top:0;height:100vh;overflow-y:auto;padding:2.5rem 1rem 2rem 1.5rem;border-right:1px solid var(--line)}
nav>ul>li{margin-bottom:1.25rem}
nav li li{display:block}
nav li li a{display:grid;grid-template-columns:3.75rem 1fr;line-height:1.35}
nav .method{font-size:.75rem;line-height:1.7}
header,main,footer{grid-column:2}
}
@media print{nav,.skip,.anchor{display:none}body{display:block}article{break-inside:avoid}}
`;
