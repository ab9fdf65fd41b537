// A pupil's page: what is typed is kept on the phone at once, and sent as soon as there is a network.
import { ask, ready } from "./api.js";
const at = (id) => document.getElementById(id);
const code = at("stunde").dataset.code;
const place = `papierformer-stunde-${code}`;
const cells = new Map([...document.querySelectorAll(".cell")].map((cell) => [`${cell.dataset.name}|${cell.dataset.place}`, cell]));
const SAID = { richtig: ["good", "stimmt"], angenommen: ["good", "stimmt, ehrlich gerundet"], folgefehler: ["follow", "richtig weitergerechnet"], falsch: ["bad", "stimmt noch nicht"], unlesbar: ["bad", "Diese Zahl kann ich nicht lesen."] };
const PAUSE = 400, AGAIN = 3000, LOOK = 2000, SOON = 600;
let own = read(), timer = null, looking = null, busy = false, over = false;

function read() {
  try { return JSON.parse(localStorage.getItem(place)) ?? {}; } catch { return {}; }
}
function keep() {
  try { localStorage.setItem(place, JSON.stringify(own)); } catch { /* private mode: it is sent at once anyway */ }
}
const waiting = () => Object.entries(own.written ?? {}).filter(([, [, number]]) => number > (own.sent ?? 0));

function say() {
  const left = waiting().length;
  at("stand").textContent = over ? "Diese Stunde ist zu Ende." : left ? `${left} ${left === 1 ? "Zahl wartet" : "Zahlen warten"} auf das Netz …` : "Alles ist angekommen.";
}

function show(verdicts) {
  for (const cell of cells.values()) {
    cell.classList.remove("good", "bad", "follow");
    cell.querySelector(".said").textContent = "";
  }
  for (const [name, where, verdict, hint] of verdicts) {
    const cell = cells.get(`${name}|${where}`);
    if (!cell || !cell.querySelector("input").value.trim()) continue;
    const [kind, words] = SAID[verdict];
    cell.classList.add(kind);
    cell.querySelector(".said").textContent = hint ? `${words}. ${hint}` : words;
  }
}

const send = (what, body) => ask(`/stunde/api/${code}/${what}`, { method: "POST", body });

async function deliver() {
  if (busy || over || !own.mark) return;
  busy = true;
  const changes = waiting();
  try {
    const list = changes.map(([cell, [text, number]]) => [...cell.split("|"), text, number]);
    const said = await send("antworten", { marke: own.mark, station: own.station, antworten: list });
    own.sent = Math.max(own.sent ?? 0, said.bis);
    keep();
    show(said.urteile);
    at("fehler").hidden = true;
    if (changes.length) lookIn(SOON);
  } catch (error) {
    if (error.status) {
      at("fehler").textContent = error.message;
      at("fehler").hidden = false;
      over = error.message.includes("zu Ende");
    }
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
      const said = await send("stand", { marke: own.mark });
      show(said.urteile);
      if (said.beendet) leave();
      say();
    } catch { /* it is asked again */ }
  }
  lookIn(LOOK);
}
function lookIn(milliseconds) {
  clearTimeout(looking);
  looking = setTimeout(look, milliseconds);
}

// The lesson has ended: the phone forgets who it was, but never a number that has not arrived.
function leave() {
  over = true;
  try { if (!waiting().length) localStorage.removeItem(place); } catch { /* nothing was kept */ }
}

function go(station) {
  own.station = station;
  keep();
  for (const part of document.querySelectorAll("div.station")) part.hidden = part.dataset.station !== station;
  for (const button of document.querySelectorAll(".stations button")) {
    if (button.dataset.station === station) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
  }
}

async function begin() {
  at("rein").hidden = true;
  at("blatt").hidden = false;
  at("tier").textContent = own.animal;
  try {
    const said = await send("stand", { marke: own.mark, alles: true });
    own.written ??= {};
    for (const [name, where, text, number] of said.antworten) {
      const before = own.written[`${name}|${where}`];
      if (!before || before[1] < number) own.written[`${name}|${where}`] = [text, number];
      own.last = Math.max(own.last ?? 0, number);
    }
    if (said.beendet) leave();
    setTimeout(() => show(said.urteile));
  } catch (error) {
    if (error.status === 403 || error.status === 404) { localStorage.removeItem(place); location.reload(); return; }
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
  const { animal, station } = event.target.dataset ?? {};
  if (animal) {
    try {
      const said = await send("rein", { tier: animal });
      own = { mark: said.marke, animal: said.tier, written: {}, last: 0, sent: 0 };
      keep();
      begin();
    } catch (error) {
      at("fehler").textContent = error.message;
      at("fehler").hidden = false;
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
  own.last = (own.last ?? 0) + 1;
  own.written[`${cell.dataset.name}|${cell.dataset.place}`] = [event.target.value, own.last];
  keep();
  cell.classList.remove("good", "bad", "follow");
  cell.querySelector(".said").textContent = "";
  say();
  later(PAUSE);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.closest(".cell")) return;
  const inputs = [...document.querySelectorAll("div.station:not([hidden]) .cell input")];
  inputs[inputs.indexOf(event.target) + 1]?.focus();
});
addEventListener("online", () => later(0));
if (own.mark) begin();
look();
ready();
