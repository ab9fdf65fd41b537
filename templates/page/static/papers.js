// The papers of a class: who wrote what, how many points; kept in this browser with the sheet, until removed.
// Two tabs have the same papers: of each, what was written last stays.
import { button, keep, kept, make } from "./api.js";

const PLACE = "papierformer-pruefung-";

export class Papers {
  // kennung: of the sheet or the class set. chosen: called with the paper that is opened.
  constructor(kennung, area, chosen) {
    this.place = PLACE + kennung;
    this.area = area;
    this.chosen = chosen;
    this.list = this.stored;
    this.both = new Set(this.list.map(idOf)); // what has stood in the browser: missing there, another tab removed it
    this.now = undefined;
    addEventListener("storage", ({ key }) => key === this.place && this.meet());
  }

  get stored() {
    return (kept(this.place) ?? []).map((paper, index) => ({ ...blank(), id: `${index}`, ...paper }));
  }

  keep() {
    this.meet();
    const used = this.list.filter((paper) => paper.name || paper.nummer || paper.antworten.length);
    for (const paper of used) this.both.add(idOf(paper));
    keep(this.place, used.length ? used : undefined);
  }

  // What another tab has written meanwhile.
  meet() {
    const there = new Map(this.stored.map((paper) => [idOf(paper), paper]));
    const own = new Set(this.list.map(idOf));
    this.list = this.list.filter((paper) => paper === this.now || paper.nummer || there.has(idOf(paper)) || !this.both.has(idOf(paper)));
    let changed = false;
    for (const paper of this.list) {
      const theirs = there.get(idOf(paper));
      if (!(theirs?.zeit > (paper.zeit ?? 0))) continue;
      Object.assign(paper, theirs);
      changed ||= paper === this.now;
    }
    this.list.push(...[...there].filter(([id]) => !own.has(id) && !this.both.has(id)).map(([, paper]) => paper));
    for (const id of there.keys()) this.both.add(id);
    if (this.now) this.draw();
    if (changed) this.chosen(this.now);
  }

  // The pupils of a class set stand there from the beginning.
  expect(pupils) {
    const known = new Map(this.list.map((paper) => [paper.nummer, paper]));
    this.list = pupils.map((each) => known.get(each.nummer) ?? { ...blank(), ...each });
    this.draw();
  }

  add(name = "") {
    this.list.push({ ...blank(), name });
    return this.list.at(-1);
  }

  // What was read from paper; a paper on which more was typed since stays as it is.
  take(papers) {
    for (const { scan, nummer, ...read } of papers) {
      const fixed = nummer && this.list.find((paper) => paper.nummer === nummer);
      const paper = fixed || this.list.find((each) => each.scan === scan) || this.add();
      const told = said(read.antworten), first = fixed && paper.scan !== scan && paper.scan; // of two pupils with one number the first
      if (first || (paper.antworten.length && said(paper.antworten) !== paper.gelesen) || paper.gelesen === told) continue;
      this.note({ ...read, scan, gelesen: told, ...(Object.keys(paper.hand).length ? { punkte: null } : {}) }, paper);
    }
  }

  // Names of a class, each without a paper yet; who is there already is not there twice. An empty paper gives way.
  addNames(text) {
    const empty = this.list.filter((paper) => !paper.name && !paper.nummer && !paper.antworten.length);
    const known = new Set(this.list.map((paper) => paper.name));
    for (const name of text.split("\n").map((line) => line.trim()).filter((line) => line && !known.has(line))) this.add(name);
    if (this.list.length > empty.length) this.list = this.list.filter((paper) => !empty.includes(paper));
    this.keep();
    if (this.list.includes(this.now)) this.draw();
    else this.open(this.list[0]);
  }

  // The paper that was open in this tab before.
  get last() {
    return this.list.find((paper) => idOf(paper) === kept(this.place, sessionStorage));
  }

  open(paper) {
    this.now = paper;
    keep(this.place, idOf(paper), sessionStorage);
    this.draw();
    this.chosen(paper);
  }

  // The next one in the list that is empty, else a new one.
  next() {
    if (!this.now.nummer && !this.now.name && !this.now.antworten.length) return; // a double click is one paper
    const after = this.list.slice(this.list.indexOf(this.now) + 1);
    const fixed = this.list.some((paper) => paper.nummer);
    const found = after.find((paper) => !paper.antworten.length) ?? (fixed ? after[0] : undefined);
    if (found || !fixed) this.open(found ?? this.add());
  }

  note(change, paper = this.now) {
    if (JSON.stringify({ ...paper, ...change }) === JSON.stringify(paper)) return; // else two tabs would tell each other for ever
    Object.assign(paper, change, { zeit: Date.now() });
    this.keep();
    this.draw();
  }

  draw() {
    const rows = this.list.map((paper) => {
      const name = paper.name || (paper.nummer ? `Nummer ${paper.nummer}` : "ohne Namen");
      const open = button(name, () => this.open(paper), { class: "plain", "aria-current": paper === this.now ? "true" : undefined });
      const remove = button("×", () => this.remove(paper), { class: "plain", "aria-label": `${paper.name || "Arbeit ohne Namen"} entfernen` });
      const cells = [paper.blatt ?? "", paper.punkte ? `${paper.punkte.erreicht} / ${paper.punkte.von}${paper.punkte.offen ? ` (${paper.punkte.offen} offen)` : ""}` : "", paper.punkte ? [...new Set([paper.punkte.note, paper.punkte.note_bis ?? paper.punkte.note])].join(" bis ") : ""];
      return make("tr", {}, make("th", { scope: "row" }, open), ...cells.map((text) => make("td", {}, text)), make("td", {}, ...(paper.nummer ? [] : [remove])));
    });
    const heads = ["Name", "Blatt", "BE", "Notenpunkte"].map((head) => make("th", { scope: "col" }, head));
    this.area.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...heads, make("td", {}))), make("tbody", {}, ...rows)));
  }

  remove(paper) {
    if (paper.antworten.length && !confirm(`Die Arbeit „${paper.name || "ohne Namen"}“ mit allem entfernen, was eingetragen ist?`)) return;
    this.list = this.list.filter((each) => each !== paper);
    this.keep();
    if (paper === this.now) this.open(this.list[0] ?? this.add());
    else this.draw();
  }

  get written() {
    return this.list.filter((paper) => paper.antworten.length);
  }
}

const said = (antworten) => JSON.stringify(antworten.map((each) => JSON.stringify(each)).sort());
const idOf = (paper) => (paper.nummer ? `Nummer ${paper.nummer}` : paper.id);
const blank = () => ({ id: `${Date.now()}-${Math.random()}`, name: "", antworten: [], hand: {}, punkte: null });
