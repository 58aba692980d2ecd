// The page: state comes in over one stream, requests go out one by one.

import {Board, pointOf, variationOf} from "/board.js";
import {Card, NewGame, showAlarm, showCandidates, showProspects} from "/controls.js";
import {bindKeys} from "/keys.js";

const NOTICE = 6000; // milliseconds for which a notice is shown
const find = (selector) => document.querySelector(selector);

let texts, language, state = null, received = 0, notice = "", forgetting = 0, stream = null;
const board = new Board(find("#board"), (vertex) => act({action: "play", vertex}), hover);
const cards = [...document.querySelectorAll(".card")].map((section) => new Card(section, act));
const newGame = new NewGame(act);

function text(key, ...values) {
  const table = texts[language];
  return (table[key] ?? key).replace(/\{(\d)\}/g, (_, index) => table[values[index]] ?? values[index] ?? "");
}

async function post(path, values) {
  const body = JSON.stringify(values);
  const answer = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body});
  return {status: answer.status, values: await answer.json()};
}

// Sends a request; returns the refusal in words, and shows it unless the caller does.
async function act(request, quiet = false) {
  try {
    const {values} = await post("/do", request);
    if (!values.error) return "";
    const words = text(values.error, ...(values.values ?? []));
    if (values.error === "asleep") leave("asleep");
    else if (!quiet) say(words);
    return words;
  } catch {
    leave("lost_server");
    return text("lost_server");
  }
}

function say(words) {
  notice = words;
  clearTimeout(forgetting);
  forgetting = setTimeout(() => { notice = ""; showStatus(); }, NOTICE);
  showStatus();
}

function showStatus() {
  const status = find("#status");
  status.textContent = notice || (state?.situation ?? []).map(([key, ...values]) => text(key, ...values)).join("   ");
  status.classList.toggle("notice", Boolean(notice));
}

function hover(vertex) {
  board.showVariation(vertex ? variationOf(state, vertex) : null);
}

function show() {
  if (!state) return;
  board.show(state);
  for (const card of cards) card.show(state, text);
  showProspects(state, text);
  showCandidates(state, text, hover);
  showAlarm(state, text);
  find("#score").textContent = state.score ? text("score", state.score.lost, state.score.games) : "";
  find("#hint").textContent = text(state.score ? "hint_button_weakest" : "hint");
  find("#pause").textContent = text(state.paused ? "go_on" : "pause");
  find("#now").disabled = !state.thinking;
  find("#analyze").checked = state.analyzing;
  find("#ponder").checked = state.pondering;
  showStatus();
  showClocks();
}

function showClocks() {
  for (const card of cards) if (state) card.showClock(state, (performance.now() - received) / 1000);
}

function speak(name) {
  language = name;
  document.documentElement.lang = name.replace("_", "-");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  show();
}

function leave(key) {
  stream?.close();
  find("#gone p").textContent = text(key);
  if (!find("#gone").open) find("#gone").showModal();
}

// Opens a session, or finds the one this browser has, and listens to it.
async function connect() {
  stream?.close();
  const {values} = await post("/session", {});
  if (values.error) return leave(values.error);
  stream = new EventSource("/events");
  stream.addEventListener("state", ({data}) => {
    const news = JSON.parse(data), wasOver = state?.over;
    state = news.state;
    received = performance.now();
    for (const [key, ...rest] of news.notices) say(text(key, ...rest));
    if (state.over && !wasOver) notice = ""; // nothing is as important as the result
    show();
  });
  stream.addEventListener("asleep", () => leave("asleep"));
  stream.addEventListener("error", () => stream.readyState === EventSource.CLOSED && leave("lost_server"));
}

// Begins again with a new engine, where the game was left.
async function reconnect() {
  const left = state;
  find("#gone").close();
  try {
    await connect();
  } catch {
    return leave("lost_server");
  }
  if (!left?.ply) return;
  for (const color of ["black", "white"]) await act({action: "sit", color, seat: left.setup[color]});
  await act({action: "load", sgf: recordOf(left)});
}

function recordOf({setup: {game, size, rule, in_a_row}, moves, ply}) {
  const letters = "abcdefghijklmnopqrst", head = game === "othello" ? "GM[2]" : `GM[4]RU[${rule} ${in_a_row}]`;
  const nodes = moves.slice(0, ply).map(([color, vertex]) => {
    const point = pointOf(vertex, game, size);
    return `;${color[0].toUpperCase()}[${point ? letters[point[1]] + letters[point[0]] : ""}]`;
  });
  return `(;FF[4]${head}SZ[${size}]${nodes.join("")})`;
}

