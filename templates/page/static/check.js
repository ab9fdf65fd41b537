// The page for checking: a sheet is opened, numbers are entered, and every pause brings the verdicts.
import { ask, base, Frames, german, make, number, ready } from "./api.js";
import { Papers } from "./papers.js";

const PAUSE = 500, OPEN = "papierformer-geoeffnet";
const at = (id) => document.getElementById(id);
const frames = new Frames(at("rahmen"), "Blatt zum Eintragen");
const address = ([name, index]) => `${name}|${index.join(",")}`;
const key = new Frames(at("rahmen-loesung"), "Lösung");
let source, frame, fields, written, writer, result, timer, // writer: the paper that `written` is of
  asked, looked, opened, papers, grades, keyOf;
let notRead = []; // of a file that was dropped, until another paper is opened
let set; // the class set that is open: its place on the shelf and its source
const sheetIsOpen = new Promise((done) => (opened = done)); // a file that comes earlier waits

function say(sentence, where = "fehler") {
  at(where).textContent = sentence;
  at(where).hidden = !sentence;
}

// asking: what the server is asked for, or a file with its text; kept in this tab, so that one comes back to it.
async function open(asking) {
  say("");
  at("auswahl").replaceChildren();
  at("laedt").textContent = "Das Blatt wird geöffnet …";
  try {
    const sheet = await (asking.rechnung === undefined ? ask("/api/oeffnen", { method: "POST", body: asking }) : ask(`/api/datei/rechnung?datei=${encodeURIComponent(asking.datei)}`, { method: "POST", raw: asking.rechnung }));
    if (sheet.auswahl) return choose(sheet.auswahl);
    remember(asking);
    at("blatt-titel").textContent = sheet.satz;
    at("oeffnen-bereich").hidden = true;
    at("blatt").hidden = false;
    papers = new Papers(sheet.kennung, at("arbeiten"), entered);
    at("namen-auf").hidden = Boolean(sheet.personen);
    if (sheet.personen) { // a class set: everybody has a sheet of their own
      set = { name: sheet.kennung, quelle: sheet.quelle };
      source = sheet.quelle;
      at("blatt").classList.add("set");
      papers.expect(sheet.personen);
      const first = papers.list.find((paper) => paper.nummer === sheet.nummer) ?? papers.last;
      if (first) papers.open(first);
      else at("laden-stand").textContent = "Wählen Sie unter „Arbeiten“, wessen Blatt Sie prüfen.";
    } else {
      await shown(sheet);
      papers.open(papers.last ?? papers.list[0] ?? Object.assign(papers.add(), { blatt: sheet.blatt }));
    }
    at("blatt-titel").focus();
    opened();
  } catch (error) {
    say(error.message);
    remember();
  }
  at("laedt").textContent = "";
}

// One mark, or one pupil's name, on several sheets: the teacher says which.
function choose(sheets) {
  at("laedt").textContent = "Das kann mehreres sein. Welches Blatt meinen Sie?";
  at("auswahl").replaceChildren(...sheets.map(({ titel, ...asking }) => {
    const button = make("button", { type: "button" }, titel);
    button.addEventListener("click", () => open(asking));
    return make("li", {}, button);
  }));
  at("auswahl").querySelector("button").focus();
}

function remember(asking) {
  try { sessionStorage.setItem(OPEN, JSON.stringify(asking ?? null)); } catch { /* a large file: it is opened again */ }
}

// A sheet to write on.
async function shown(sheet) {
  source = sheet.quelle;
  grades = sheet.noten;
  keyOf = undefined;
  frame = await frames.show(`${base}/pruefen/${sheet.seite}`);
  fields = new Set([...frame.contentDocument.querySelectorAll(".entry")].map((each) => `${each.dataset.q}|${each.dataset.i}`)).size;
  if (sheet.geaendert) say("Diese Rechnung hat eine andere Version geschrieben; einige Zahlen sind heute anders.", "fehler-blatt");
}

