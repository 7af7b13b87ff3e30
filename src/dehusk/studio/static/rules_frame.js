// The page on which a rule is made: wanted, unwanted and covered blocks, the pointer and the keys in it.
import { addFrameStyle, blockAt, elementsByBlock, holdStill, loadedPage, showWhole } from "./framed_page.js";
import { emit, making, on, toggle } from "./rules_state.js";

const frame = document.getElementById("frame");
const HATCH = "repeating-linear-gradient(135deg, rgb(120 80 190 / .3) 0 2px, rgb(120 80 190 / .1) 2px 6px)";
const STYLE = `
html{cursor:default!important;scroll-behavior:auto!important}
MARK{cursor:pointer!important;border-radius:2px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
MARK[data-drop]{opacity:.55}
MARK[data-covered]{opacity:1;background:${HATCH}!important;text-decoration:underline dashed 2px rgb(120 80 190)!important}
MARK[data-changed]{opacity:1;background:rgb(225 140 0 / .32)!important;text-decoration:underline double 2px rgb(170 90 0)!important}
MARK[data-wanted]{opacity:1;box-shadow:0 0 0 2px rgb(20 130 60)!important;background-color:rgb(20 130 60 / .2)!important}
MARK[data-wanted]::before{content:"+ ";color:rgb(10 90 40);font:bold 1em monospace}
MARK[data-unwanted]{opacity:1;box-shadow:0 0 0 2px rgb(190 60 45)!important;background-color:rgb(190 60 45 / .16)!important}
MARK[data-unwanted]::before{content:"− ";color:rgb(150 30 20);font:bold 1em monospace}
MARK[data-cursor],MARK:hover{outline:2px solid rgb(11 87 208)!important;outline-offset:1px}
`;
let elements = [];

/** Wait for the page, find its blocks and listen to it. */
export async function openFrame() {
  const inner = await loadedPage(frame);
  const found = elementsByBlock(inner);
  elements = making.texts.map((_, block) => found.get(block) ?? []);
  addFrameStyle(inner, STYLE);
  showWhole(inner);
  listen(inner);
  show();
}

function listen(inner) {
  holdStill(inner);
  inner.addEventListener("mousedown", (event) => event.preventDefault(), true);
  inner.addEventListener("click", (event) => {
    frame.contentWindow.focus();
    const block = blockAt(event);
    if (block < 0) return;
    making.cursor = block;
    toggle(block);
  });
}

function show() {
  elements.forEach((own, block) => {
    for (const element of own) {
      element.toggleAttribute("data-drop", !making.kept[block]);
      element.toggleAttribute("data-wanted", making.wanted.has(block));
      element.toggleAttribute("data-unwanted", making.unwanted.has(block));
      element.toggleAttribute("data-covered", making.covered.has(block));
      element.toggleAttribute("data-changed", making.changed.has(block) && making.covered.has(block));
      element.toggleAttribute("data-cursor", block === making.cursor);
    }
  });
}

/** Move the cursor to the next block that the page shows. */
export function moveCursor(by) {
  let block = making.cursor;
  do block += by; while (block >= 0 && block < elements.length && !isShown(block));
  if (block < 0 || block >= elements.length) return;
  making.cursor = block;
  reveal(block);
  emit("cursor");
}

const isShown = (block) => elements[block].some((element) => element.getClientRects().length > 0);

/** Scroll to a block. */
export function reveal(block) {
  elements[block]?.find((each) => each.getClientRects().length)?.scrollIntoView({ block: "center" });
}

for (const name of ["clicks", "covered", "effects", "cursor"]) on(name, show);
