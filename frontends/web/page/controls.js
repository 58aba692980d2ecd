// What stands beside the board: seats, prospects, candidates, dialogs. `act` sends a request to the game.

import {brief} from "/board.js";

const GAMES = ["gomoku", "othello"], RULES = ["freestyle", "standard", "renju"];
const OVERTIMES = ["fischer", "byoyomi", "canadian"];
const SIZES = {gomoku: [...Array(18).keys()].map((n) => n + 3), othello: [6, 8]};
const find = (selector, within = document) => within.querySelector(selector);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function fill(select, pairs, value) {
  const key = JSON.stringify(pairs);
  if (select.dataset.filled !== key) {
    select.replaceChildren(...pairs.map(([name, text]) => element("option", {value: name}, text)));
    select.dataset.filled = key;
  }
  if (document.activeElement !== select) select.value = value;
}

// Minutes and seconds; in overtime how many periods, or how many moves to make.
export function clockText(seconds, count, overtime) {
  const left = Math.max(0, seconds);
  const time = left < 10 ? `0:${left.toFixed(1).padStart(4, "0")}` : `${Math.floor(left / 60)}:${String(Math.floor(left) % 60).padStart(2, "0")}`;
  return count ? `${time} ${overtime === "canadian" ? "/" : "×"} ${count}` : time;
}

export class Card {
  constructor(section, act) {
    this.section = section;
    this.color = section.dataset.color;
    this.name = element("strong");
    this.clock = element("span", {class: "clock"});
    this.who = element("select");
    this.mode = element("select");
    this.brain = element("select");
    this.level = element("input", {type: "range", min: 0, max: 100});
    this.said = element("output");
    this.levelLine = element("div", {class: "line"}, this.level, this.said);
    section.append(
      element("div", {class: "line"}, element("span", {class: `disc ${this.color}`}), this.name, this.clock),
      element("div", {class: "line"}, this.who, this.mode, this.brain), this.levelLine);
    const sit = (change) => act({action: "sit", color: this.color, seat: {...this.seat, ...change}});
    this.who.addEventListener("change", () => sit({is_engine: this.who.value === "engine"}).then(this.who.blur()));
    this.mode.addEventListener("change", () => sit({level: this.mode.value === "weakest" ? 0 : 100}).then(this.mode.blur()));
    this.brain.addEventListener("change", () => sit({brain: this.brain.value}).then(this.brain.blur()));
    this.level.addEventListener("change", () => sit({level: Number(this.level.value)}).then(this.level.blur()));
    this.level.addEventListener("input", () => this.sayLevel(Number(this.level.value)));
  }

  show(state, text) {
    this.text = text;
    this.seat = state.setup[this.color];
    const engine = this.seat.is_engine;
    this.section.classList.toggle("turn", state.board?.side === this.color && !state.over);
    this.name.textContent = text(this.color);
    fill(this.who, [["person", text("person")], ["engine", text("engine")]], engine ? "engine" : "person");
    fill(this.brain, state.brains.map((name) => [name, name]), this.seat.brain);
    fill(this.mode, [["strongest", text("strongest")], ["weakest", text("weakest")]], this.seat.level < 50 ? "weakest" : "strongest");
    this.mode.hidden = this.brain.hidden = this.levelLine.hidden = !engine;
    if (document.activeElement !== this.level) {
      this.level.value = this.seat.level;
      this.sayLevel(this.seat.level);
    }
    for (const [field, name] of [[this.who, "person"], [this.mode, "mode"], [this.brain, "brain"], [this.level, "level"]])
      field.setAttribute("aria-label", `${text(this.color)}: ${text(name)}`);
  }

  sayLevel(level) {
    const named = {0: "weakest", 50: "random", 100: "strongest"}[level];
    this.said.textContent = named ? this.text(named) : this.text("level_of", level);
  }

  showClock(state, since) {
    const parts = [];
    if (state.setup.game === "othello" && state.board) {
      const sign = this.color === "black" ? "X" : "O";
      parts.push(state.board.rows.join("").split(sign).length - 1);
    }
    const left = state.clocks?.[this.color];
    if (left) parts.push(clockText(left.seconds - (state.clocks.running === this.color ? since : 0), left.count, state.clocks.overtime));
    this.clock.textContent = parts.join("   ");
  }
}

