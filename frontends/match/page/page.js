"use strict";
const match = JSON.parse(document.getElementById("data").textContent);
const list = document.getElementById("list");
const board = document.getElementById("board");
const slider = document.getElementById("slider");
const caption = document.getElementById("caption");
const cell = 30;
let game = null;

match.games.forEach((entry, index) => {
  const option = document.createElement("option");
  option.value = index;
  option.textContent = `${entry.number} ${entry.black} – ${entry.white} ${entry.result}`;
  list.append(option);
});

// The stones after so many moves: 1 black, 2 white, 0 empty.
function stonesAfter(count) {
  const size = match.size;
  const stones = new Array(size * size).fill(0);
  match.black.forEach((point) => { stones[point] = 1; });
  match.white.forEach((point) => { stones[point] = 2; });
  for (let ply = 0; ply < count; ply++) {
    const move = game.moves[ply];
    const color = 1 + (ply % 2);
    if (move >= size * size) continue;
    if (match.game === "othello") flip(stones, move, color);
    stones[move] = color;
  }
  return stones;
}

function flip(stones, move, color) {
  const size = match.size;
  for (let down = -1; down <= 1; down++) {
    for (let right = -1; right <= 1; right++) {
      const line = [];
      let row = Math.floor(move / size) + down;
      let column = (move % size) + right;
      while ((down || right) && row >= 0 && row < size && column >= 0 && column < size) {
        const stone = stones[row * size + column];
        if (stone === 0) break;
        if (stone === color) {
          line.forEach((point) => { stones[point] = color; });
          break;
        }
        line.push(row * size + column);
        row += down;
        column += right;
      }
    }
  }
}

function draw() {
  const size = match.size;
  const count = Number(slider.value);
  const stones = stonesAfter(count);
  const othello = match.game === "othello";
  const parts = [`<rect width="100%" height="100%" fill="${othello ? "#2e7d4f" : "#dcb35c"}"/>`];
  for (let i = 0; i <= size - (othello ? 0 : 1); i++) {
    const at = cell * (othello ? i + 1 : i + 1.5);
    const from = cell * (othello ? 1 : 1.5);
    const to = cell * (othello ? size + 1 : size + 0.5);
    parts.push(`<path d="M${from} ${at}H${to}M${at} ${from}V${to}" stroke="#0008" fill="none"/>`);
  }
  for (let i = 0; i < size; i++) {
    const at = cell * (i + 1.5);
    parts.push(`<text x="${at}" y="${cell * 0.7}" text-anchor="middle" style="fill:#000">${match.columns[i]}</text>`);
    parts.push(`<text x="${cell * 0.5}" y="${at + 4}" text-anchor="middle" style="fill:#000">${match.rows[i]}</text>`);
  }
  const last = count > 0 ? game.moves[count - 1] : -1;
  stones.forEach((stone, point) => {
    if (!stone) return;
    const x = cell * ((point % size) + 1.5);
    const y = cell * (Math.floor(point / size) + 1.5);
    const color = stone === 1 ? "black" : "white";
    parts.push(`<circle data-point="${point}" data-color="${color}" cx="${x}" cy="${y}" r="${cell * 0.44}"/>`);
    if (point === last) parts.push(`<circle cx="${x}" cy="${y}" r="${cell * 0.14}" fill="#d33"/>`);
  });
  const side = cell * (size + 1.4);
  board.setAttribute("viewBox", `0 0 ${side} ${side}`);
  board.innerHTML = parts.join("");
  const seconds = count > 0 && game.seconds[count - 1] !== null ? `, ${game.seconds[count - 1].toFixed(3)} s` : "";
  caption.textContent = `Game ${game.number}: ${game.black} (black) – ${game.white} (white), ${game.result}${game.remark && ` ${game.remark}`}. ` +
    `Move ${count} of ${game.moves.length}${seconds}`;
}

function show(index) {
  game = match.games[index];
  slider.max = game.moves.length;
  slider.value = game.moves.length;
  draw();
}

function step(by) {
  slider.value = by === 0 ? 0 : Number(slider.value) + by;
  draw();
}

list.addEventListener("change", () => show(Number(list.value)));
slider.addEventListener("input", draw);
document.querySelectorAll("[data-step]").forEach((button) => {
  button.addEventListener("click", () => step(Number(button.dataset.step)));
});
document.addEventListener("keydown", (event) => {
  if (event.target === list || event.target === slider) return;
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
if (match.games.length) {
  list.selectedIndex = 0;
  show(0);
}
