// The page on which a sheet is made: what is typed becomes a preview, what is wanted becomes files.
import { ask, at, base, Frames, keep, kept, make, post, upload } from "./api.js";
import { count, fill, options, plain, showTokens } from "./form.js";
import { Jobs } from "./jobs.js";
import { Numbers, signed } from "./numbers.js";

const PAUSE = 220; // ms after the last key
const IDLE = 3000; // ms after the preview: then pages are counted
const PLACE = "papierformer-blatt";
const FIRST = 3; // so few stations are shown whole at once
const fenster = crypto.randomUUID?.() ?? String(Math.random());
const frames = new Frames(at("rahmen"), "Vorschau des Arbeitsblatts");
const numbers = new Numbers(at("zahlen"), () => later(), () => put(chosen({ gewichte: "auswahl" }), "Wieder die gelernten Zahlen"));
const jobs = new Jobs(at("auftraege-bereich"), () => order(), (sentence, name) => name && refuse(sentence, name));
const fresh = { optionen: { ...plain, satz: at("satz").defaultValue } };
let view = "arbeitsblatt";
let took, count_pages; // seconds and pages of one sheet as it is printed; what finds them
let teil; // of a jigsaw: the sheet that the preview shows
let timer, asked, counting, undone, shown; // undone: {words, before}, what the last button can undo

const order = () => ({ optionen: options(), zahlen: numbers.sent() });
const whole = () => ({ ...order(), vorher: numbers.before, namen: at("namen").value });
const AGAIN = "Doch wieder wie eben"; // only until the page is loaded anew
const keepAll = () => keep(PLACE, { ...whole(), zurueck: undone?.words === AGAIN ? undefined : undone }); // what was typed stays, until it is reset

// Everything as it is but these options, and no numbers of one's own.
const chosen = (some) => ({ ...whole(), zahlen: {}, vorher: {}, optionen: { ...options(), ...some } });

// Which lesson the options are, if they are one.
function template() {
  const { satz, ...given } = options();
  for (const each of document.querySelectorAll("[data-vorlage]")) each.setAttribute("aria-pressed", JSON.stringify(given) === each.dataset.vorlage.replaceAll(/\s/g, "") && !Object.keys(numbers.sent()).length);
}

function later() {
  count();
  template();
  keepAll();
  jobs.compare();
  took = undefined;
  at("klasse-zeit").textContent = "";
  at("rahmen").classList.add("stale"); // it is of what was typed before
  clearTimeout(timer);
  timer = setTimeout(preview, PAUSE);
}

// Everything at once, as it was or as a template has it; what was there before can be had again.
function put(wanted, words) {
  undoable({ words, before: whole() });
  take(wanted);
  later();
}
function take({ optionen, zahlen, vorher, namen }) {
  fill(optionen);
  numbers.restore(zahlen, vorher);
  if (namen !== undefined) at("namen").value = namen;
}
function undoable(step) {
  undone = step;
  at("zurueck").hidden = !step;
  at("zurueck").textContent = step?.words;
}

async function preview() {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  clearTimeout(counting);
  if (!at("satz").value.trim()) return say("Bitte tippen Sie oben einen Satz mit 2 bis 24 Wörtern.", "satz");
  const wanted = { ...order(), ansicht: view, fenster, teil };
  const few = (wanted.optionen.stationen?.length ?? 99) <= FIRST || view !== "arbeitsblatt" || wanted.optionen.zeit || wanted.optionen.gruppen;
  at("stand").textContent = (wanted.optionen.gewichte ?? "gelernt") === "gelernt" ? "Das Modell lernt …" : "wird gerechnet …";
  for (const id of ["rahmen", "aufwand", "fehler"]) at(id).classList.add("stale");
  at("hinweise").hidden = true;
  try {
    if (!few) await draw(await post("/api/vorschau", { ...wanted, ganz: false }, signal), signal);
    if (!few) at("stand").textContent = "die weiteren Stationen folgen …";
    const said = await post("/api/vorschau", { ...wanted, ganz: true }, signal);
    if (view === "druckseiten") await printed(said, wanted, signal);
    else await draw(said, signal);
    at("stand").textContent = "";
    count_pages = () => counted(wanted, signal);
    if (!at("klasse").hidden) count_pages();
    else if (view === "arbeitsblatt" && said.stunde && !said.teile.length) counting = setTimeout(count_pages, IDLE);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    say(error.message, error.field);
    at("stand").textContent = "";
  }
}

