// Runs the script of a report with the few parts of a document that it touches, and prints the stones at the end.
import { readFileSync } from "node:fs";

const page = readFileSync(process.argv[2], "utf8");
const [, data] = page.match(/id='data'>(.*?)<\/script>/s);
const [, script] = page.match(/<script>(.*?)<\/script>/s);

const element = () => ({
  textContent: "", innerHTML: "", value: 0, dataset: {},
  append() {}, addEventListener() {}, setAttribute() {},
});
const elements = new Map([["data", { ...element(), textContent: data }]]);
globalThis.document = {
  getElementById(name) {
    if (!elements.has(name)) elements.set(name, element());
    return elements.get(name);
  },
  createElement: element,
  querySelectorAll: () => [],
  addEventListener() {},
};
const stones = new Function(`${script}\nreturn stonesAfter(game.moves.length);`)();
console.log(JSON.stringify(stones));
