"use strict";
// The replay. It drops discs where they fell; the rules stay in Python, which says how a game ended.
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let shown = [], current = 0, ply = 0;

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function stones(game, count) {
  const found = game.start.map(([column, row, side]) => ({ column, row, side }));
  const height = Array(data.columns).fill(0);
  for (const stone of found) height[stone.column]++;
  let side = game.start.length % 2;
  for (const digit of game.moves.slice(0, count)) {
    const column = parseInt(digit, 36) - 1;
    found.push({ column, row: height[column]++, side });
    side = 1 - side;
  }
  return found;
}

function draw() {
  const game = data.games[shown[current]], board = find("board");
  const last = ply === game.moves.length;
  board.replaceChildren();
  board.setAttribute("viewBox", `0 0 ${data.columns * 100 + 40} ${data.rows * 100 + 40}`);
  element("rect", { class: "frame", width: data.columns * 100 + 40, height: data.rows * 100 + 40, rx: 24 }, board);
  const x = (column) => column * 100 + 70, y = (row) => (data.rows - 1 - row) * 100 + 70;
  for (let column = 0; column < data.columns; column++)
    for (let row = 0; row < data.rows; row++) element("circle", { class: "hole", cx: x(column), cy: y(row), r: 40 }, board);
  const all = stones(game, ply);
  all.forEach((stone, index) => {
    const cx = x(stone.column), cy = y(stone.row);
    element("circle", { class: stone.side ? "o" : "x", cx, cy, r: 40 }, board);
    if (stone.side) element("circle", { class: "ring", cx, cy, r: 18 }, board);
    else element("path", { class: "cross-mark", d: `M${cx - 15} ${cy - 15}l30 30m0-30l-30 30` }, board);
    if (index === all.length - 1 && ply > 0) element("circle", { class: "last", cx, cy, r: 45 }, board);
  });
  if (last) for (const [column, row] of game.four) element("circle", { class: "four", cx: x(column), cy: y(row), r: 32 }, board);
  find("slider").max = game.moves.length;
  find("slider").value = ply;
  const words = last ? game.end : `move ${ply} of ${game.moves.length}`;
  find("status").textContent = `${data.agents[game.first]} (red ×) against ${data.agents[game.second]} (yellow ○): ${words}`;
  board.setAttribute("aria-label", find("status").textContent);
  const moves = find("moves"), mark = document.createElement("b");
  mark.textContent = game.moves.slice(0, ply);
  moves.replaceChildren(`${game.opening} `, mark, game.moves.slice(ply));
}

function go(to) {
  ply = Math.max(0, Math.min(data.games[shown[current]].moves.length, to));
  draw();
}

function choose() {
  const one = find("agent").value, end = find("end").value;
  shown = data.games.map((_, index) => index).filter((index) => {
    const game = data.games[index];
    return (one === "" || game.first === +one || game.second === +one) && (end === "" || game.reason === end);
  });
  const list = find("game");
  list.replaceChildren(...shown.map((index, place) => {
    const game = data.games[index];
    return new Option(`${index + 1}. ${data.agents[game.first]} – ${data.agents[game.second]}  ${game.score}`, place);
  }));
  const empty = shown.length === 0;
  find("stage").hidden = empty;
  find("nothing").hidden = !empty;
  current = 0;
  if (!empty) go(0);
}

find("agent").onchange = find("end").onchange = choose;
find("game").onchange = () => { current = +find("game").value; go(0); };
find("slider").oninput = () => go(+find("slider").value);
find("start").onclick = () => go(0);
find("back").onclick = () => go(ply - 1);
find("next").onclick = () => go(ply + 1);
find("finish").onclick = () => go(Infinity);
document.addEventListener("keydown", (event) => {
  if (/^(SELECT|INPUT)$/.test(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey || shown.length === 0) return;
  const steps = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: Infinity };
  if (event.key in steps && find("replay").getBoundingClientRect().top < innerHeight) { event.preventDefault(); go(steps[event.key]); }
});
choose();
go(Infinity);