const laid = (wanted, signal) => post("/api/seiten", wanted, signal);

// How many pages are printed: it takes a while, and nobody waits for it.
async function counted(wanted, signal) {
  const begun = performance.now();
  const said = await laid(wanted, signal).catch(() => undefined);
  if (!said || signal.aborted) return;
  pages(said.seiten);
  took = { seconds: (performance.now() - begun) / 1000, pages: said.seiten };
  classTime();
}

// How long a class set takes, before it is begun: as this computer needed for one worksheet and key just now.
function classTime() {
  if (!took || at("klasse").hidden) return;
  const sheets = Math.max(0, Math.floor(Number(at("anzahl").value)) || 0), minutes = Math.ceil((sheets * took.seconds) / Math.max(1, (navigator.hardwareConcurrency ?? 2) / 2) / 60);
  const pages = teil ? "" : ` mit je ${took.pages === 1 ? "1 Seite" : `${took.pages} Seiten`}`; // of a jigsaw one of several sheets is seen
  at("klasse-zeit").textContent = `${sheets === 1 ? "1 Blatt" : `${sheets} Blätter`}${pages} und Lösung: höchstens etwa ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`}.`;
}

async function printed(said, wanted, signal) {
  at("stand").textContent = "die Seiten werden gesetzt …";
  const seiten = await laid(wanted, signal);
  await draw({ ...said, seite: seiten.seite }, signal);
  pages(seiten.seiten);
}

async function draw(said, signal) {
  if (signal.aborted) return;
  say("");
  shown = said;
  showTokens(said.token);
  at("befehl").textContent = said.befehl;
  at("hinweise").textContent = said.hinweise.join(" ");
  at("hinweise").hidden = !said.hinweise.length;
  at("klasse-sagt").textContent = said.klasse;
  at("klasse-sagt").hidden = !said.klasse;
  numbers.show(said.zahlen);
  parts(said.teile);
  if (said.minuten !== undefined) effort(said);
  await frames.show(`${base}/vorschau/${said.seite}`);
  at("rahmen").classList.remove("stale");
  document.dispatchEvent(new CustomEvent("vorschau", { detail: said }));
}

// Which sheet of a jigsaw the preview shows.
function parts(list) {
  at("teil-feld").hidden = !list.length;
  if (!list.some((each) => each.teil === teil)) teil = list[0]?.teil;
  at("teil").replaceChildren(...list.map((each) => make("option", { value: each.teil }, each.name)));
  if (list.length) at("teil").value = teil;
}
at("teil").addEventListener("change", () => {
  teil = at("teil").value;
  preview();
});

// „etwa 26 bis 32 Minuten rechnen + 10 Einstieg und Vergleich = höchstens 42 von 45 min“; where no lesson is long enough, that it takes several.
function effort(said) {
  const area = at("aufwand");
  const { minuten, stunde } = said;
  const sum = stunde && minuten + stunde.einstieg;
  const fits = sum && sum <= stunde.lang;
  const lesson = !stunde
    ? ` rechnen; das sind mehrere Stunden. Für eine wählen Sie oben eine Vorlage, oder unter „Stunde“ die Minuten.`
    : fits
      ? ` rechnen + ${stunde.einstieg} Einstieg und Vergleich = höchstens ${sum} von ${stunde.lang}\u00a0min`
      : ` rechnen + ${stunde.einstieg} Einstieg und Vergleich: das ist mehr als ${stunde.lang}\u00a0min`;
  const titles = Object.fromEntries([...document.querySelectorAll("[data-option=stationen] .chip")].map((chip) => [chip.querySelector("input").value, chip.textContent.trim()]));
  const rows = said.stationen.map((each) => make("tr", {}, make("th", { scope: "row" }, titles[each.id] ?? each.id), make("td", {}, `${each.minuten} min`), make("td", {}, `${each.be} BE`)));
  const open = area.querySelector("details")?.open ?? false;
  area.replaceChildren(
    make("strong", {}, said.dauer), lesson,
    make("span", { class: "soft small facts" }, `${said.luecken} Lücken · ${said.be} BE`, make("span", { id: "seiten" })),
    make("details", { open }, make("summary", {}, "Station für Station"), make("table", {}, make("tbody", {}, ...rows))),
  );
  area.classList.remove("stale");
  area.hidden = false;
}

function pages(number) {
  const place = at("seiten");
  if (place) place.textContent = number === 1 ? " · 1 Seite" : ` · ${number} Seiten`;
}

// An error stands at the field that it speaks of; what was pressed and refused leads there.
function refuse(sentence, name) {
  say(sentence, name);
  const place = at("fehler").parentElement;
  const field = place.querySelector("[aria-invalid=true], input.own, input, select, textarea") ?? at("satz");
  field.focus({ preventScroll: true });
  at("fehler").scrollIntoView({ block: "center" });
  return true;
}
function say(sentence, name = "satz") {
  document.querySelectorAll("#form [aria-invalid=true]").forEach((each) => each.removeAttribute("aria-invalid"));
  at("fehler").replaceChildren(...signed(sentence));
  at("fehler").hidden = !sentence;
  at("fehler").classList.remove("stale");
  at("befehl-bereich").hidden = Boolean(sentence);
  if (!sentence) return;
  at("rahmen").classList.add("stale");
  at("aufwand").hidden = true;
  at("hinweise").hidden = true;
  const field = name === "zahlen" ? at("zahlen-inhalt") : document.querySelector(`[data-option="${name}"]`) ?? at(name) ?? at("satz");
  const group = field.closest("details");
  if (group) group.open = true;
  field.closest("[hidden]")?.removeAttribute("hidden");
  if (name === "zahlen") field.before(at("fehler"));
  else {
    (field.closest(".field") ?? field).append(at("fehler"));
    if (field.matches("input, select, textarea")) field.setAttribute("aria-invalid", "true");
  }
}

async function begin(button, path, more = {}) {
  button.disabled = true; // a double click is one sheet
  try {
    await jobs.add(path, { ...order(), ...more });
    at("auftraege-titel").focus({ preventScroll: true });
    at("vorschau").scrollIntoView({ block: "start" });
  } catch (error) {
    refuse(error.message, error.field);
  }
  setTimeout(() => (button.disabled = false), 700);
}

// The second click of a double one meets what has come under the pointer.
addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("summary")) event.preventDefault();
});

at("form").addEventListener("input", (event) => {
  if (event.target.closest("#klasse")) {
    keepAll();
    classTime();
  }
  else if (!event.target.closest("#zahlen")) later();
});
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!at("herstellen").disabled) begin(at("herstellen"), "/api/blatt");
});
at("zuruecksetzen").addEventListener("click", () => put(fresh, "Zurücksetzen rückgängig machen"));
at("zurueck").addEventListener("click", () => {
  put(undone.before, AGAIN); // what was typed since is not lost
  at("satz").focus();
});
for (const button of document.querySelectorAll("[data-vorlage]"))
  button.addEventListener("click", () => put({ optionen: { ...JSON.parse(button.dataset.vorlage), satz: at("satz").value } }, `„${button.textContent}“ rückgängig machen`));
at("neue-zahlen").addEventListener("click", () => {
  const given = shown?.gewaehlt.gewichte === "auswahl" ? { gewichte: "ganzzahlig" } : {}; // these are the same for every seed
  put(chosen({ ...given, startwert: String(1 + Math.floor(Math.random() * 9999)) }), "Neue Zahlen rückgängig machen");
});
for (const each of document.querySelectorAll("[data-satz]"))
  each.addEventListener("click", () => put({ ...whole(), optionen: { ...options(), satz: each.textContent } }, "Satz zurückholen"));
at("satz").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) event.preventDefault(); // a sentence has one line
});
at("klasse-auf").addEventListener("click", () => {
  const open = at("klasse").toggleAttribute("hidden") === false;
  at("klasse-auf").setAttribute("aria-expanded", open);
  if (open) at("anzahl").focus();
  if (open && took) classTime();
  else if (open) {
    clearTimeout(counting);
    count_pages?.();
  }
});

// --- a class: names are typed, dropped or chosen as a file

let listing = 0; // of what is being read, the newest
function listed({ namen, gesagt }) {
  if (namen.length) at("anzahl").value = namen.length;
  const count = namen.length ? [namen.length === 1 ? "1 Name, also 1 Blatt." : `${namen.length} Namen, also so viele Blätter.`] : [];
  at("namen-zahl").textContent = [...count, ...gesagt].join(" ");
  classTime();
}
function named() {
  clearTimeout(listing);
  const text = at("namen").value;
  at("anzahl").disabled = text.trim() !== "";
  at("namen-zahl").textContent = "";
  if (!text.trim()) return;
  const own = (listing = setTimeout(async () => {
    const found = await upload("/api/namen", text).catch((error) => ({ namen: [], gesagt: [error.message] }));
    if (own === listing) listed(found);
  }, 400));
}
async function dropped(file) {
  if (!file) return;
  const refuse = (sentence) => { at("namen-zahl").textContent = sentence; };
  if (file.size > 5e5) return refuse(`Die Datei „${file.name}“ ist zu groß für eine Namensliste; möglich sind 500\u00a0kB.`);
  try {
    const found = await upload("/api/namen", file);
    clearTimeout(listing);
    at("namen").value = found.namen.join("\n"); // as it was understood, to be looked at
    at("anzahl").disabled = true;
    listed(found);
    keepAll();
  } catch (error) {
    refuse(error.message);
  }
}
at("namen").addEventListener("input", named);
at("namen-datei").addEventListener("change", (event) => dropped(event.target.files[0]));
at("namen").addEventListener("dragover", (event) => event.preventDefault());
at("namen").addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  dropped(event.dataTransfer.files[0]);
});
at("klasse-los").addEventListener("click", () => {
  const namen = at("namen").value;
  begin(at("klasse-los"), "/api/blatt", { klasse: namen.trim() ? { namen } : { anzahl: at("anzahl").value, namen: "" } });
});

const copied = (button, text) => button.addEventListener("click", async () => {
  await navigator.clipboard.writeText(text());
  const words = button.textContent;
  button.textContent = "Kopiert";
  setTimeout(() => (button.textContent = words), 2000);
});
copied(at("kopieren"), () => at("befehl").textContent);
copied(at("link"), () => {
  const text = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(order())));
  return `${location.origin}${location.pathname}#blatt=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
});

