// Where suggestions come from: the settings that the page is shown with, or another annotator.
import { ask, attempt, el, settled } from "./base.js";
import { emit, on, page } from "./page_state.js";
import { correct } from "./correct_state.js";

const control = document.getElementById("suggest-from");

/** Ask for the suggestions and tell everyone ("suggested"); `correct.arriving` ends with it. */
export function suggest() {
  const asked = askForThem();
  correct.arriving = asked.catch(() => {});
  return asked;
}

async function askForThem() {
  if (!correct.isOn) return;
  const source = control.value;
  const query = source.startsWith("by:") ? `by=${encodeURIComponent(source.slice(3))}` : page.settings;
  const codes = source === "none" ? [] : (await ask(`/api/page/${page.id}/suggestions?${query}`)).codes;
  if (source !== control.value) return;
  Object.assign(correct, { suggested: codes, source });
  emit("suggested");
}

/** Offer the other annotators, and take what the address says. */
export function openSuggestions() {
  const wanted = new URL(location.href).searchParams.get("suggest") ?? control.value;
  offer();
  if ([...control.options].some((option) => option.value === wanted)) control.value = wanted;
  control.addEventListener("input", () => {
    const address = new URL(location.href);
    address.searchParams.set("suggest", control.value);
    history.replaceState(null, "", address);
    attempt(suggest);
  });
  on("correct", () => attempt(suggest));
  on("outcome", settled(() => { if (control.value === "shown") attempt(suggest); }, 80));
  on("annotator", () => { offer(); attempt(suggest); });
}

function offer() {
  const kept = control.value;
  for (const option of [...control.options].slice(2)) option.remove();
  const others = correct.annotators.filter((name) => name !== correct.annotator);
  control.append(...others.map((name) => el("option", { value: `by:${name}` }, `by ${name}`)));
  if ([...control.options].some((option) => option.value === kept)) control.value = kept;
  document.getElementById("annotators").replaceChildren(...correct.annotators.map((name) => el("option", { value: name })));
}