// The game's record; what speaks against it is shown.
async function fetchRecord() {
  try {
    const {values} = await post("/sgf", {});
    if (values.error) say(text(values.error));
    return values.sgf;
  } catch {
    return leave("lost_server");
  }
}

async function openRecord() {
  const sgf = await fetchRecord();
  if (!sgf) return;
  find("#record textarea").value = sgf;
  find("#record").showModal();
}

function download(sgf) {
  if (!sgf) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([sgf], {type: "application/x-go-sgf"}));
  link.download = "extremum.sgf";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(sgf) {
  if (!sgf) return;
  try {
    await navigator.clipboard.writeText(sgf);
  } catch { // where the clipboard's interface is not to be had
    if (!find("#record").open) find("#record").showModal();
    find("#record textarea").value = sgf;
    find("#record textarea").select();
    document.execCommand("copy");
  }
  say(text("copied"));
}

async function openFile({target}) {
  const [file] = target.files;
  target.value = "";
  if (file && !await act({action: "load", sgf: await file.text()})) find("#record").close();
}

function toggle(name) {
  const box = find(`#${name}`);
  box.checked = board.shown[name] = !board.shown[name];
  board.drawStones();
  board.drawMarks();
}

function wire() {
  const sgf = () => find("#record textarea").value;
  for (const button of document.querySelectorAll("[data-action]")) button.addEventListener("click", () => act({action: button.dataset.action}));
  find("#pause").addEventListener("click", pause);
  find("#new").addEventListener("click", openNewGame);
  for (const name of ["analyze", "ponder"]) find(`#${name}`).addEventListener("change", ({target}) => act({action: name, on: target.checked}));
  for (const name of Object.keys(board.shown)) {
    find(`#${name}`).checked = board.shown[name];
    find(`#${name}`).addEventListener("change", () => toggle(name));
  }
  find("#graph").addEventListener("click", (event) => {
    const box = find("#graph").getBoundingClientRect(), longest = Math.max(10, state.moves.length);
    act({action: "go_to", ply: Math.min(state.moves.length, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * longest)))});
  });
  find("#sgf").addEventListener("click", openRecord);
  find("#record .cancel").addEventListener("click", () => find("#record").close());
  find("#record .download").addEventListener("click", () => download(sgf()));
  find("#record .copy").addEventListener("click", () => copy(sgf()));
  find("#record .open").addEventListener("click", () => find("#file").click());
  find("#file").addEventListener("change", openFile);
  find("#record .load").addEventListener("click", async () => {
    if (!await act({action: "load", sgf: sgf()})) find("#record").close();
  });
  find("#gone button").addEventListener("click", reconnect);
  find("#language").addEventListener("change", ({target}) => { localStorage.setItem("language", target.value); speak(target.value); });
  bindKeys(keyActions());
}

const pause = () => state && act({action: "pause", on: !state.paused});
const openNewGame = () => state && newGame.open(state, text);

function keyActions() {
  const plain = Object.fromEntries(["undo", "redo", "hint", "now"].map((action) => [action, () => act({action})]));
  return {
    ...plain, pause,
    new_game: openNewGame,
    open: () => find("#file").click(),
    save: async () => download(await fetchRecord()),
    copy: async () => copy(await fetchRecord()),
    paste: (sgf) => act({action: "load", sgf}),
    first: () => act({action: "go_to", ply: 0}),
    last: () => state && act({action: "go_to", ply: state.moves.length}),
    analyze: () => state && act({action: "analyze", on: !state.analyzing}),
    ...Object.fromEntries(Object.keys(board.shown).map((name) => [name, () => toggle(name)])),
    up: () => board.moveCursor(-1, 0),
    down: () => board.moveCursor(1, 0),
    left: () => board.moveCursor(0, -1),
    right: () => board.moveCursor(0, 1),
    put: () => board.put(),
  };
}

async function begin() {
  texts = await (await fetch("/texts.json")).json();
  const wished = localStorage.getItem("language") ?? (navigator.language.startsWith("zh") ? "zh_CN" : "en");
  for (const [name, table] of Object.entries(texts)) find("#language").append(new Option(table.language, name));
  find("#language").value = wished in texts ? wished : "en";
  wire();
  speak(find("#language").value);
  setInterval(() => state?.clocks?.running && showClocks(), 100);
  await connect();
}

begin();
