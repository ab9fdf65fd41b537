// A pupil's page: what is typed is kept on the phone at once, and sent as soon as there is a network.
// Each cell has [text, number, whether it has arrived]; the number is the time, so that of two tabs the last typed wins.
import { at, keep as store, kept as stored, make, post, ready, say as refuse } from "./api.js";
const { code, sheet } = at("stunde").dataset; // sheet: its number in a class set; none while nobody has said it
const place = `papierformer-stunde-${code}`;
const cells = new Map([...document.querySelectorAll(".cell")].map((cell) => [`${cell.dataset.name}|${cell.dataset.place}`, cell]));
const SAID = { richtig: ["good", "stimmt"], angenommen: ["good", "stimmt, ehrlich gerundet"], folgefehler: ["follow", "richtig weitergerechnet"], falsch: ["bad", "stimmt noch nicht"], unlesbar: ["bad", "Diese Zahl kann ich nicht lesen."], wartet: ["wait", "Das waren viele Versuche: Rechne noch einmal nach. Gleich steht hier wieder, ob es stimmt."] };
const PAUSE = 400, AGAIN = 3000, LOOK = 2000, SOON = 600, LONG = 20000;
let paused = false;
let own = read(), timer = null, looking = null, busy = false, over = false;

function read() {
  return stored(place) ?? {};
}
// Other tabs of this phone keep their own changes in the same place: of each cell, the last one typed stays.
function keep() {
  const there = read();
  if (there.mark === own.mark) adopt(there.written ?? {});
  store(place, own);
}
function adopt(written) {
  for (const [cell, [text, number, arrived]] of Object.entries(written)) {
    const [mine, when, sent] = own.written[cell] ?? ["", 0, true];
    if (number > when || (number === when && text !== mine && arrived)) {
      own.written[cell] = [text, number, arrived];
      const input = cells.get(cell)?.querySelector("input");
      if (input) input.value = text;
    } else if (number === when && arrived && !sent) own.written[cell][2] = true;
  }
}
const kept = (answers) => Object.fromEntries(answers.map(([name, where, text, number]) => [`${name}|${where}`, [text, number, true]]));
const waiting = () => Object.entries(own.written ?? {}).filter(([, [, , arrived]]) => !arrived);

// After the end there is one more thing to hear: the result.
async function last_look() {
  const said = await send("stand", { marke: own.mark }).catch(() => ({}));
  leave(said.ergebnis);
  say();
}

function rest(wanted) {
  paused = Boolean(wanted);
  at("pause").hidden = !paused;
  for (const part of document.querySelectorAll("div.station")) part.inert = paused;
  for (const cell of cells.values()) cell.querySelector("input").readOnly = over;
  if (over) at("vorzeichen").hidden = true;
}

let lost = 0; // since when nobody answers
function say() {
  const left = waiting().length;
  if (strange && !over) {
    at("stand").textContent = "Deine Zahlen stehen noch auf diesem Handy.";
    return;
  }
  if (lost && Date.now() - lost > LONG && !over) {
    at("stand").textContent = `Der Rechner der Stunde antwortet nicht. ${left ? "Deine Zahlen bleiben auf diesem Handy und kommen an, sobald er wieder da ist." : "Vielleicht ist die Stunde zu Ende."}`;
    return;
  }
  at("stand").textContent = over ? `Diese Stunde ist zu Ende.${left ? ` ${left === 1 ? "1 Zahl ist" : `${left} Zahlen sind`} nicht mehr angekommen.` : ""}` : left ? `${left} ${left === 1 ? "Zahl wartet" : "Zahlen warten"} auf das Netz …` : "Alles ist angekommen.";
}

// What is said of a cell stands below it; in a table below its row, of the cell that was typed last.
const ofTables = new Map();
const words = (cell) => cell.querySelector(".said") ?? rowOf(cell.closest(".scroll")).said;
function rowOf(table) {
  if (!ofTables.has(table)) {
    const said = table.nextElementSibling, wide = Math.max(...[...table.querySelectorAll("tr")].map((each) => each.cells.length));
    const row = make("tr", { class: "hint", hidden: true }, make("td", { colspan: wide }, said));
    table.querySelector("tbody").append(row);
    ofTables.set(table, { row, said });
  }
  return ofTables.get(table);
}
let last = null, told = [];
function tell(cell, text) {
  if (cell.querySelector(".said")) words(cell).textContent = text;
  else if (cell === last) {
    const { row, said } = rowOf(cell.closest(".scroll"));
    if (text && row.previousElementSibling !== cell.closest("tr")) cell.closest("tr").after(row);
    row.hidden = !text;
    said.textContent = text;
  }
}

