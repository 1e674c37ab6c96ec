/**
 * Colors first for light, then for dark; text has a contrast of at least 4.5 to 1 on its ground in
 * both (WCAG 2.2, 1.4.3).
 */
export const STYLES = `
:root{color-scheme:light dark;--ground:#f7f7f5;--card:#fff;--ink:#1c2024;--quiet:#5c646d;--line:#e3e4e0;--track:#e8e9e5;--code:#f1f2ee;--link:#1a4fc4;--critical:#b3001b;--high:#b93a00;--medium:#7d5a00;--low:#1d4ed8;--info:#475569;--good:#18794e;--fair:#9a6b00;--poor:#b3001b;--on:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#141618;--card:#1c1f22;--ink:#e9eaec;--quiet:#a2a9b1;--line:#2d3135;--track:#2d3135;--code:#25292d;--link:#8db4ff;--critical:#ff8f98;--high:#ffa06b;--medium:#e6c15c;--low:#8db4ff;--info:#b3bcc7;--good:#5fcf98;--fair:#e6c15c;--poor:#ff8f98;--on:#16181a}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;padding:clamp(16px,4vw,48px);overflow-wrap:anywhere}
main,footer{max-width:1080px;margin:0 auto}
a{color:var(--link);text-underline-offset:2px}
h1{font-size:clamp(24px,3.4vw,34px);line-height:1.2;letter-spacing:-.015em;font-weight:650}
h2{font-size:20px;line-height:1.3;font-weight:650}
h3{font-size:17px;line-height:1.4;font-weight:600}
img{display:block;max-width:100%;height:auto}
ul{list-style:none;padding:0}
code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);border-radius:4px;padding:1px 5px}
.quiet{color:var(--quiet);font-size:14px}
header{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:clamp(20px,3vw,40px);align-items:center}
.summary{display:grid;gap:6px}
.ring{position:relative;width:132px}
.ring svg{display:block;width:100%}
.ring circle{fill:none;stroke:var(--track);stroke-width:10}
.ring circle.good{stroke:var(--good)}.ring circle.fair{stroke:var(--fair)}.ring circle.poor{stroke:var(--poor)}
.ring span{position:absolute;inset:0;display:grid;place-items:center;font-size:42px;font-weight:650;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
.coverage{display:flex;flex-wrap:wrap;gap:4px 24px;font-size:14px;margin-top:4px}
.coverage div{display:flex;gap:6px}
.coverage dt{color:var(--quiet)}
.coverage dd{font-weight:600;font-variant-numeric:tabular-nums}
figure{display:grid;gap:6px;justify-items:start}
figcaption{color:var(--quiet);font-size:12px}
figure img{border:1px solid var(--line);border-radius:8px;background:#fff}
.thumbs{display:flex;gap:12px;align-items:end}
.thumb.mobile img{width:76px}.thumb.desktop img{width:190px}
section{margin-top:clamp(32px,4vw,48px)}
.categories{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:20px}
.categories li{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 8px;font-size:14px}
.categories span{color:var(--quiet)}
.categories b{font-weight:650;font-variant-numeric:tabular-nums}
.categories i{flex:0 0 100%;height:5px;margin-top:6px;border-radius:3px;background:linear-gradient(var(--tone) 0 0) 0/max(var(--share),4px) 100% no-repeat var(--track);print-color-adjust:exact;-webkit-print-color-adjust:exact}
.good{--tone:var(--good)}.fair{--tone:var(--fair)}.poor{--tone:var(--poor)}
.heading{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:4px 24px}
.tally{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:14px;font-weight:600}
.critical{--tone:var(--critical)}.high{--tone:var(--high)}.medium{--tone:var(--medium)}.low{--tone:var(--low)}.info{--tone:var(--info)}
.tally span{color:var(--tone)}
article{display:grid;grid-template-columns:minmax(0,1fr);gap:20px 32px;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:clamp(16px,2.4vw,24px);margin-top:14px}
article:has(.crops){grid-template-columns:minmax(0,1fr) minmax(0,320px)}
.words{display:grid;gap:8px;align-content:start}
.tags{display:flex;flex-wrap:wrap;align-items:center;gap:2px 10px;font-size:13px;color:var(--quiet)}
.tags .severity{color:var(--tone);font-weight:650}
.tags em{font-style:normal;border:1px solid var(--line);border-radius:999px;padding:0 9px}
.number{min-width:24px;height:22px;padding:0 6px;border-radius:6px;background:var(--tone);color:var(--on);font-size:13px;line-height:22px;text-align:center;font-variant-numeric:tabular-nums;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.quotes{display:grid;gap:8px;margin-top:4px}
.quotes div{border-inline-start:3px solid var(--line);padding-inline-start:12px}
dt{color:var(--quiet);font-size:13px}
.facts{display:grid;gap:6px;margin-top:6px;font-size:14px}
.facts>div{display:grid;grid-template-columns:76px minmax(0,1fr);gap:12px;align-items:baseline}
.facts ul{display:grid;gap:4px}
.facts span{display:block;color:var(--quiet)}
.facts .inline{display:flex;flex-wrap:wrap;gap:0 16px;color:var(--quiet)}
.facts .inline b{color:var(--ink);font-weight:600}
.crops{display:grid;gap:14px;align-content:start}
.crop img{max-height:300px;object-fit:contain;object-position:left top;width:auto}
.pages>div{display:flex;flex-wrap:wrap;gap:24px;align-items:start;margin-top:14px}
.pages .mobile{flex:1 1 260px;max-width:390px}.pages .desktop{flex:2.6 1 480px}
footer{margin-top:48px;padding-top:16px;border-top:1px solid var(--line);color:var(--quiet);font-size:13px}
@media (max-width:900px){.categories{grid-template-columns:repeat(auto-fill,minmax(130px,1fr))}header{grid-template-columns:auto minmax(0,1fr)}.thumbs{grid-column:1/-1}}
@media (max-width:640px){header{grid-template-columns:minmax(0,1fr)}.ring{width:112px}.ring span{font-size:36px}article:has(.crops){grid-template-columns:minmax(0,1fr)}.facts>div{grid-template-columns:minmax(0,1fr);gap:0}}
@media print{:root{color-scheme:light;--ground:#fff;--card:#fff;--ink:#111;--quiet:#555;--line:#ccc;--track:#e5e5e5;--code:#f3f3f3;--link:#111;--critical:#b3001b;--high:#b93a00;--medium:#7d5a00;--low:#1d4ed8;--info:#475569;--good:#18794e;--fair:#9a6b00;--poor:#b3001b;--on:#fff}body{padding:0;font-size:11pt}article,figure{break-inside:avoid}h2{break-after:avoid}.pages{break-before:page}.pages img{max-height:230mm;width:auto}@page{margin:16mm}}
`
