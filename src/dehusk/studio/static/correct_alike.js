// More blocks at once: all like these on the page, and the unit around them.
import { ask, say } from "./base.js";
import { on, page, select } from "./page_state.js";
import { chosen } from "./correct_actions.js";

let narrower = []; // selections before they were widened

const likeThese = (blocks) => ask(`/api/page/${page.id}/alike?blocks=${blocks.join()}`);

/** Select all blocks of the page at the same places, or in the same fields of records. */
export async function selectAlike() {
  const blocks = chosen();
  if (!blocks.length) return;
  const { blocks: found } = await likeThese(blocks);
  narrower.push(blocks);
  select(found, { cursor: page.cursor, from: "keys" });
  say(`${found.length} like ${blocks.length === 1 ? "this" : "these"} on the page`);
}

/** Select the smallest unit around what is selected. */
export async function selectWider() {
  const blocks = chosen();
  if (!blocks.length) return;
  const [unit] = (await likeThese(blocks)).units;
  if (!unit) { say("no unit is around this"); return; }
  narrower.push(blocks);
  select(Array.from({ length: unit.end - unit.first }, (_, index) => unit.first + index), { cursor: page.cursor, from: "keys" });
  say(`${unit.kind}: ${unit.end - unit.first} blocks`);
}

export function selectNarrower() {
  const blocks = narrower.pop();
  if (blocks) select(blocks, { cursor: page.cursor, from: "keys" });
  else say("nothing was widened");
}

on("labels", () => { narrower = narrower.slice(-50); });