function show(verdicts) {
  for (const cell of cells.values()) {
    cell.classList.remove("good", "bad", "follow", "wait");
    cell.querySelector("input").title = "";
    tell(cell, "");
  }
  told = verdicts;
  for (const [name, where, verdict, hint] of verdicts) {
    const cell = cells.get(`${name}|${where}`);
    if (!cell || !cell.querySelector("input").value.trim()) continue;
    const [kind, said] = SAID[verdict];
    cell.classList.add(kind);
    cell.querySelector("input").title = hint ? `${said}. ${hint}` : said;
    tell(cell, cell.querySelector("input").title);
  }
}

const send = (what, body) => post(`/stunde/api/${code}/${what}`, body, undefined, own.mark ? { "X-Marke": own.mark } : {});

// What was kept once may be gone where an older copy was put back: what the lesson does not have is sent once more.
async function compare(said) {
  const { antworten } = said ?? await send("stand", { marke: own.mark, alles: true });
  const there = kept(antworten);
  adopt(there);
  for (const [cell, mine] of Object.entries(own.written)) if (!there[cell] || there[cell][1] < mine[1]) mine[2] = false;
  store(place, own); // not keep(): what lies there still says that it has arrived
}

// Nobody there knows this animal. Perhaps it was removed, perhaps something is broken: only its owner throws numbers away.
let strange = false;
const foreign = (error) => error.status === 403 || error.status === 404;
function disowned() {
  if (!Object.values(own.written ?? {}).some(([text]) => text.trim())) { forget(); return; }
  strange = true;
  at("fremd").hidden = false;
  lost ||= Date.now();
}
function answered() {
  strange = false;
  at("fremd").hidden = true;
  lost = 0;
  refuse("");
}

async function deliver() {
  if (busy || over || !own.mark) return;
  busy = true;
  let changes = waiting();
  try {
    if (lost) { await compare(); changes = waiting(); }
    const list = changes.map(([cell, [text, number]]) => [...cell.split("|"), text, number]);
    const said = await send("antworten", { marke: own.mark, station: own.station, antworten: list });
    for (const [cell, [, number]] of changes) if (own.written[cell][1] === number) own.written[cell][2] = true;
    adopt(kept(said.hat));
    keep();
    show(said.urteile);
    rest(said.pause);
    answered();
    if (changes.length) lookIn(SOON);
  } catch (error) {
    if (foreign(error)) disowned();
    else if (error.status) {
      refuse(error.message);
      if (error.status >= 500) lost ||= Date.now();
      if (error.message.includes("zu Ende")) {
        over = true;
        busy = false;
        return last_look();
      }
    } else lost ||= Date.now();
  }
  busy = false;
  say();
  if (!over && waiting().length) later(AGAIN);
}

function later(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(deliver, milliseconds);
}

async function look() {
  if (own.mark && !over && !busy && !waiting().length) {
    try {
      const said = await send("stand", { marke: own.mark, alles: Boolean(lost) });
      if (said.antworten) await compare(said);
      show(said.urteile);
      rest(said.pause);
      answered();
      if (waiting().length) later(0);
      if (said.beendet) leave(said.ergebnis);
      say();
    } catch (error) {
      if (foreign(error)) disowned();
      lost ||= Date.now(); // it is asked again
      say();
    }
  }
  lookIn(LOOK);
}
function lookIn(milliseconds) {
  clearTimeout(looking);
  looking = setTimeout(look, milliseconds);
}

// One may choose anew.
function forget() {
  store(place);
  location.reload();
}

// The lesson has ended: the phone forgets who it was, but never a number that has not arrived.
function leave(result) {
  over = true;
  refuse(""); // a number that came too late is no error
  rest(false);
  finish(own.animal, result);
  store(place, [own.animal, result], sessionStorage);
  at("spaet").hidden = !waiting().length;
  if (!waiting().length) store(place);
}

function finish(animal, result) {
  const picture = document.querySelector(`[data-animal="${animal}"] img`)?.cloneNode() ?? [];
  const all = result && result.geschrieben ? [`${result.geschrieben === 1 ? `Deine Zahl stimmt${result.stimmt ? "" : " noch nicht"}` : `${result.stimmt} von ${result.geschrieben} Zahlen stimmen`}${result.folgt ? `, ${result.folgt === 1 ? "eine ist" : `${result.folgt} sind`} aus deinen eigenen richtig weitergerechnet` : ""}.`] : [];
  at("ende").replaceChildren(make("h2", {}, ...[picture].flat(), `Geschafft, ${animal}!`), make("p", { class: "lead" }, "Diese Stunde ist zu Ende."), ...all.map((text) => make("p", {}, text)), make("p", { class: "soft" }, "Dein Blatt auf Papier bleibt dir; dieses Handy vergisst deine Zahlen."));
  at("ende").hidden = false;
  if (at("rein")) at("rein").hidden = true;
  at("vorbei")?.remove();
  at("ende").scrollIntoView({ block: "start" });
}

