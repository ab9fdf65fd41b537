// What is being made: place in the queue, progress, and the files once they are there.
import { ask, base, button, make, post } from "./api.js";

const EVERY = 800;

const sorted = (value) => value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort().map(([name, each]) => [name, sorted(each)])) : value;
const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

export class Jobs {
  // now: the order that the form holds. refused: says an error where its field is; false where it has none.
  constructor(area, now, refused) {
    Object.assign(this, { area, now, refused });
    this.title = area.querySelector("h2");
    this.list = area.querySelector("ul");
    this.said = area.querySelector("[aria-live]");
    this.items = new Map();
    this.begin();
  }

  async add(path, order) {
    if ([...this.items.values()].some((item) => item.open && same(item.order, order))) return; // it is being made
    const job = await post(path, order);
    for (const item of this.items.values()) if (!item.open) item.element.remove();
    this.items.set(job.name, { element: make("li", { class: "card" }), order });
    this.draw(job);
    this.area.hidden = false;
    this.follow();
  }

  // Jobs that an earlier view of this page began.
  async begin() {
    const jobs = await ask("/api/auftraege").catch(() => []);
    const made = jobs.filter((each) => each.blatt).slice(-1); // another page was looked at meanwhile
    const open = jobs.filter((each) => each.stand === "wartet" || each.stand === "läuft");
    for (const job of [...made, ...open]) if (!this.items.has(job.name)) this.draw(job);
    if (this.items.size) this.area.hidden = false;
    this.follow();
  }

  follow() {
    clearTimeout(this.timer);
    const open = [...this.items.values()].some((item) => item.open);
    if (open) this.timer = setTimeout(() => this.look(), EVERY);
  }

  async look() {
    for (const [name, item] of this.items) {
      if (!item.open) continue;
      const job = await ask(`/api/auftraege/${name}`).catch((error) => ({ name, stand: "gescheitert", fehler: error.message }));
      this.draw(job);
    }
    this.follow();
  }

  draw(job) {
    const item = this.items.get(job.name) ?? { element: make("li", { class: "card" }) };
    const was = item.state;
    item.state = job.stand;
    item.open = job.stand === "wartet" || job.stand === "läuft";
    item.order = job.blatt?.bestellung ?? item.order;
    item.mark = job.blatt?.blatt;
    if (!item.element.isConnected) this.list.prepend(item.element);
    this.items.set(job.name, item);
    const ended = was && was !== job.stand && !item.open;
    if (ended && job.stand === "gescheitert" && this.refused(job.fehler, job.feld)) return this.forget(job.name);
    item.element.replaceChildren(make("h3", {}, item.order?.optionen.satz || "Blatt"), ...this.parts(job, item));
    if (ended) this.said.textContent = job.stand === "fertig" ? `${item.order?.klasse ? "Der Klassensatz" : "Das Blatt"} ist fertig.` : job.fehler;
    this.compare();
  }

  forget(name) {
    this.items.get(name).element.remove();
    this.items.delete(name);
    this.area.hidden = !this.list.childElementCount;
  }

  // A finished sheet of other settings than those of the preview below steps back, so that it is not printed by mistake.
  compare() {
    const { optionen, zahlen } = this.now();
    for (const { element, order, mark } of this.items.values()) {
      const inside = element.querySelector(".made");
      if (!inside || !element.isConnected) continue;
      const older = !same([optionen, zahlen], [order.optionen, order.zahlen]);
      if (older === inside.matches("details")) continue;
      const what = order.klasse ? "Dieser Klassensatz" : `Blatt ${mark}`;
      const parts = [...inside.childNodes].filter((each) => !each.matches("summary"));
      element.querySelector(".older")?.remove();
      inside.replaceWith(older ? make("details", { class: "made" }, make("summary", {}, `${what} trotzdem öffnen`), ...parts) : make("div", { class: "made" }, ...parts));
      if (older) element.querySelector("h3").after(make("p", { class: "older message", role: "status" }, `${what} gehört zu früheren Einstellungen; die Vorschau zeigt ein anderes Blatt.`));
    }
    const [last] = [...this.items.values()].filter((item) => item.element === this.list.firstElementChild);
    const older = last?.element.querySelector(".older");
    this.title.textContent = `Ihr ${older ? (last.order.klasse ? "voriger " : "voriges ") : ""}${last?.order?.klasse ? "Klassensatz" : "Blatt"}`;
  }

