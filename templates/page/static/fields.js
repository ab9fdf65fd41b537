// The fields of a sheet in its frame: what is typed is told to the page around it, which tells the verdicts.
const fields = [...document.querySelectorAll("input.entry")];
const address = (field) => `${field.dataset.q}|${field.dataset.i}`;
const same = new Map();
for (const field of fields) same.set(address(field), [...(same.get(address(field)) ?? []), field]);
const KINDS = { richtig: "good", angenommen: "good", folgefehler: "follow", falsch: "bad", unlesbar: "bad" };
const tell = (kind, detail) => parent.postMessage({ kind, ...detail }, location.origin);

const written = () =>
  [...same.values()].filter(([first]) => first.value.trim()).map(([first]) => [first.dataset.q, first.dataset.i.split(",").filter(Boolean).map(Number), first.value]);

document.addEventListener("input", (event) => {
  if (!event.target.matches("input.entry")) return;
  for (const other of same.get(address(event.target))) {
    if (other !== event.target) other.value = event.target.value;
    other.classList.remove("good", "follow", "bad");
  }
  tell("typed", { written: written() });
});
document.addEventListener("focusin", (event) => {
  if (event.target.matches("input.entry")) tell("looked", { cell: address(event.target) });
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input.entry")) return;
  const next = fields[fields.indexOf(event.target) + (event.shiftKey ? -1 : 1)];
  next?.focus();
  next?.select();
});

const acts = {
  verdicts({ cells }) {
    for (const field of fields) {
      field.classList.remove("good", "follow", "bad");
      field.removeAttribute("aria-invalid");
    }
    for (const [cell, verdict, title] of cells)
      for (const field of same.get(cell) ?? []) {
        field.classList.add(KINDS[verdict]);
        field.setAttribute("aria-invalid", verdict === "falsch" || verdict === "unlesbar");
        field.title = title;
      }
  },
  fill({ answers }) {
    const unknown = [];
    for (const [name, index, text] of answers) {
      const fitting = same.get(`${name}|${index.join(",")}`);
      if (fitting) fitting.forEach((field) => (field.value = text));
      else unknown.push(name);
    }
    tell("typed", { written: written(), filled: answers.length - unknown.length, unknown: unknown.length });
  },
  clear() {
    for (const field of fields) field.value = "";
    acts.verdicts({ cells: [] });
    acts.mark({ cells: [] });
    fields[0]?.focus();
  },
  mark({ cells }) {
    const marked = new Set(cells);
    for (const field of fields) field.classList.toggle("from", marked.has(address(field)));
  },
  go({ cell }) {
    const field = cell ? same.get(cell)?.[0] : fields[0];
    field?.scrollIntoView({ block: "center" });
    field?.focus();
  },
};
addEventListener("message", (event) => {
  if (event.origin === location.origin && event.source === parent) acts[event.data.act]?.(event.data);
});