// A paper of the list: its sheet, and what was entered.
async function entered(paper) {
  if (timer) check(); // what was typed last on the paper before
  asked = undefined;
  written = [];
  notRead = [];
  say("", "nicht-gelesen");
  wipe();
  if (set) {
    at("blatt").classList.remove("set");
    at("laden-stand").textContent = "Das Blatt wird geöffnet …";
    try {
      await shown(await ask("/api/oeffnen", { method: "POST", body: { klasse: set.name, nummer: paper.nummer } }));
    } catch (error) {
      say(error.message, "fehler-blatt");
    }
    at("laden-stand").textContent = "";
  }
  if (paper !== papers.now) return; // another was chosen meanwhile
  at("wer").value = paper.name;
  at("wer").readOnly = Boolean(paper.nummer && paper.name);
  await showKey(at("loesung").getAttribute("aria-pressed") === "true");
  act("clear");
  if (paper.antworten.length) act("fill", { answers: paper.antworten });
}

async function showKey(wanted) {
  at("loesung").setAttribute("aria-pressed", wanted);
  at("rahmen-loesung").hidden = !wanted;
  if (!wanted || keyOf === source) return;
  keyOf = source;
  try {
    const { seite } = await ask(`/api/loesung/${source}`, { method: "POST", body: {} });
    await key.show(`${base}/vorschau/${seite}`);
  } catch (error) {
    say(error.message, "fehler-blatt");
  }
}

const act = (act, detail = {}) => frame?.contentWindow.postMessage({ act, ...detail }, location.origin);

addEventListener("message", (event) => {
  if (event.origin !== location.origin || event.source !== frame?.contentWindow) return;
  if (event.data.kind === "looked") look((looked = event.data.cell));
  if (event.data.kind !== "typed") return;
  written = event.data.written;
  writer = papers.now;
  if (papers.now) papers.note({ antworten: written });
  if (event.data.unknown) notRead.push(`${event.data.unknown} Einträge der Datei gehören zu keinem Feld dieses Blatts.`);
  say(notRead.join(" "), "nicht-gelesen");
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
});

async function check() {
  clearTimeout(timer);
  timer = undefined;
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked, paper = writer, key = grades;
  if (!written.length) {
    papers.note({ punkte: null }, paper);
    return wipe();
  }
  try {
    const said = await ask(`/api/pruefen/${source}`, { method: "POST", body: { antworten: written }, signal });
    papers.note({ punkte: pointsOf(said, paper, key) }, paper);
    if (paper !== papers.now) return;
    result = said;
    say("", "fehler-blatt");
    draw();
  } catch (error) {
    if (error.name !== "AbortError" && paper === papers.now) say(error.message, "fehler-blatt");
  }
}

function draw() {
  act("verdicts", { cells: result.zellen.map((cell) => [address([cell.name, cell.index]), cell.urteil, words(cell)]) });
  score();
  if (result.anderes_blatt) at("punkte").append(make("p", { class: "message bad" }, "Fast nichts passt: Gehören diese Antworten zu einem anderen Blatt?"));
  typical();
  faults();
  tasks();
  if (looked) look(looked);
  at("bericht").href = `${base}/bericht/${result.bericht}`;
  at("bericht").hidden = at("rueckmeldung").hidden = false;
}

// Points of the numbers and those that a person gave; the grade of both.
function pointsOf({ punkte }, { hand }, key) {
  const erreicht = punkte.erreicht + Object.values(hand).reduce((sum, each) => sum + each, 0);
  const offen = punkte.aufgaben.filter((task) => !(`${task.station}|${task.nummer}` in hand)).reduce((sum, task) => sum + task.offen, 0);
  const [note, note_bis] = [erreicht, erreicht + offen].map((reached) => key.find(([, least]) => reached >= least)?.[0] ?? 0);
  return { erreicht, von: punkte.von, offen, note, note_bis };
}

function score() {
  const { erreicht, von, offen, note, note_bis } = pointsOf(result, papers.now, grades);
  at("punkte").replaceChildren(
    make("p", { class: "score" }, `${erreicht} von ${von} BE`),
    make("p", {}, `${offen ? `Noch offen: ${offen} BE (Worte, Zeichnungen). Sie lassen sich unter „Punkte je Aufgabe“ eintragen. ` : ""}Mit dem, was dasteht, sind das ${note === note_bis ? note : `${note} bis ${note_bis}`} Notenpunkte nach dem Schlüssel der KMK.`),
  );
}

function typical() {
  const found = result.fehler_typisch.map((each) =>
    make("div", { class: "message" }, make("strong", {}, each.titel.join(" oder ")), make("p", {}, each.hilfe), jump(each.zuerst, each.anzahl > 1 ? `zeigt sich in ${each.anzahl} Feldern, zuerst hier` : "zeigt sich hier")),
  );
  at("typisch").replaceChildren(...(found.length ? [make("h3", {}, "Typische Fehler"), ...found] : []));
}

