// Runs a tool of the npm registry for node_tools.py: for each line {html, url} a line {text, seconds} or {error}.
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

console.log = console.info = console.error; // standard output is for answers
// a page may keep this thread busy for good; who waits for its answer then ends, and so does this process
const watch = `const { ppid } = process;
setInterval(() => { if (process.ppid !== ppid) process.kill(process.pid, "SIGKILL"); }, 500);
require("node:worker_threads").parentPort.postMessage("watching");`;
const watcher = new Worker(watch, { eval: true, execArgv: [] });
await new Promise((resolve) => watcher.once("message", resolve)); // it does not start while this thread is busy

const BLOCK = /<(\/?(?:p|div|li|h[1-6]|tr|blockquote|pre|section|article|[uo]l|table|d[dtl]|fig\w+)\b|br\b)/gi;
const separated = (html) => html.replace(BLOCK, "\n<$1"); // textContent would join the words of two paragraphs

const TOOLS = {
  "readability.js": async () => {
    const { Readability } = (await import("@mozilla/readability")).default;
    const { JSDOM, VirtualConsole } = (await import("jsdom")).default;
    const virtualConsole = new VirtualConsole(); // says nothing of faulty style sheets
    return (html, url) => {
      const found = new Readability(new JSDOM(html, { url, virtualConsole }).window.document).parse();
      return found ? JSDOM.fragment(separated(found.content)).textContent : "";
    };
  },
  defuddle: async () => {
    const { Defuddle } = await import("defuddle/node");
    const { parseHTML } = await import("linkedom");
    return async (html, url) => {
      const found = await Defuddle(parseHTML(html).document, url, { useAsync: false }); // asks nobody on the web
      return parseHTML(`<!DOCTYPE html><html><body>${separated(found.content)}</body></html>`).document.body.textContent;
    };
  },
};

const clean = await TOOLS[process.argv[1]]();
for await (const line of createInterface({ input: process.stdin })) {
  const { html, url } = JSON.parse(line);
  const start = process.cpuUsage();
  let answer;
  try {
    const text = await clean(html, url || "http://localhost/");
    const { user, system } = process.cpuUsage(start);
    answer = { text, seconds: (user + system) / 1e6 };
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit();
