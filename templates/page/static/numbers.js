// Word vectors and matrices in tables: shown as the sheet has them, and changed by typing over them.
import { german, make, number } from "./api.js";

export class Numbers {
  constructor(details, changed) {
    this.details = details;
    this.holder = details.querySelector(".fields");
    this.said = details.querySelector(".changed");
    this.changed = changed;
    this.own = {}; // as it is sent: wortvektoren by word, matrices by name
    details.addEventListener("toggle", () => this.draw());
  }

  sent() {
    return this.own;
  }

  restore(own) {
    this.own = own || {};
    this.count();
  }

  show(given) {
    this.given = given;
    if (!this.holder.contains(document.activeElement)) this.draw();
  }

  draw() {
    if (!this.details.open || !this.given) return;
    const { fest, dimensionen, wortvektoren, matrizen } = this.given;
    const parts = [make("p", { class: "help" }, fest ? "Diese Zahlen hat das Modell gelernt; sie lassen sich hier nur ansehen. Zum Überschreiben wählen Sie oben unter „Modell“ andere Matrizen." : "Zahlen zum Überschreiben. Was Sie ändern, gilt für dieses Blatt.")];
    const reset = make("button", { type: "button", class: "plain" }, "Eigene Zahlen verwerfen");
    reset.addEventListener("click", () => this.reset());
    if (Object.keys(this.own).length) parts.push(reset);
    const words = Object.entries(wortvektoren).map(([word, row]) => [word, row, "wortvektoren", word]);
    parts.push(this.table("Wortvektoren", dimensionen, words, fest));
    for (const [name, value] of Object.entries(matrizen)) {
      const rows = Array.isArray(value[0]) ? value : [value];
      const entries = rows.map((row, i) => [rows.length > 1 ? `${i + 1}` : "", row, name, i]);
      parts.push(this.table(titled(name), [], entries, fest, !Array.isArray(value[0])));
    }
    this.holder.replaceChildren(make("div", { class: "numbers" }, ...parts));
  }

  table(title, heads, rows, fixed, flat) {
    const table = make("table", {});
    if (heads.length) table.append(make("thead", {}, make("tr", {}, make("td", {}), ...heads.map((head) => make("th", { scope: "col" }, head)))));
    const body = make("tbody", {});
    for (const [label, row, name, key] of rows) {
      const cells = row.map((value, column) => {
        const input = make("input", { value: german(value), inputmode: "decimal", "aria-label": `${title} ${label}, Spalte ${column + 1}`, readonly: fixed, class: this.isOwn(name, key) ? "own" : "" });
        input.addEventListener("change", () => this.change(input, name, key, column, flat));
        return make("td", {}, input);
      });
      body.append(make("tr", {}, label ? make("th", { scope: "row" }, label) : make("td", {}), ...cells));
    }
    table.append(body);
    return make("div", { class: "table" }, make("h2", {}, title), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, table));
  }

  isOwn(name, key) {
    return name === "wortvektoren" ? key in (this.own.wortvektoren || {}) : name in this.own;
  }

  change(input, name, key, column, flat) {
    const value = number(input.value);
    input.setAttribute("aria-invalid", Number.isNaN(value));
    if (Number.isNaN(value)) return;
    if (name === "wortvektoren") {
      const row = [...this.given.wortvektoren[key]];
      row[column] = value;
      this.given.wortvektoren[key] = row;
      this.own.wortvektoren = { ...this.own.wortvektoren, [key]: row };
    } else if (flat) {
      this.given.matrizen[name][column] = value;
      this.own[name] = this.given.matrizen[name];
    } else {
      this.given.matrizen[name][key][column] = value;
      this.own[name] = this.given.matrizen[name];
    }
    input.classList.add("own");
    this.count();
    this.changed();
  }

  reset() {
    this.own = {};
    this.count();
    this.changed();
    this.details.querySelector("summary").focus();
  }

  count() {
    const vectors = Object.keys(this.own.wortvektoren || {}).length;
    const all = vectors + Object.keys(this.own).filter((name) => name !== "wortvektoren").length;
    this.said.hidden = !all;
    this.said.textContent = all === 1 ? "1 Änderung" : `${all} Änderungen`;
  }
}

// block1.head2.W_Q as people say it: Head 2: W_Q
function titled(name) {
  const words = { block: "Block", head: "Head", norm: "Norm", ffn: "Feed-Forward" };
  const parts = name.split(".").map((part) => part.replace(/^(block|head|norm)(\d+)$/, (_, kind, n) => `${words[kind]} ${n}`).replace(/^ffn$/, words.ffn));
  return parts.filter((part) => part !== "Block 1").join(", ");
}
