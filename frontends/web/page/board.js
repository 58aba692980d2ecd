// The board in SVG: one unit is one cell. It knows no rules: what it shows comes from the server.

const COLUMNS = "ABCDEFGHJKLMNOPQRSTU";
const MARGIN = 0.8;
const SVG = "http://www.w3.org/2000/svg";

export function vertexOf([row, column], game, size) {
  return COLUMNS[column] + (game === "othello" ? row + 1 : size - row);
}

export function pointOf(vertex, game, size) {
  const column = COLUMNS.indexOf(vertex[0]), number = Number(vertex.slice(1));
  if (vertex === "pass" || column < 0 || !number) return null;
  return [game === "othello" ? number - 1 : size - number, column];
}

export function brief(count) {
  for (const [limit, divisor, sign] of [[1e3, 1, ""], [1e6, 1e3, "k"], [1e9, 1e6, "M"], [1e13, 1e9, "G"]]) {
    if (count < limit) return (sign && count / divisor < 9.95 ? (count / divisor).toFixed(1) : Math.round(count / divisor)) + sign;
  }
  return "∞";
}

const otherColor = (color) => (color === "black" ? "white" : "black");

export class Board {
  constructor(svg, play, hover) {
    this.svg = svg;
    this.state = null;
    this.pointed = this.cursor = this.variation = null;
    this.shown = {numbers: false, legal: true, forbidden: true, candidates: true}; // what the person wants to see
    this.drawn = "";
    this.hover = hover;
    svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.pointAt(this.locate(event)));
    svg.addEventListener("pointerleave", () => this.pointAt(null));
    svg.addEventListener("click", (event) => {
      const point = this.locate(event);
      this.cursor = null;
      if (point) play(vertexOf(point, this.game, this.size));
    });
    this.put = () => this.cursor && play(vertexOf(this.cursor, this.game, this.size));
  }

  get game() { return this.state?.setup.game ?? "gomoku"; }
  get size() { return this.state?.setup.size ?? 15; }

  show(state) {
    const before = this.state;
    const same = before?.board && before.setup.game === state.setup.game && before.setup.size === state.setup.size;
    const forward = same && state.ply > before.ply;
    this.state = state;
    this.svg.setAttribute("aria-busy", state.busy);
    if (this.drawn !== this.game + this.size) {
      this.cursor = null;
      this.drawGround();
    }
    if (!same || forward || before.ply !== state.ply || before.board.rows.join() !== state.board?.rows.join()) this.drawStones(forward ? before.board.rows : null);
    this.drawMarks();
  }

  locate(event) {
    const box = this.svg.getBoundingClientRect();
    const cell = box.width / (this.size + 2 * MARGIN);
    const column = Math.floor((event.clientX - box.left) / cell - MARGIN);
    const row = Math.floor((event.clientY - box.top) / cell - MARGIN);
    return row >= 0 && column >= 0 && row < this.size && column < this.size ? [row, column] : null;
  }

  pointAt(point) {
    if (String(point) === String(this.pointed)) return;
    this.pointed = point;
    this.hover(point && vertexOf(point, this.game, this.size));
    this.drawMarks();
  }

  // The keyboard's cursor appears in the middle.
  moveCursor(down, right) {
    const middle = Math.floor(this.size / 2), within = (value) => Math.min(this.size - 1, Math.max(0, value));
    const [row, column] = this.cursor ?? [middle - down, middle - right];
    this.cursor = [within(row + down), within(column + right)];
    this.svg.focus({preventScroll: true}); // the next key is for the board, not for the button pressed last
    this.drawMarks();
  }

  showVariation(moves) {
    this.variation = moves;
    if (this.state) this.drawMarks();
  }

  drawGround() {
    const {game, size, svg} = this;
    this.drawn = game + size;
    svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${size + 2 * MARGIN} ${size + 2 * MARGIN}`);
    svg.setAttribute("class", game);
    svg.replaceChildren();
    this.gradients();
    const edge = game === "gomoku" ? 0.28 : 0.08;
    this.add(svg, "rect", {x: -edge, y: -edge, width: size + 2 * edge, height: size + 2 * edge, rx: 0.08, fill: game === "gomoku" ? "url(#wood)" : "#267a52"});
    const [count, shift] = game === "gomoku" ? [size, 0.5] : [size + 1, 0];
    for (let index = 0; index < count; index++) {
      const at = index + shift, far = count - 1 + shift, kind = index % (count - 1) ? "line" : "line edge";
      this.add(svg, "line", {x1: shift, x2: far, y1: at, y2: at, class: kind});
      this.add(svg, "line", {x1: at, x2: at, y1: shift, y2: far, class: kind});
    }
    for (const [row, column] of this.stars()) this.add(svg, "circle", {cx: column, cy: row, r: 0.09, class: "star"});
    this.labels();
    this.stones = this.add(svg, "g", {});
    this.marks = this.add(svg, "g", {});
  }

  gradients() {
    const defs = this.add(this.svg, "defs", {});
    const gradient = (id, kind, place, stops) => {
      const element = this.add(defs, kind, {id, ...place});
      for (const [offset, color] of stops) this.add(element, "stop", {offset, "stop-color": color});
    };
    const light = {cx: 0.36, cy: 0.32, r: 0.72};
    gradient("black", "radialGradient", light, [[0, "#80838b"], [0.55, "#26272c"], [1, "#101114"]]);
    gradient("white", "radialGradient", light, [[0, "#ffffff"], [0.7, "#ebe8e1"], [1, "#c9c5bb"]]);
    gradient("wood", "linearGradient", {x1: 0, x2: 0.06, y1: 0, y2: 1, spreadMethod: "reflect"},
      [[0, "#e6c184"], [0.3, "#dfb574"], [0.55, "#e7c489"], [0.8, "#dcb172"], [1, "#e4be80"]]);
  }

  stars() {
    const {game, size} = this;
    if (game === "othello") return [2, size - 2].flatMap((row) => [2, size - 2].map((column) => [row, column]));
    const middle = Math.floor(size / 2), edge = size >= 13 ? 3 : 2;
    if (size < 7) return size % 2 ? [[middle + 0.5, middle + 0.5]] : [];
    const lines = [edge, size - 1 - edge, ...(size % 2 ? [middle] : [])];
    return lines.flatMap((row) => lines.filter((column) => size >= 17 || (row === middle) === (column === middle))
      .map((column) => [row + 0.5, column + 0.5]));
  }

  labels() {
    const {game, size} = this, away = game === "gomoku" ? 0.53 : 0.4;
    for (let index = 0; index < size; index++) {
      const letter = COLUMNS[index], number = game === "othello" ? index + 1 : size - index;
      for (const [x, y, text] of [[index + 0.5, -away, letter], [index + 0.5, size + away, letter], [-away, index + 0.5, number], [size + away, index + 0.5, number]])
        this.add(this.svg, "text", {x, y, class: "label", "font-size": Math.min(0.34, 0.022 * (size + 2 * MARGIN))}, text);
    }
  }

  // Discs that changed sides since the rows before, which may be those of a smaller board, are seen turning over.
  drawStones(before = null) {
    const board = this.state?.board;
    this.stones?.replaceChildren();
    if (!board) return;
    const flipped = new Set(board.flipped), moves = this.state.moves.slice(0, this.state.ply);
    board.rows.forEach((row, y) => [...row].forEach((sign, x) => {
      if (sign === ".") return;
      const color = sign === "X" ? "black" : "white", vertex = vertexOf([y, x], this.game, this.size);
      this.stone(this.stones, [y, x], color, !".".concat(sign).includes(before?.[y]?.[x] ?? ".") ? "turning" : "");
      if (flipped.has(vertex) && !this.shown.numbers) this.add(this.stones, "circle", {cx: x + 0.5, cy: y + 0.5, r: 0.08, class: `flip-mark ${color}`});
    }));
    const last = moves.length ? pointOf(moves.at(-1)[1], this.game, this.size) : null;
    if (this.shown.numbers) moves.forEach(([, vertex], index) => this.number(board, vertex, index + 1, index === moves.length - 1));
    else if (last) this.add(this.stones, "circle", {cx: last[1] + 0.5, cy: last[0] + 0.5, r: 0.14, class: "last"});
  }

  number(board, vertex, number, newest) {
    const point = pointOf(vertex, this.game, this.size);
    if (!point) return;
    const color = board.rows[point[0]][point[1]] === "X" ? "black" : "white";
    this.add(this.stones, "text", {x: point[1] + 0.5, y: point[0] + 0.5, class: `number on-${color}${newest ? " newest" : ""}`}, number);
  }

  drawMarks() {
    const {state, marks} = this, board = state?.board;
    marks?.replaceChildren();
    if (!board) return;
    const thought = state.thought?.ply === state.ply ? state.thought : null;
    const candidates = ((this.shown.candidates && thought?.candidates) || []).filter((each) => each.visits && each.vertex !== "pass");
    const shown = new Set(candidates.map((each) => each.vertex));
    const waits = !state.over && !state.thinking && (state.paused || !state.setup[board.side].is_engine);
    if (waits && this.shown.legal) for (const vertex of board.legal) if (!shown.has(vertex)) this.circle(vertex, 0.11, `legal ${board.side}`);
    if (this.shown.forbidden) for (const vertex of board.forbidden) this.cross(vertex);
    if (this.variation?.length) this.drawVariation();
    else candidates.forEach((each, order) => this.candidate(each, order === 0));
    if (state.hint) this.circle(state.hint, 0.46, "hint");
    if (this.cursor) this.circle(vertexOf(this.cursor, this.game, this.size), 0.49, "cursor");
    const ghost = this.pointed && waits && board.rows[this.pointed[0]]?.[this.pointed[1]] === ".";
    if (ghost && !this.variation?.length && !shown.has(vertexOf(this.pointed, this.game, this.size))) this.stone(marks, this.pointed, board.side, "ghost");
  }

  drawVariation() {
    for (const [vertex, color, number] of this.variation) {
      const point = pointOf(vertex, this.game, this.size);
      if (!point) continue;
      this.stone(this.marks, point, color, "shown");
      this.add(this.marks, "text", {x: point[1] + 0.5, y: point[0] + 0.5, class: `number on-${color}`}, number);
    }
  }

  candidate({vertex, winrate, visits}, best) {
    const [row, column] = pointOf(vertex, this.game, this.size);
    this.circle(vertex, 0.44, best ? "candidate best" : "candidate");
    this.add(this.marks, "text", {x: column + 0.5, y: row + 0.39, class: "candidate-text"}, Math.round(100 * winrate));
    this.add(this.marks, "text", {x: column + 0.5, y: row + 0.69, class: "candidate-text small"}, brief(visits));
  }

  circle(vertex, r, kind) {
    const point = pointOf(vertex, this.game, this.size);
    if (point) this.add(this.marks, "circle", {cx: point[1] + 0.5, cy: point[0] + 0.5, r, class: kind});
  }

  cross(vertex) {
    const [row, column] = pointOf(vertex, this.game, this.size), x = column + 0.5, y = row + 0.5;
    for (const slope of [1, -1]) this.add(this.marks, "line", {x1: x - 0.16, y1: y - 0.16 * slope, x2: x + 0.16, y2: y + 0.16 * slope, class: "forbidden"});
  }

  stone(parent, [row, column], color, kind) {
    const r = this.game === "gomoku" ? 0.46 : 0.41, cx = column + 0.5, cy = row + 0.5;
    const group = this.add(parent, "g", {class: kind});
    this.add(group, "circle", {cx: cx + 0.03, cy: cy + 0.04, r, fill: "#000", "fill-opacity": 0.25});
    this.add(group, "circle", {cx, cy, r, fill: `url(#${color})`});
  }

  add(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }
}

// The line of play behind a candidate: vertices, colors and numbers.
export function variationOf(state, vertex) {
  const thought = state?.thought, found = thought?.candidates.find((each) => each.vertex === vertex);
  if (!found) return [];
  let line = found.line, color = thought.color;
  const played = state.moves[state.ply - 1];
  if (thought.ply === state.ply - 1 && played?.[0] === color && played[1] === vertex) {
    line = line.slice(1);
    color = otherColor(color);
  } else if (thought.ply !== state.ply) return [];
  return line.map((name, index) => [name, index % 2 ? otherColor(color) : color, index + 1]);
}