function jump(cell, label) {
  const button = make("button", { type: "button", class: "plain" }, label);
  button.addEventListener("click", () => act("go", { cell: address(cell) }));
  return button;
}

function faults() {
  const wrong = result.zellen.filter((cell) => cell.urteil === "falsch" || cell.urteil === "unlesbar");
  const unread = wrong.filter((cell) => cell.urteil === "unlesbar").length, slips = wrong.length - unread;
  const title = [slips === 1 ? "Ein Fehler" : slips ? `${slips} Fehler` : "", unread ? `${unread} nicht lesbar` : ""].filter(Boolean).join(", ");
  const filled = result.zellen.length, right = filled - wrong.length;
  const all = filled >= fields ? "Alles ist ausgefüllt" : `${filled} von ${fields} Feldern ${filled === 1 ? "ist" : "sind"} ausgefüllt`;
  at("gefuellt").replaceChildren(make("p", {}, `${all}, davon richtig: ${right}.`));
  const items = wrong.slice(0, 40).map((cell) => {
    const follow = consequences(cell).length;
    const button = make("button", { type: "button" }, `${cell.zeichen} ${cell.titel}`, make("small", {}, cell.urteil === "unlesbar" ? "nicht lesbar; zählt nicht als falsch" : `richtig wäre ${cell.richtig}${cell.hinweis ? ` · ${cell.hinweis}` : ""}${follow ? ` · ${follow === 1 ? "eine weitere Zahl hängt" : `${follow} weitere Zahlen hängen`} daran` : ""}${cell.kostet ? "" : " · kostet nichts"}`));
    button.addEventListener("click", () => act("go", { cell: address([cell.name, cell.index]) }));
    return make("li", {}, button);
  });
  at("fehlerliste").replaceChildren(...(items.length ? [make("h3", {}, title), make("ul", { class: "faults" }, ...items)] : []));
}

const consequences = (cell) => result.folgen.find((each) => address(each.von) === address([cell.name, cell.index]))?.zu ?? [];

// What is said of the cell with the focus, and what hangs together with it is marked.
function look(cell) {
  const found = result?.zellen.find((each) => address([each.name, each.index]) === cell);
  at("zelle").replaceChildren(...(found ? [make("h3", {}, found.titel), make("p", {}, words(found))] : []));
  const sources = (result?.folgen ?? []).filter((each) => each.zu.some((to) => address(to) === cell)).map((each) => address(each.von));
  act("mark", { cells: found ? [...sources, ...consequences(found).map(address)] : [] });
  if (found?.urteil === "folgefehler" && sources.length) at("zelle").append(make("p", { class: "soft" }, "Blau umrandet ist, woraus diese Zahl folgt."));
  if (found && consequences(found).length) at("zelle").append(make("p", { class: "soft" }, "Blau umrandet ist, was daraus folgt."));
}

function words(cell) {
  const range = cell.von && cell.von !== cell.bis ? ` (angenommen ${cell.von} bis ${cell.bis})` : "";
  const said = {
    richtig: "✓ richtig",
    angenommen: `(✓) ehrlich gerundet; die Lösung hat ${cell.richtig}${range}`,
    folgefehler: `FF Folgefehler: aus den eigenen Zahlen folgt ${cell.folgt}; die Lösung hat ${cell.richtig}`,
    falsch: `✗ falsch; die Lösung hat ${cell.richtig}${range}`,
    unlesbar: "? Diese Zahl lässt sich nicht lesen",
  }[cell.urteil];
  return [said, cell.hinweis, ...(cell.typisch.length ? [`Das passt zu: ${cell.typisch.join(" oder ")}`] : [])].filter(Boolean).join(". ").replace("?. ", "? ");
}

function tasks() {
  const rows = result.punkte.aufgaben.map((task) =>
    make("tr", {}, make("th", { scope: "row" }, `Station ${task.station}, Aufgabe ${task.nummer}`), make("td", {}, reached(task)), make("td", {}, ...byHand(task)), make("td", {}, task.gefragt ? `${task.ausgefuellt} von ${task.gefragt} Feldern` : "")),
  );
  const heads = ["Aufgabe", "BE", "", "Ausgefüllt"].map((head) => (head ? make("th", { scope: "col" }, head) : make("td", {})));
  at("aufgaben").replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))));
  at("aufgaben-auf").hidden = false;
}

