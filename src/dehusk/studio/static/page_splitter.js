// The line between the page and what is beside it: drag it, or move it by arrow keys.

const splitter = document.getElementById("splitter");
const panes = splitter.parentElement;
const STORED = "dehusk-page-split";

function setShare(share) {
  const rounded = Math.min(80, Math.max(20, Math.round(share)));
  panes.style.setProperty("--split", `${rounded}%`);
  splitter.setAttribute("aria-valuenow", String(rounded));
  localStorage.setItem(STORED, String(rounded));
}

export function joinSplitter() {
  const stored = Number(localStorage.getItem(STORED));
  if (stored) setShare(stored);
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    panes.classList.add("dragging");
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const box = panes.getBoundingClientRect();
    setShare((100 * (event.clientX - box.left)) / box.width);
  });
  splitter.addEventListener("pointerup", () => panes.classList.remove("dragging"));
  splitter.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (by) { event.preventDefault(); event.stopPropagation(); setShare(Number(splitter.getAttribute("aria-valuenow")) + by); }
  });
}