  parts(job, item) {
    if (job.stand === "fertig" && job.blatt) return [make("div", { class: "made" }, ...files(job.blatt))];
    if (job.stand === "gescheitert") return [make("p", { class: "message bad" }, job.fehler)];
    const stop = button("Abbrechen", async () => {
      stop.disabled = true;
      this.draw(await ask(`/api/auftraege/${job.name}`, { method: "DELETE" }));
      this.look();
    }, { class: "plain" });
    const bar = job.von ? make("progress", { max: job.von, value: job.nummer, "aria-label": "Fortschritt" }) : make("progress", { "aria-label": "Fortschritt" });
    return [make("p", {}, words(job)), bar, stop];
  }
}

function words(job) {
  if (job.stand === "wartet") return job.davor > 1 ? `Noch ${job.davor} Aufträge davor …` : job.davor === 1 ? "Noch ein Auftrag davor …" : "Gleich geht es los …";
  const counted = job.von ? ` (${job.nummer} von ${job.von})` : "";
  return `${job.schritt || "Gleich geht es los"} …${counted}`;
}

// The end in sight: what is to be printed, large; what the sheet is called; what comes next.
function files(sheet) {
  const at = `${base}/blaetter/${sheet.name}/`;
  const pdfs = sheet.dateien.filter((file) => file.datei.endsWith(".pdf"));
  const links = [
    ...pdfs.map((file, i) => make("a", { class: i < 3 ? "button big" + (i ? "" : " main") : "button", href: at + file.datei, target: "_blank", rel: "noopener" }, file.name)),
    ...sheet.dateien.filter((file) => file.dazu && !pdfs.includes(file)).map((file) => make("a", { class: "button", href: `${at}${file.datei}?sichern` }, `${file.name}, ${file.art}`)),
  ];
  const more = make("details", {}, make("summary", {}, "Alle Dateien"), make("ul", { class: "plain" }, ...[...pdfs, ...sheet.dateien.filter((file) => !pdfs.includes(file))].map((file) => make("li", {}, make("a", { href: `${at}${file.datei}?sichern` }, `${file.name}, ${file.art}`)))));
  const notes = sheet.hinweise?.length ? [make("p", { class: "soft small" }, sheet.hinweise.join(" "))] : [];
  const one = sheet.art === "blatt";
  const facts = sheet.gruppen ? [`Gruppenpuzzle ${sheet.blatt}`, `${sheet.gruppen} Gruppen`, `${sheet.dauer} ohne Einstieg und Vergleich`] : one ? [`Blatt ${sheet.blatt}`, sheet.seiten === 1 ? "1 Seite" : `${sheet.seiten} Seiten`, sheet.dauer, `${sheet.be} BE`] : [sheet.anzahl === 1 ? "1 Blatt" : `${sheet.anzahl} Blätter`, marks(sheet.blaetter)];
  const query = `${one ? "blatt" : "klasse"}=${sheet.name}`;
  const next = [make("a", { class: "button", href: `${base}/stunden?${query}` }, "Stunde mit Handys beginnen"), make("a", { class: "button", href: `${base}/pruefen?${query}` }, one ? "Antworten prüfen" : "Klasse prüfen")];
  const picture = one && pdfs.length ? [make("img", { class: "first", src: `${at}bild.png`, alt: "Die erste Seite", width: "90" })] : [];
  return [
    make("div", { class: "finished" }, ...picture, make("div", {}, make("p", { class: "soft" }, `${facts.join(" · ")}. Zum Drucken öffnen:`), make("p", { class: "files" }, ...links))),
    ...notes,
    make("p", { class: "files" }, ...next, make("a", { class: "button plain", href: `${at}alles.zip` }, "Alles sichern (ZIP)")),
    ...(one ? [] : [make("details", {}, make("summary", {}, "Wer welches Blatt hat"), make("ol", { class: "marks" }, ...sheet.blaetter.map((each) => make("li", {}, `${each.blatt} ${each.name}`))))]),
    more,
  ];
}

const marks = (sheets) => {
  const names = [...new Set(sheets.map((each) => each.blatt))]; // they are in no order, and a few sheets may be alike
  return names.length < 4 ? names.join(", ") : `${names.length} verschiedene Blätter`;
};
