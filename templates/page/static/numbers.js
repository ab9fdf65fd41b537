// Word vectors and matrices in tables: shown as the sheet has them, and changed by typing over them.
import { button, german, make, number } from "./api.js";

const plain = (words, act, label) => button(words, act, { class: "plain", "aria-label": label });
const SAME = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class Numbers {
  // changed: called when the sheet is another one. own: as it is sent, word vectors by word and matrices by name.
  // before: what the program had computed where own stands, as far as it is known. unlock: takes numbers that can be changed.
  constructor(details, changed, unlock) {
    this.details = details;
    this.holder = details.querySelector(".fields");
    this.said = details.querySelector(".changed");
    this.note = make("p", { class: "soft small", role: "status" });
    this.changed = changed;
    this.unlock = unlock;
    this.own = {};
    this.before = {};
    details.addEventListener("toggle", () => this.draw());
    this.holder.addEventListener("click", (event) => event.target.matches("input:not([readonly])") && event.target.select());
  }

  sent() {
    return this.own;
  }

  restore(own, before = {}) {
    this.own = own || {};
    this.before = before || {};
    this.count();
    this.draw();
  }

  show(given) {
    this.given = given;
    if (!this.holder.contains(document.activeElement)) this.draw();
  }

  draw() {
    if (!this.details.open || !this.given) return;
    const { fest, dimensionen, wortvektoren, matrizen } = this.given;
    const parts = [make("p", { class: "help" }, fest ? "Diese Zahlen hat das Modell gelernt. Mit einer anderen sagte es nicht mehr dasselbe Wort voraus; darum stehen sie fest. Ändern lassen sich Zahlen, die leicht zu rechnen sind: Dann sagt das Modell irgendein Wort voraus." : "Zahlen zum Überschreiben. Ein leeres Feld bekommt wieder die berechnete Zahl."), this.note];
    if (fest) parts.push(plain("Andere Zahlen nehmen und ändern", this.unlock));
    if (this.places().length) parts.push(plain("Alle eigenen Zahlen verwerfen", () => this.reset(this.places())));
    const words = Object.entries(wortvektoren).map(([word, row]) => ({ label: word, row, place: ["wortvektoren", word] }));
    parts.push(this.table("Wortvektoren", dimensionen, words, fest));
    for (const [name, value] of Object.entries(matrizen)) {
      const flat = !Array.isArray(value[0]);
      const rows = (flat ? [value] : value).map((row, i) => ({ label: flat ? "" : `${i + 1}`, row, place: [name], line: flat ? undefined : i }));
      parts.push(this.table(titled(name), [], rows, fest));
    }
    this.holder.replaceChildren(make("div", { class: "numbers" }, ...parts));
  }

  table(title, heads, rows, fixed) {
    const table = make("table", {}), spoken = title.replace("_", " ");
    if (heads.length) table.append(make("thead", {}, make("tr", {}, make("td", {}), ...heads.map((head) => make("th", { scope: "col" }, head)))));
    const body = make("tbody", {});
    for (const { label, row, place, line } of rows) {
      const cells = row.map((value, column) => {
        const input = make("input", { value: german(value), "aria-label": `${spoken} ${label}, Spalte ${column + 1}`.replace("  ", " "), readonly: fixed, class: this.differs(place, line, column, value) ? "own" : "" });
        input.addEventListener("change", () => this.change(input, place, line, column));
        return make("td", {}, input);
      });
      body.append(make("tr", {}, label ? make("th", { scope: "row" }, label) : make("td", {}), ...cells));
    }
    table.append(body);
    const places = this.places().filter((place) => rows.some((row) => SAME(row.place, place)));
    const reset = places.length ? plain("Zurücksetzen", () => this.reset(places), `${spoken} zurücksetzen`) : undefined;
    return make("div", { class: "table" }, make("h2", {}, ...signed(title), ...(reset ? [" ", reset] : [])), make("div", { class: "scroll", role: "region", "aria-label": spoken }, table));
  }

  // Everything that is the teacher's own: ["wortvektoren", word] or [name of a matrix].
  places() {
    const { wortvektoren = {}, ...matrices } = this.own;
    return [...Object.keys(wortvektoren).map((word) => ["wortvektoren", word]), ...Object.keys(matrices).map((name) => [name])];
  }

  mine([name, word]) {
    return word === undefined ? this.own[name] : this.own[name]?.[word];
  }

  differs(place, line, column, value) {
    if (this.mine(place) === undefined) return false;
    const before = this.before[place.join("|")];
    const row = line === undefined ? before : before?.[line];
    return row === undefined || row[column] !== value;
  }

  change(input, place, line, column) {
    const [name, word] = place;
    const shown = word === undefined ? this.given.matrizen : this.given.wortvektoren;
    const key = word ?? name;
    const known = this.before[place.join("|")];
    if (this.mine(place) === undefined) this.before[place.join("|")] = structuredClone(shown[key]);
    const computed = this.before[place.join("|")];
    const empty = !input.value.trim();
    if (empty && this.mine(place) !== undefined && known === undefined) return this.reset([place]);
    const value = empty ? (line === undefined ? computed[column] : computed[line][column]) : number(input.value);
    input.setAttribute("aria-invalid", Number.isNaN(value));
    if (Number.isNaN(value)) {
      this.note.textContent = `„${input.value}“ ist keine Zahl; möglich ist zum Beispiel 0,5 oder −1.`;
      return;
    }
    this.note.textContent = empty ? `Dort steht wieder die berechnete Zahl ${german(value)}.` : "";
    input.value = german(value);
    const mine = structuredClone(shown[key]);
    if (line === undefined) mine[column] = value;
    else mine[line][column] = value;
    shown[key] = mine;
    if (SAME(mine, computed)) this.forget(place);
    else if (word === undefined) this.own[name] = mine;
    else this.own[name] = { ...this.own[name], [word]: mine };
    input.classList.toggle("own", this.differs(place, line, column, value));
    this.count();
    this.changed();
  }

  forget([name, word]) {
    delete this.before[[name, word].filter((part) => part !== undefined).join("|")];
    if (word === undefined) delete this.own[name];
    else delete this.own[name]?.[word];
    if (word !== undefined && !Object.keys(this.own[name] ?? {}).length) delete this.own[name];
  }

  reset(places) {
    places.forEach((place) => this.forget(place));
    this.note.textContent = "Hier stehen wieder die berechneten Zahlen.";
    this.count();
    this.changed();
    this.details.querySelector("summary").focus();
  }

  count() {
    const all = this.places().length;
    this.said.hidden = !all;
    this.said.textContent = all === 1 ? "1 Änderung" : `${all} Änderungen`;
  }
}

// block1.head2.W_Q as people say it: W with an index, Head 2
function titled(name) {
  const words = { block: "Block", head: "Head", norm: "Norm", ffn: "Feed-Forward" };
  const signs = { gamma: "γ", beta: "β" };
  const parts = name.split(".").map((part) => part.replace(/^(block|head|norm)(\d+)$/, (_, kind, n) => `${words[kind]} ${n}`).replace(/^ffn$/, words.ffn));
  const last = parts.pop();
  return [...parts.filter((part) => part !== "Block 1"), signs[last] ?? last].join(", ");
}

// „W_Q“ with its index as on the sheet.
export function signed(text) {
  return text.split(/\b([Wb]_\w)\b/).flatMap((part, i) => (i % 2 ? [make("i", {}, part[0]), make("sub", {}, part[2])] : [part]));
}