export function showProspects(state, text) {
  const rate = state.winrates[state.ply] ?? state.winrates[state.ply - 1];
  find("#rate").textContent = text("black_wins", rate === undefined ? "–" : `${Math.round(100 * rate)} %`);
  find("#bar div").style.width = rate === undefined ? "0" : `${100 * rate}%`;
  const longest = Math.max(10, state.moves.length), at = (ply) => 3 + (294 * ply) / longest;
  const spots = Object.entries(state.winrates).map(([ply, value]) => [Number(ply), value]).sort((a, b) => a[0] - b[0])
    .map(([ply, value]) => [at(ply), 4 + 82 * (1 - value)]);
  const made = (name, attributes) => {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries({"vector-effect": "non-scaling-stroke", fill: "none", ...attributes})) shape.setAttribute(key, value);
    return shape;
  };
  find("#graph").replaceChildren(
    made("line", {x1: 0, x2: 300, y1: 45, y2: 45, stroke: "#ddd4c3"}),
    made("line", {x1: at(state.ply), x2: at(state.ply), y1: 0, y2: 90, stroke: "#b5562b"}),
    made("polyline", {points: spots.map((spot) => spot.join()).join(" "), stroke: "#2b2620", "stroke-width": 2}),
    ...spots.slice(-1).map(([x, y]) => made("line", {x1: x, x2: x, y1: y, y2: y, stroke: "#2b2620", "stroke-width": 6, "stroke-linecap": "round"})));
}

export function showCandidates(state, text, hover) {
  const thought = state.thought;
  find("#aim").textContent = text(thought?.losing ? "losing" : "winning");
  find("#thoughts tbody").replaceChildren(...(thought?.candidates ?? []).map((each) => {
    const cells = [each.vertex, `${(100 * each.winrate).toFixed(1)} %`, brief(each.visits), each.line.slice(1).join(" ")];
    const row = element("tr", {}, ...cells.map((cell) => element("td", {}, String(cell))));
    row.addEventListener("pointerenter", () => hover(each.vertex));
    row.addEventListener("pointerleave", () => hover(null));
    return row;
  }));
}

export function showAlarm(state, text) {
  const alarm = find("#alarm");
  alarm.hidden = !state.dead;
  if (!state.dead) return;
  find("h2", alarm).textContent = text(...state.dead.notice);
  find("pre", alarm).textContent = state.dead.words.join("\n");
}

export class NewGame {
  constructor(act) {
    this.dialog = find("#new-game");
    this.form = find("form", this.dialog);
    this.field = (name) => this.form.elements[name];
    this.field("game").addEventListener("change", () => this.offer());
    this.field("overtime").addEventListener("change", () => this.ask());
    this.field("size").addEventListener("change", () => {
      const size = Number(this.field("size").value), row = this.field("in_a_row");
      if (Number(row.value) > size) row.value = Math.max(3, Math.min(5, size));
    });
    find(".cancel", this.dialog).addEventListener("click", () => this.dialog.close());
    find(".start", this.dialog).addEventListener("click", async () => {
      const problem = await act({action: "begin", setup: this.read()}, true);
      find(".problem", this.dialog).textContent = problem;
      if (!problem) this.dialog.close();
    });
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  open(state, text) {
    this.text = text;
    this.setup = state.setup;
    fill(this.field("game"), GAMES.map((name) => [name, text(name)]), state.setup.game);
    fill(this.field("rule"), RULES.map((name) => [name, text(name)]), state.setup.rule);
    for (const color of ["black", "white"])
      fill(this.field(color), [["person", text("person")], ["engine", text("engine")]], state.setup[color].is_engine ? "engine" : "person");
    fill(this.field("overtime"), OVERTIMES.map((name) => [name, text(name)]), state.setup.overtime);
    for (const name of ["in_a_row", "movetime", "increment", "period", "count"]) this.field(name).value = state.setup[name];
    this.field("main").value = state.setup.main / 60;
    this.offer(state.setup.size);
    this.ask();
    find(".problem", this.dialog).textContent = "";
    this.dialog.showModal();
  }

  offer(size) {
    const game = this.field("game").value, sizes = SIZES[game];
    fill(this.field("size"), sizes.map((n) => [n, `${n} × ${n}`]), sizes.includes(size) ? size : game === "othello" ? 8 : 15);
    this.field("size").value = sizes.includes(size) ? size : game === "othello" ? 8 : 15;
    for (const name of ["rule", "in_a_row"]) this.field(name).disabled = game === "othello";
  }

  // Each kind of overtime needs numbers of its own.
  ask() {
    const adds = this.field("overtime").value === "fischer";
    this.field("increment").disabled = !adds;
    for (const name of ["period", "count"]) this.field(name).disabled = adds;
  }

  read() {
    const number = (name) => (this.field(name).value === "" ? null : Number(this.field(name).value));
    const game = this.field("game").value, gomoku = game === "gomoku";
    const seat = (color) => ({...this.setup[color], is_engine: this.field(color).value === "engine"});
    return {
      game, size: number("size"), rule: gomoku ? this.field("rule").value : "freestyle", in_a_row: gomoku ? number("in_a_row") : 5,
      black: seat("black"), white: seat("white"), movetime: number("movetime"), main: 60 * number("main"),
      overtime: this.field("overtime").value, increment: number("increment"), period: number("period"), count: number("count"),
    };
  }
}
