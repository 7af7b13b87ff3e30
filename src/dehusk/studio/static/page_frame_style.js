// How blocks are marked on the page: each verdict by its colour and by its line, on any ground that a page may have.

const KEEP = "20 130 60", DROP = "190 60 45", UNSURE = "120 80 190", FOCUS = "11 87 208";
const HATCH = (colour) => `repeating-linear-gradient(135deg, rgb(${colour} / .22) 0 2px, rgb(${colour} / .06) 2px 6px)`;

function verdict(name, ground, line) {
  return `MARK[data-m="${name}"]{background:${ground}!important;text-decoration:underline ${line}!important;
    text-decoration-skip-ink:none!important;text-underline-offset:.18em!important}`;
}

// ten steps from blue (dropped) over grey to orange (kept): people who do not see red and green tell them apart
const HEAT = Array.from({ length: 11 }, (_, level) => {
  const alpha = Math.abs(level - 5) / 5;
  const colour = level < 5 ? "30 90 200" : "225 110 0";
  return `[data-heat] MARK[data-h="${level}"]{background:rgb(${level === 5 ? "128 128 128 / .15" : `${colour} / ${(0.1 + 0.36 * alpha).toFixed(2)}`})!important}`;
}).join("\n");

export const frameStyle = `
html{cursor:default!important;scroll-behavior:auto!important}
a,button,summary,label,select,input{cursor:default!important}
MARK{cursor:pointer!important;pointer-events:auto!important;box-decoration-break:clone;-webkit-box-decoration-break:clone;border-radius:2px}
${verdict("keep", `rgb(${KEEP} / .16)`, `solid 2px rgb(${KEEP})`)}
${verdict("keep-unsure", `rgb(${UNSURE} / .2)`, `wavy 1.5px rgb(${UNSURE})`)}
${verdict("drop-unsure", HATCH(UNSURE), `dashed 2px rgb(${UNSURE})`)}
${verdict("drop", HATCH(DROP), `dotted 2px rgb(${DROP} / .8)`)}
${HEAT}
MARK[data-hover]{outline:2px solid rgb(${FOCUS} / .6)!important;outline-offset:1px}
MARK[data-selected]{outline:2px solid rgb(${FOCUS})!important;outline-offset:1px;background-color:rgb(${FOCUS} / .18)!important}
[data-deciding]{outline:3px dashed rgb(${UNSURE})!important;outline-offset:2px}
MARK[data-gold="missing"]{box-shadow:0 0 0 3px rgb(215 140 0)!important}
MARK[data-gold="extra"]{box-shadow:0 0 0 3px rgb(190 20 120)!important}
`;