for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => {
    view = button.dataset.view;
    document.querySelectorAll("[data-view]").forEach((each) => each.setAttribute("aria-pressed", each === button));
    preview();
  });
}
// Printing the page prints what it shows.
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "p" && frames.shown) {
    event.preventDefault();
    frames.shown.contentWindow.print();
  }
});

// Of the link that opened the page; undefined where there is none, or it is broken.
function linked() {
  if (!location.hash.startsWith("#blatt=")) return undefined;
  try {
    const bytes = Uint8Array.from(atob(location.hash.slice(7).replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    history.replaceState(null, "", location.pathname + location.search);
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
const earlier = new URLSearchParams(location.search).get("blatt");
let known = linked() ?? kept(PLACE);
let before;
if (earlier) {
  try {
    const { bestellung } = await ask(`/api/blaetter/${encodeURIComponent(earlier)}`);
    before = kept(PLACE); // what was typed here is not lost
    known = { ...bestellung, namen: bestellung.klasse?.namen || before?.namen };
    history.replaceState(null, "", location.pathname); // from here on it is kept as anything that is typed
  } catch (error) {
    say(error.message);
  }
}
take(known?.optionen ? known : fresh);
undoable(before?.optionen ? { words: "Zurück zu dem, was vorher hier stand", before } : known?.zurueck);
named();
count();
template();
keepAll();
preview();
