// Marks on a page of a site, on any ground that a page may have: each scale by its colour, each kind also by its line.

const KEEP = "20 130 60", DROP = "190 60 45", TOC = "30 90 200", FOCUS = "11 87 208";
const SCALES = { template: "215 110 0", importance: "20 130 60", weight: "150 90 0" };

const heat = Object.entries(SCALES).map(([name, colour]) => Array.from({ length: 11 }, (_, level) =>
  `[data-scale="${name}"] MARK[data-h="${level}"]{background:rgb(${colour} / ${(level * 0.055).toFixed(3)})!important}`).join("\n")).join("\n");
const line = (style) => `text-decoration:underline ${style}!important;text-decoration-skip-ink:none!important;text-underline-offset:.18em!important`;

export const frameStyle = `
html{cursor:default!important;scroll-behavior:auto!important}
a,button,summary,label,select,input{cursor:default!important}
MARK{cursor:pointer!important;box-decoration-break:clone;-webkit-box-decoration-break:clone;border-radius:2px}
${heat}
MARK[data-m="template"]{${line("dotted 2px rgb(190 90 0)")}}
MARK[data-m="below"]{${line("dotted 2px rgb(190 60 45 / .8)")}}
MARK[data-m="article"]{${line(`solid 3px rgb(${KEEP})`)}}
MARK[data-m="toc"]{${line(`double 4px rgb(${TOC})`)}}
MARK[data-m="keep"]{background:rgb(${KEEP} / .2)!important;${line(`solid 2px rgb(${KEEP})`)}}
MARK[data-m="drop"]{background:repeating-linear-gradient(135deg,rgb(${DROP} / .25) 0 2px,rgb(${DROP} / .07) 2px 6px)!important;${line(`dotted 2px rgb(${DROP} / .8)`)}}
MARK[data-chosen]{outline:2px dashed rgb(${FOCUS} / .8)!important;outline-offset:1px}
MARK[data-hover]{outline:2px solid rgb(${FOCUS} / .7)!important;outline-offset:1px}
MARK[data-selected]{outline:3px solid rgb(${FOCUS})!important;outline-offset:1px}
::highlight(useless){color:#8a8a8a;background-color:rgb(128 128 128 / .16);text-decoration:line-through 1px rgb(128 128 128 / .8)}
`;