const reached = (task) => `${task.erreicht + (papers.now.hand[`${task.station}|${task.nummer}`] ?? 0)} / ${task.von}`;

// A field for the points that only a person can give.
function byHand(task) {
  if (!task.offen) return [];
  const place = `${task.station}|${task.nummer}`;
  const input = make("input", { type: "text", inputmode: "numeric", maxlength: 5, autocomplete: "off", value: papers.now.hand[place] ?? "", "aria-label": `Von Hand, Station ${task.station}, Aufgabe ${task.nummer}` });
  const said = make("span", { role: "status", class: "refused" });
  input.addEventListener("input", () => {
    const empty = !input.value.trim(), value = number(input.value);
    const fine = empty || (Number.isInteger(value) && value >= 0 && value <= task.offen);
    input.setAttribute("aria-invalid", !fine);
    said.textContent = fine ? "" : `Nur ganze BE von 0 bis ${task.offen}; „${input.value}“ zählt nicht.`;
    const { [place]: before, ...hand } = papers.now.hand;
    papers.note({ hand: empty || !fine ? hand : { ...hand, [place]: value } });
    papers.note({ punkte: pointsOf(result, papers.now, grades) });
    input.closest("tr").cells[1].textContent = reached(task);
    score();
  });
  return [input, ` von ${task.offen}`, said];
}

function wipe() {
  result = undefined;
  for (const id of ["punkte", "gefuellt", "zelle", "typisch", "fehlerliste", "aufgaben"]) at(id).replaceChildren();
  at("bericht").hidden = at("rueckmeldung").hidden = at("aufgaben-auf").hidden = true;
  say("", "fehler-blatt");
}

at("oeffnen").addEventListener("submit", (event) => {
  event.preventDefault();
  open({ code: at("code").value });
});
at("leeren").addEventListener("click", () => papers.next());
at("loesung").addEventListener("click", () => showKey(at("loesung").getAttribute("aria-pressed") !== "true"));
at("wer").addEventListener("input", () => papers.note({ name: at("wer").value }));
at("namen-los").addEventListener("click", () => {
  papers.addNames(at("klasse-namen").value);
  at("klasse-namen").value = "";
  at("namen-auf").open = false;
});
at("ergebnisse").addEventListener("click", () => result_of(papers.written));
at("rueckmeldung").addEventListener("click", async () => {
  const tab = window.open("", "_blank"); // asked for later it would be held back
  const said = await result_of([papers.now], false);
  if (said) tab.location = `${base}/bericht/${said.rueckmeldung}`;
  else tab.close();
});

// The result of papers that were entered here.
async function result_of(list, show = true) {
  say("", "fehler-blatt");
  const arbeiten = list.map(({ name, nummer, blatt, antworten, hand }) => ({ name, nummer: nummer ?? "", blatt: blatt ?? "", antworten, hand }));
  try {
    const said = await ask(`/api/klasse/${set?.quelle ?? source}`, { method: "POST", body: { arbeiten } });
    if (show) classResult({ ...said, arbeiten: list.length, ungelesen: [] });
    return said;
  } catch (error) {
    say(error.message, "fehler-blatt");
  }
}

function classResult(said) {
  at("klasse-stand").textContent = said.arbeiten === 1 ? "1 Arbeit geprüft." : `${said.arbeiten} Arbeiten geprüft.`;
  at("klasse-ungelesen").replaceChildren(...said.ungelesen.map((sentence) => make("li", {}, sentence)));
  at("klasse-bericht").href = `${base}/bericht/${said.bericht}`;
  at("klasse-rueckmeldung").href = `${base}/bericht/${said.rueckmeldung}`;
  at("klasse-tabelle").href = `${base}/bericht/${said.tabelle}/klasse.csv`;
  at("klasse-ergebnis").hidden = false;
  at("klasse-titel").focus();
}
at("anderes").addEventListener("click", () => {
  remember();
  location.assign(`${base}/pruefen`);
});

