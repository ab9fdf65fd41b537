// The form's fields as options by name: only what differs from the default is sent, as on a command line.
import { make } from "./api.js";

export const plain = JSON.parse(document.getElementById("vorlagen").dataset.standard); // what a fresh page holds
const fields = () => [...document.querySelectorAll("[data-option]")];

export function options() {
  const chosen = { satz: document.getElementById("satz").value };
  for (const field of fields()) {
    const value = valueOf(field);
    if (value !== undefined) chosen[field.dataset.option] = value;
  }
  return chosen;
}

function valueOf(field) {
  const { widget, standard } = field.dataset;
  if (widget === "switch") return field.checked === (standard === "an") ? undefined : field.checked;
  if (widget === "some" || widget === "words") {
    const checked = [...field.querySelectorAll("input:checked")].map((box) => box.value);
    const values = widget === "words" ? checked.map(Number) : checked;
    return values.length ? values : undefined;
  }
  if (widget === "word") return field.value ? Number(field.value) : undefined;
  const value = field.value.trim();
  return value === "" || value === standard ? undefined : value;
}

// Puts options into the fields again, as an earlier sheet had them.
export function fill(chosen) {
  document.getElementById("satz").value = chosen.satz ?? "";
  for (const field of fields()) {
    const { widget, standard, option } = field.dataset;
    const value = chosen[option];
    if (widget === "switch") field.checked = value ?? standard === "an";
    else if (widget === "some" || widget === "words") {
      if (widget === "words") field.dataset.wanted = JSON.stringify(value ?? []);
      field.querySelectorAll("input").forEach((box) => (box.checked = (value ?? []).map(String).includes(box.value)));
    } else if (widget === "word") field.dataset.wanted = value ?? "";
    else field.value = value ?? standard;
  }
  count();
}

// The words of the sentence, to choose from; what was chosen stays chosen where it still can be.
export function showTokens(tokens) {
  const text = JSON.stringify(tokens);
  for (const field of fields().filter((each) => ["word", "words"].includes(each.dataset.widget))) {
    if (field.dataset.tokens === text && !field.dataset.wanted) continue;
    field.dataset.tokens = text;
    if (field.dataset.widget === "word") fillWord(field, tokens);
    else fillWords(field, tokens);
    delete field.dataset.wanted;
  }
}

function fillWord(field, tokens) {
  const before = field.dataset.wanted || field.value;
  field.replaceChildren(field.options[0], ...tokens.map((token, i) => make("option", { value: i + 1 }, token)));
  field.value = Number(before) <= tokens.length ? before : "";
}

function fillWords(field, tokens) {
  const before = field.dataset.wanted ? JSON.parse(field.dataset.wanted).map(String) : [...field.querySelectorAll("input:checked")].map((box) => box.value);
  field.querySelector(".chips").replaceChildren(
    ...tokens.map((token, i) => {
      const box = make("input", { type: "checkbox", value: i + 1 });
      box.checked = before.includes(String(i + 1));
      return make("label", { class: "chip" }, box, make("span", {}, token));
    }),
  );
}

// How many fields of each group are not as on a fresh page.
export function count() {
  for (const group of document.querySelectorAll("[data-group]")) {
    const changed = [...group.querySelectorAll("[data-option]")].filter((field) => String(valueOf(field)) !== String(plain[field.dataset.option])).length;
    const said = group.querySelector(".changed");
    said.hidden = !changed;
    said.textContent = changed === 1 ? "1 Änderung" : `${changed} Änderungen`;
  }
}
