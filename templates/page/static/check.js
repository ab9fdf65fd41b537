// The page for checking: a sheet is opened, numbers are entered, and every pause brings the verdicts.
import { ask, at, base, button, Frames, keep, kept, make, post, ready, say, upload } from "./api.js";
import { small, takes } from "./files.js";
import { Papers } from "./papers.js";
import { draw, look, pointsOf, wipe } from "./verdicts.js";

const PAUSE = 500, OPEN = "papierformer-geoeffnet";
const frames = new Frames(at("rahmen"), "Blatt zum Eintragen");
const key = new Frames(at("rahmen-loesung"), "Lösung");
let source, frame, fields, written, writer, timer, asked, opened, papers, grades, keyOf; // writer: the paper that `written` is of
let notRead = []; // of a file that was dropped, until another paper is opened
let set; // the class set that is open: its place on the shelf and its source
const sheetIsOpen = new Promise((done) => (opened = done)); // a file that comes earlier waits

// asking: what the server is asked for, or a file with its text; kept in this tab, so that one comes back to it.
async function open(asking) {
  say("");
  at("auswahl").replaceChildren();
  at("laedt").textContent = "Das Blatt wird geöffnet …";
  try {
    const sheet = await (asking.rechnung === undefined ? post("/api/oeffnen", asking) : upload(`/api/datei/rechnung?${new URLSearchParams({ datei: asking.datei, ...(asking.teil === undefined ? {} : { teil: asking.teil }) })}`, asking.rechnung));
    if (sheet.auswahl) return choose(sheet.auswahl, asking);
    remember(asking);
    at("blatt-titel").textContent = sheet.satz;
    at("oeffnen-bereich").hidden = true;
    at("blatt").hidden = false;
    papers = new Papers(sheet.kennung, at("arbeiten"), entered);
    const read = asking.eingelesen ? (await ask(`/api/einlesen/${asking.klasse ?? asking.blatt}/arbeiten`)).arbeiten : [];
    at("namen-auf").hidden = Boolean(sheet.personen);
    if (sheet.personen) { // a class set: everybody has a sheet of their own
      set = { name: sheet.kennung, quelle: sheet.quelle };
      source = sheet.quelle;
      at("blatt").classList.add("set");
      papers.expect(sheet.personen);
      papers.take(read);
      const first = papers.list.find((paper) => paper.nummer === sheet.nummer) ?? papers.last;
      if (first) papers.open(first);
      else at("laden-stand").textContent = "Wählen Sie unter „Arbeiten“, wessen Blatt Sie prüfen.";
    } else {
      await shown(sheet);
      papers.take(read.filter((each) => each.blatt === sheet.blatt));
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
function choose(sheets, asked) {
  const jigsaw = sheets.some((each) => each.teil); // one of the sheets of what was asked for
  at("laedt").textContent = jigsaw ? "Ein Gruppenpuzzle. Welches Blatt möchten Sie prüfen?" : "Das kann mehreres sein. Welches Blatt meinen Sie?";
  at("auswahl").replaceChildren(...sheets.map(({ titel, ...asking }) => make("li", {}, button(titel, () => open(jigsaw ? { ...asked, ...asking } : asking)))));
  at("auswahl").querySelector("button").focus();
}

const remember = (asking) => keep(OPEN, asking, sessionStorage);

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
      await shown(await post("/api/oeffnen", { klasse: set.name, nummer: paper.nummer }));
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
    const { seite } = await post(`/api/loesung/${source}`);
    await key.show(`${base}/vorschau/${seite}`);
  } catch (error) {
    say(error.message, "fehler-blatt");
  }
}

const act = (act, detail = {}) => frame?.contentWindow.postMessage({ act, ...detail }, location.origin);

addEventListener("message", (event) => {
  if (event.origin !== location.origin || event.source !== frame?.contentWindow) return;
  if (event.data.kind === "looked") look(event.data.cell);
  if (event.data.kind !== "typed") return;
  written = event.data.written;
  writer = papers.now;
  if (papers.now) papers.note({ antworten: written });
  if (event.data.unknown) notRead.push(event.data.unknown === 1 ? "Ein Eintrag der Datei gehört zu keinem Feld dieses Blatts." : `${event.data.unknown} Einträge der Datei gehören zu keinem Feld dieses Blatts.`);
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
    const said = await post(`/api/pruefen/${source}`, { antworten: written }, signal);
    papers.note({ punkte: pointsOf(said, paper, key) }, paper);
    if (paper !== papers.now) return;
    say("", "fehler-blatt");
    draw({ result: said, papers, grades, fields, act });
  } catch (error) {
    if (error.name !== "AbortError" && paper === papers.now) say(error.message, "fehler-blatt");
  }
}

at("oeffnen").addEventListener("submit", (event) => {
  event.preventDefault();
  open({ code: at("code").value });
});
at("leeren").addEventListener("click", () => papers.next());
at("loesung").addEventListener("click", () => showKey(at("loesung").getAttribute("aria-pressed") !== "true"));
at("wer").addEventListener("input", () => papers.note({ name: at("wer").value }));
at("wer").addEventListener("keydown", (event) => {
  if (event.key === "Enter") act("go");
});
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
    const said = await post(`/api/klasse/${set?.quelle ?? source}`, { arbeiten });
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
    const { code } = await upload("/api/datei/foto", small(file));
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
    const said = await upload(`/api/datei/antworten/${source}?datei=${encodeURIComponent(file.name)}`, small(file));
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
    const said = await upload(`/api/datei/klasse/${set?.quelle ?? source}`, new Blob([head, "\n", ...files]));
    classResult(said);
  } catch (error) {
    say(error.message, "fehler-blatt");
  }
  at("klasse-laedt").textContent = "";
}

const wanted = [...new URLSearchParams(location.search)].find(([name, value]) => value && ["code", "klasse", "blatt"].includes(name));
if (wanted) {
  if (wanted[0] === "code") at("code").value = wanted[1];
  open({ [wanted[0]]: wanted[1], ...(location.search.includes("eingelesen=") ? { eingelesen: true } : {}) });
} else {
  const before = kept(OPEN, sessionStorage);
  if (before) open(before);
}
ready();
