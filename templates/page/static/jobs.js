// What is being made: place in the queue, progress, and the files once they are there.
import { ask, base, make } from "./api.js";

const EVERY = 800;

export class Jobs {
  constructor(area) {
    this.area = area;
    this.list = area.querySelector("ul");
    this.said = area.querySelector("[aria-live]");
    this.items = new Map();
    this.begin();
  }

  async add(path, order) {
    const same = JSON.stringify(order);
    if ([...this.items.values()].some((item) => item.open && item.order === same)) return; // it is being made
    const job = await ask(path, { method: "POST", body: order });
    for (const item of this.items.values()) if (!item.open) item.element.remove();
    this.draw(job, order.optionen.satz);
    this.items.get(job.name).order = same;
    this.area.hidden = false;
    this.follow();
  }

  // Jobs that an earlier view of this page began.
  async begin() {
    const jobs = await ask("/api/auftraege").catch(() => []);
    for (const job of jobs.filter((each) => each.stand === "wartet" || each.stand === "läuft")) this.draw(job, "");
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
      this.draw(job, item.sentence);
    }
    this.follow();
  }

  draw(job, sentence) {
    const item = this.items.get(job.name) ?? { element: make("li", { class: "card" }), sentence };
    const was = item.state;
    item.state = job.stand;
    item.open = job.stand === "wartet" || job.stand === "läuft";
    if (!this.items.has(job.name)) this.list.prepend(item.element);
    this.items.set(job.name, item);
    item.element.replaceChildren(make("h3", {}, job.blatt?.satz || sentence || "Blatt"), ...this.parts(job, item));
    if (was && was !== job.stand && !item.open) this.said.textContent = job.stand === "fertig" ? "Das Blatt ist fertig." : job.fehler;
  }

  parts(job, item) {
    if (job.stand === "fertig" && job.blatt) return files(job.blatt);
    if (job.stand === "gescheitert") return [make("p", { class: "message bad" }, job.fehler)];
    const stop = make("button", { type: "button", class: "plain" }, "Abbrechen");
    stop.addEventListener("click", async () => {
      stop.disabled = true;
      this.draw(await ask(`/api/auftraege/${job.name}`, { method: "DELETE" }), item.sentence);
      this.look();
    });
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
  const links = pdfs.map((file, i) => make("a", { class: i < 3 ? "button big" + (i ? "" : " main") : "button", href: at + file.datei, target: "_blank", rel: "noopener" }, file.name));
  const more = make("details", {}, make("summary", {}, "Alle Dateien"), make("ul", { class: "plain" }, ...[...pdfs, ...sheet.dateien.filter((file) => !pdfs.includes(file))].map((file) => make("li", {}, make("a", { href: `${at}${file.datei}?sichern` }, `${file.name}, ${file.art}`)))));
  const notes = (sheet.hinweise || []).map((note) => make("p", { class: "soft small" }, note));
  const one = sheet.art === "blatt";
  const facts = one ? [`Blatt ${sheet.blatt}`, sheet.seiten === 1 ? "1 Seite" : `${sheet.seiten} Seiten`, sheet.dauer, `${sheet.be} BE`] : [`${sheet.anzahl} Blätter`];
  const query = `${one ? "blatt" : "klasse"}=${sheet.name}`;
  const next = [make("a", { class: "button", href: `${base}/stunden?${query}` }, "Stunde mit Handys beginnen"), make("a", { class: "button", href: `${base}/pruefen?${query}` }, one ? "Antworten prüfen" : "Klasse prüfen")];
  const picture = one && pdfs.length ? [make("img", { class: "first", src: `${at}bild.png`, alt: "Die erste Seite", width: "90" })] : [];
  return [
    make("div", { class: "finished" }, ...picture, make("div", {}, make("p", { class: "soft" }, `${facts.join(" · ")}. Zum Drucken öffnen:`), make("p", { class: "files" }, ...links))),
    ...notes,
    make("p", { class: "files" }, ...next, make("a", { class: "button plain", href: `${at}alles.zip` }, "Alles sichern (ZIP)")),
    more,
  ];
}