takes("ablegen-rechnung", "rechnung", async (file) => {
  try {
    open({ datei: file.name, rechnung: await small(file).text() });
  } catch (error) {
    say(error.message);
  }
});
if (at("blattfoto")) takes("ablegen-blattfoto", "blattfoto", async (file) => {
  say("");
  at("laedt").textContent = "Das Foto wird gelesen …";
  try {
    const { code } = await ask("/api/datei/foto", { method: "POST", raw: small(file) });
    at("code").value = code;
    await open({ code });
  } catch (error) {
    at("laedt").textContent = "";
    say(error.message);
  }
});
takes("ablegen-antworten", "antworten", async (file, ...more) => {
  if (more.length) return checkClass([file, ...more]);
  await sheetIsOpen;
  try {
    const said = await ask(`/api/datei/antworten/${source}?datei=${encodeURIComponent(file.name)}`, { method: "POST", raw: small(file) });
    if (said.nicht) notRead = [`„${file.name}“: ${said.nicht}`];
    act("fill", { answers: said.antworten });
  } catch (error) {
    say(error.message, "fehler-blatt");
  }
});

takes("ablegen-klasse", "klasse", (...files) => checkClass(files));

// All files of a class at once: their names and sizes in one line, then one after the other.
async function checkClass(files) {
  at("klasse-ergebnis").hidden = true;
  say("", "fehler-blatt");
  at("klasse-laedt").textContent = files.length === 1 ? "Die Datei wird geprüft …" : `${files.length} Dateien werden geprüft …`;
  await sheetIsOpen;
  try {
    const head = JSON.stringify(files.map((file) => [file.name, file.size]));
    const said = await ask(`/api/datei/klasse/${set?.quelle ?? source}`, { method: "POST", raw: new Blob([head, "\n", ...files]) });
    classResult(said);
  } catch (error) {
    say(error.message, "fehler-blatt");
  }
  at("klasse-laedt").textContent = "";
}

// A file that may be sent; where it is larger the server would hang up without a word.
function small(file) {
  const most = 32;
  if (file.size > most * 1e6) throw new Error(`Die Datei „${file.name}“ ist zu groß (${german((file.size / 1e6).toFixed(1))}\u00a0MB); möglich sind höchstens ${most}\u00a0MB.`);
  return file;
}

// Files that are chosen, or dropped anywhere near, also in a folder.
function takes(area, input, take) {
  const chosen = () => {
    const files = [...at(input).files];
    at(input).value = "";
    if (files.length) take(...files);
  };
  at(input).addEventListener("change", chosen);
  chosen(); // before this script listened
  for (const kind of ["dragover", "dragleave", "drop"])
    at(area).addEventListener(kind, async (event) => {
      event.preventDefault();
      at(area).classList.toggle("over", kind === "dragover");
      if (kind !== "drop") return;
      const files = await dropped(event.dataTransfer);
      if (files.length) take(...files);
    });
}

async function dropped(transfer) {
  const folder = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).find((entry) => entry?.isDirectory);
  if (!folder) return [...transfer.files];
  const reader = folder.createReader();
  const files = [];
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail)); // a hundred at a time
    if (!part.length) return files;
    for (const entry of part.filter((each) => each.isFile && !each.name.startsWith("."))) files.push(await new Promise((done, fail) => entry.file(done, fail)));
  }
}

// The photo never leaves the browser.
let width = 100;
let turned = 0;
at("foto").addEventListener("change", () => {
  const [file] = at("foto").files;
  if (!file) return;
  URL.revokeObjectURL(at("foto-bild").src);
  at("foto-bild").src = URL.createObjectURL(file);
  at("foto-bereich").hidden = false;
});
const sized = () => {
  at("foto-bild").style.width = `${width}%`;
  at("foto-bild").style.rotate = `${turned}deg`;
};
at("foto-groesser").addEventListener("click", () => ((width = Math.min(400, width * 1.25)), sized()));
at("foto-kleiner").addEventListener("click", () => ((width = Math.max(25, width / 1.25)), sized()));
at("foto-drehen").addEventListener("click", () => ((turned += 90), sized()));
at("foto-weg").addEventListener("click", () => {
  URL.revokeObjectURL(at("foto-bild").src);
  at("foto-bild").removeAttribute("src");
  at("foto-bereich").hidden = true;
});

const wanted = [...new URLSearchParams(location.search)].find(([name, value]) => value && ["code", "klasse", "blatt"].includes(name));
if (wanted) {
  if (wanted[0] === "code") at("code").value = wanted[1];
  open({ [wanted[0]]: wanted[1] });
} else {
  let before = null;
  try { before = JSON.parse(sessionStorage.getItem(OPEN)); } catch { /* nothing was open */ }
  if (before) open(before);
}
ready();
