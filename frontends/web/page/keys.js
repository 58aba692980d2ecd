// The keys, the same as the window's; a browser keeps some for itself, so that a new game has a second one.

export const KEYS = {
  new_game: ["Control-n", "F2"],
  open: ["Control-o"],
  save: ["Control-s"],
  copy: ["Control-c"],
  undo: ["Control-z", "Backspace", "PageUp"],
  redo: ["Control-y", "PageDown"],
  first: ["Home"],
  last: ["End"],
  hint: ["h"],
  now: ["m"],
  pause: ["p"],
  analyze: ["a"],
  numbers: ["n"],
  legal: ["l"],
  forbidden: ["f"],
  candidates: ["c"],
  up: ["ArrowUp"],
  down: ["ArrowDown"],
  left: ["ArrowLeft"],
  right: ["ArrowRight"],
  put: ["Enter", " "],
};

// Has keys do what the table says, except where they write text, choose, or press a button.
export function bindKeys(actions) {
  const names = new Map(Object.entries(KEYS).flatMap(([name, keys]) => keys.map((key) => [key, name])));
  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = names.get(event.ctrlKey || event.metaKey ? `Control-${key}` : key);
    if (!name || event.altKey || isOthers(event.target, name)) return;
    if (name === "copy" && String(getSelection())) return; // somebody copies words
    event.preventDefault();
    actions[name]();
  });
  document.addEventListener("paste", (event) => {
    if (!isOthers(event.target, "paste")) actions.paste(event.clipboardData.getData("text"));
  });
}

function isOthers(target, name) {
  const writes = target.closest?.("dialog, textarea, select, input:not([type=checkbox])");
  return Boolean(writes || document.querySelector("dialog[open]") || (name === "put" && target.closest?.("button, input")));
}
