// The board of adapters/notebook.py: draws what it is told, tells what was clicked, and knows no rules.
function render({ model, el }) {
  el.classList.add("claimeven");
  el.innerHTML = `
    <div class="board"></div>
    <div class="columns" role="group" aria-label="drop a disc"></div>
    <p role="status" aria-live="polite"></p>
    <button class="undo">Undo</button>
    <label><input type="checkbox" class="values"> values</label>`;
  const find = (name) => el.querySelector(name);
  const board = find(".board");

  const show = () => {
    board.innerHTML = model.get("picture");
    find("p").textContent = model.get("said");
    find(".values").checked = model.get("values");
    find(".undo").disabled = !model.get("can_undo");
    const legal = new Set(model.get("legal"));
    find(".columns").replaceChildren(
      ...model.get("labels").map((label, column) => {
        const button = document.createElement("button");
        button.textContent = label;
        button.ariaLabel = `column ${label}`;
        button.disabled = !legal.has(column);
        button.onclick = () => model.send({ column });
        return button;
      }),
    );
  };

  board.onclick = (event) => {
    const svg = board.querySelector("svg");
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const column = Math.floor((place.x - model.get("margin")) / model.get("cell"));
    if (model.get("legal").includes(column)) model.send({ column });
  };
  find(".undo").onclick = () => model.send({ undo: true });
  find(".values").onchange = (event) => model.send({ values: event.target.checked });
  model.on("change", show);
  show();
  return () => model.off("change", show);
}
export default { render };