function go(station) {
  own.station = station;
  if (own.mark) keep();
  for (const part of document.querySelectorAll("div.station")) part.hidden = part.dataset.station !== station;
  for (const button of document.querySelectorAll(".stations button")) {
    if (button.dataset.station === station) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
  }
}

async function begin() {
  own.written ??= {};
  at("rein").hidden = true;
  at("blatt").hidden = false;
  at("tier").textContent = own.animal;
  try {
    const said = await send("stand", { marke: own.mark, alles: true });
    await compare(said);
    if (said.beendet) leave(said.ergebnis);
    rest(said.pause);
    setTimeout(() => show(said.urteile));
  } catch (error) {
    if (foreign(error)) disowned();
    lost ||= Date.now();
  }
  for (const [cell, [text]] of Object.entries(own.written ?? {})) {
    const input = cells.get(cell)?.querySelector("input");
    if (input) input.value = text;
  }
  go(own.station ?? document.querySelector(".stations button").dataset.station);
  say();
  later(0);
}

document.addEventListener("click", async (event) => {
  const { animal, station } = event.target.closest("[data-animal], button")?.dataset ?? {};
  if (event.target.closest("[data-forget]")) { store(place); location.replace("?"); return; }
  if (animal) {
    try {
      if (!read().mark) { // another tab may have chosen meanwhile
        const said = await send("rein", { tier: animal, blatt: sheet });
        own = { mark: said.marke, animal: said.tier, sheet, written: {} };
        keep();
      } else own = read();
      begin();
    } catch (error) {
      refuse(error.message);
    }
  } else if (station && event.target.matches("button")) {
    go(station);
    document.querySelector(`div.station[data-station="${station}"] h2`).focus();
    later(PAUSE);
  }
});
document.addEventListener("input", (event) => {
  const cell = event.target.closest(".cell");
  if (!cell || over) return;
  const name = `${cell.dataset.name}|${cell.dataset.place}`;
  own.written[name] = [event.target.value, Math.max(Date.now(), (own.written[name]?.[1] ?? 0) + 1), false];
  keep();
  last = cell;
  cell.classList.remove("good", "bad", "follow", "wait");
  event.target.title = "";
  tell(cell, "");
  say();
  later(PAUSE);
});
// An iPhone's keys for numbers have no minus. The sign stays above the keys, which cover the lower end of the page.
at("vorzeichen")?.addEventListener("pointerdown", (event) => event.preventDefault()); // the cell keeps the focus
at("vorzeichen")?.addEventListener("click", () => {
  const input = last.querySelector("input"), text = input.value.trim();
  if (input.readOnly || paused) return;
  input.value = /^[-−–]/.test(text) ? text.slice(1).trim() : `−${text.replace(/^\+/, "")}`;
  input.focus();
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
const lift = () => at("stunde").style.setProperty("--keys", `${Math.max(0, Math.round(innerHeight - visualViewport.height - visualViewport.offsetTop))}px`);
for (const kind of ["resize", "scroll"]) window.visualViewport?.addEventListener(kind, lift);
document.addEventListener("focusin", (event) => {
  const cell = event.target.closest(".cell");
  if (cell) at("vorzeichen").hidden = over;
  if (cell && cell !== last) { last = cell; show(told); }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.closest(".cell")) return;
  const inputs = [...document.querySelectorAll("div.station:not([hidden]) .cell input")];
  inputs[inputs.indexOf(event.target) + 1]?.focus();
});
addEventListener("online", () => later(0));
addEventListener("storage", (event) => {
  const there = read();
  if (event.key !== place || !there.mark) return;
  if (there.mark === own.mark) { adopt(there.written ?? {}); say(); return; }
  if (!own.mark) { own = there; begin(); }
});
if (own.mark && (own.sheet ?? "") !== sheet) location.replace(`?blatt=${own.sheet ?? ""}`);
else {
  if (own.mark) begin();
  else if (at("vorbei")) {
    const before = stored(place, sessionStorage);
    if (before) finish(...before);
  }
  look();
  ready();
}
