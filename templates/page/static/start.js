// The page on which a sheet is made: what is typed becomes a preview, what is wanted becomes files.
import { ask, base, Frames, make } from "./api.js";
import { count, fill, options, showTokens } from "./form.js";
import { Jobs } from "./jobs.js";
import { Numbers } from "./numbers.js";

const PAUSE = 220; // ms after the last key
const FIRST = 3; // so few stations are shown whole at once
const at = (id) => document.getElementById(id);
const fenster = crypto.randomUUID?.() ?? String(Math.random());
const frames = new Frames(at("rahmen"), "Vorschau des Arbeitsblatts");
const numbers = new Numbers(at("zahlen"), () => later());
const jobs = new Jobs(at("auftraege-bereich"));
let view = "arbeitsblatt";
let timer, asked;

const order = () => ({ optionen: options(), zahlen: numbers.sent() });

function later() {
  count();
  clearTimeout(timer);
  timer = setTimeout(preview, PAUSE);
}

async function preview() {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  const wanted = { ...order(), ansicht: view, fenster };
  const few = (wanted.optionen.stationen?.length ?? 99) <= FIRST || view === "loesung" || wanted.optionen.zeit;
  at("stand").textContent = (wanted.optionen.gewichte ?? "gelernt") === "gelernt" ? "Das Modell lernt …" : "wird gerechnet …";
  at("rahmen").classList.add("stale");
  try {
    if (!few) await draw(await ask("/api/vorschau", { method: "POST", body: { ...wanted, ganz: false }, signal }), signal);
    if (!few) at("stand").textContent = "die weiteren Stationen folgen …";
    await draw(await ask("/api/vorschau", { method: "POST", body: { ...wanted, ganz: true }, signal }), signal);
    at("stand").textContent = "";
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    say(error.message);
    at("stand").textContent = "";
  }
}

async function draw(said, signal) {
  if (signal.aborted) return;
  say("");
  showTokens(said.token);
  at("befehl").textContent = said.befehl;
  at("hinweise").textContent = said.hinweise.join(" ");
  at("hinweise").hidden = !said.hinweise.length;
  numbers.show(said.zahlen);
  if (said.minuten !== undefined) effort(said);
  await frames.show(`${base}/vorschau/${said.seite}`);
  at("rahmen").classList.remove("stale");
  document.dispatchEvent(new CustomEvent("vorschau", { detail: said }));
}

function say(sentence) {
  at("fehler").textContent = sentence;
  at("fehler").hidden = !sentence;
  at("satz").setAttribute("aria-invalid", Boolean(sentence));
  if (sentence) at("rahmen").classList.add("stale");
}

function duration(minutes) {
  if (minutes < 90) return `${minutes} Minuten`;
  const hours = Math.floor(minutes / 60);
  return `${hours} Stunde${hours === 1 ? "" : "n"} ${minutes % 60} Minuten`;
}

function effort(said) {
  const titles = Object.fromEntries([...document.querySelectorAll("[data-option=stationen] .chip")].map((chip) => [chip.querySelector("input").value, chip.textContent.trim()]));
  const rows = said.stationen.map((each) => make("tr", {}, make("th", { scope: "row" }, titles[each.id] ?? each.id), make("td", {}, `${each.minuten} min`), make("td", {}, `${each.be} BE`)));
  const table = make("table", {}, make("tbody", {}, ...rows));
  const open = at("aufwand").querySelector("details")?.open ?? false;
  at("aufwand").replaceChildren(
    make("strong", {}, `etwa ${duration(said.minuten)}`),
    ` Arbeit für die Lernenden · ${said.luecken} Lücken · ${said.be} BE`,
    make("details", { open }, make("summary", {}, "Station für Station"), table),
  );
}

async function begin(path, more = {}) {
  try {
    await jobs.add(path, { ...order(), ...more });
    at("auftraege-titel").focus();
    at("auftraege-titel").scrollIntoView({ block: "nearest" });
  } catch (error) {
    say(error.message);
    at("fehler").scrollIntoView({ block: "center" });
  }
}

at("form").addEventListener("input", (event) => {
  if (!event.target.closest("#klasse, #zahlen")) later();
});
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  begin("/api/blatt");
});
at("form").addEventListener("reset", () => {
  numbers.restore({});
  setTimeout(later);
});
at("satz").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) event.preventDefault(); // a sentence has one line
});
at("klasse-auf").addEventListener("click", () => {
  const open = at("klasse").toggleAttribute("hidden") === false;
  at("klasse-auf").setAttribute("aria-expanded", open);
  if (open) at("anzahl").focus();
});
at("klasse-los").addEventListener("click", () => {
  const namen = at("namen").value;
  const anzahl = at("anzahl").value;
  begin("/api/blatt", { klasse: namen.trim() ? { namen } : { anzahl, namen: "" } });
});
at("kopieren").addEventListener("click", async () => {
  await navigator.clipboard.writeText(at("befehl").textContent);
  at("kopieren").textContent = "Kopiert";
});
for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => {
    view = button.dataset.view;
    document.querySelectorAll("[data-view]").forEach((each) => each.setAttribute("aria-pressed", each === button));
    preview();
  });
}

const earlier = new URLSearchParams(location.search).get("blatt");
if (earlier) {
  try {
    const { bestellung } = await ask(`/api/blaetter/${encodeURIComponent(earlier)}`);
    fill(bestellung.optionen);
    numbers.restore(bestellung.zahlen);
  } catch (error) {
    say(error.message);
  }
}
count();
preview();
