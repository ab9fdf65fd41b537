// The review of what was read: boards of crops, then unsure ones one by one, then a sample. Keys are enough.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const place = document.getElementById("review");
  const key = "papierformer-durchsicht-" + data.id;
  const BOARD = 80, MANY = 25;  // unsure fields of one sheet: then all of it at once
  const NUMBER = /^[-\u2212\u2013+]?\d[\d\s]*([.,]\d+)?$/;
  let said = { werte: {}, geprueft: [], falsch: [] };
  try { said = Object.assign(said, JSON.parse(localStorage.getItem(key) || "{}")); } catch { /* private window */ }
  const byKey = new Map(data.fields.map((field) => [field.key, field]));
  const known = (list) => (list || []).filter((each) => byKey.has(each));  // no page that is gone
  const own = { werte: Object.fromEntries(Object.entries(said.werte || {}).filter(([each]) => byKey.has(each))), geprueft: known(said.geprueft), falsch: known(said.falsch) };
  said = { werte: { ...data.said.werte, ...own.werte } };
  for (const list of ["geprueft", "falsch"]) { said[list] = [...new Set([...known(data.said[list]), ...own[list]])]; }
  const rejected = new Set();  // of boards: to be looked at one by one
  const passed = [];  // keys said one by one, for going back
  let saving = Promise.resolve();

  const make = (tag, props = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), props);
    made.append(...children);
    return made;
  };
  const shown = (text) => text === "" ? "leer" : text === "?" ? "unlesbar" : text.replace("-", "\u2212");
  const picture = (field) => make("img", { src: "data:image/png;base64," + field.crop, alt: field.title });
  const save = () => {
    try { localStorage.setItem(key, JSON.stringify(said)); } catch { /* private window */ }
    if (!data.post) { return; }
    saving = saving.then(() => fetch(data.post, {
      method: "POST", headers: { "Content-Type": "application/json", ...data.headers }, body: JSON.stringify(said),
    })).then((answer) => { status(answer.ok ? "Gespeichert." : "Nicht gespeichert: Bitte die Seite neu laden."); },
      () => status("Nicht gespeichert: Papierformer antwortet nicht."));
  };
  const status = (text) => { document.getElementById("status").textContent = text; };
  const plain = (value) => value.replace(/[\u2212\u2013]/, "-").replace(".", ",");
  const unsaid = (field) => !(field.key in said.werte);

  const boards = () => data.fields.filter((f) => f.kind === "range" && unsaid(f) && !rejected.has(f.key))
    .sort((a, b) => parseFloat(a.reading.replace(",", ".")) - parseFloat(b.reading.replace(",", ".")));
  const singles = () => data.fields.filter((f) => unsaid(f)
    && (f.kind === "unsure" || rejected.has(f.key) || (f.kind === "sample" && said.falsch.includes(f.key))));
  const samples = () => data.fields.filter((f) => f.kind === "sample" && !said.geprueft.includes(f.key));

  let keys = () => {};
  document.addEventListener("keydown", (event) => keys(event));

  function next() {
    const waiting = boards(), one = singles(), sample = samples();
    const left = waiting.length + one.length;
    document.getElementById("left").textContent = `${data.fields.filter((field) => field.kind !== "sample" && !unsaid(field)).length} haben Sie angesehen, ${left} ${left === 1 ? "ist" : "sind"} offen.`;
    place.replaceChildren();
    keys = () => {};
    if (waiting.length) { board(waiting.slice(0, BOARD), "Stimmt, was unter jedem Bild steht?",
      "Diese Zahlen sind gut zu lesen, aber nicht richtig gerechnet. Klicken Sie an, was falsch gelesen ist.", false);
    } else if (one.length) {
      const same = one.filter((field) => field.label === one[0].label && !rejected.has(field.key));
      if (same.length >= MANY) { sheet(same); } else { single(one[0]); }
    } else if (sample.length) { board(sample.slice(0, BOARD), "Zum Schluss eine Stichprobe",
      "Diese Felder hat der Rechner allein bestätigt. Klicken Sie an, was falsch gelesen ist.", true);
    } else { end(); }
  }

  function board(fields, title, text, isSample) {
    const wrong = new Set();
    const tiles = fields.map((field) => {
      const tile = make("button", { type: "button", className: "tile" }, picture(field), make("b", {}, shown(field.reading)));
      tile.setAttribute("aria-pressed", "false");
      tile.addEventListener("click", () => {
        const on = !wrong.has(field.key);
        if (on) { wrong.add(field.key); } else { wrong.delete(field.key); }
        tile.setAttribute("aria-pressed", String(on));
      });
      return tile;
    });
    const done = make("button", { type: "button", className: "main" }, "Der Rest stimmt (Enter)");
    done.addEventListener("click", () => {
      for (const field of fields) {
        const isWrong = wrong.has(field.key);
        if (isSample) {
          said.geprueft.push(field.key);
          if (isWrong) { said.falsch.push(field.key); }
        } else if (isWrong) { rejected.add(field.key);
        } else { said.werte[field.key] = field.reading; }
      }
      save();
      next();
    });
    place.append(make("h2", {}, title), make("p", {}, text + (isSample ? "" : " Es kommt danach einzeln und groß.") + " Mit der Tastatur: Pfeile führen zu einem Bild, die Leertaste klickt es an, Enter bestätigt den Rest."),
      make("div", { className: "board" }, ...tiles), done);
    keys = (event) => {
      const at = tiles.indexOf(document.activeElement);
      const across = Math.max(1, Math.floor(place.clientWidth / (tiles[0].offsetWidth + 6)));
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
      if (step) { event.preventDefault(); tiles[Math.min(tiles.length - 1, Math.max(0, at + step))].focus(); }
      if (event.key === "Enter") { event.preventDefault(); done.click(); }
    };
    tiles[0].focus();
  }

  // What a hand that reads badly left open, in the order of its sheet, each reading to be confirmed or typed over.
  function sheet(fields) {
    const inputs = fields.map((field) => {
      const input = make("input", { type: "text", maxLength: 20, autocomplete: "off",
        value: NUMBER.test(field.reading) ? shown(field.reading) : "?" });
      input.setAttribute("aria-label", field.title);
      return input;
    });
    const form = make("form", {}, make("div", { className: "board" },
      ...fields.map((field, at) => make("label", { className: "tile" }, picture(field), inputs[at]))),
    make("button", { className: "main" }, "So steht es dort (Enter im letzten Feld)"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const at = inputs.indexOf(document.activeElement);
      const values = inputs.map((input) => plain(input.value.trim()));
      const wrong = values.findIndex((value) => value !== "" && value !== "?" && !NUMBER.test(value));
      if (at >= 0 && at + 1 < inputs.length) { inputs[at + 1].select(); return; }
      if (wrong >= 0) { status("Das ist keine Zahl. Ein leeres Feld bleibt leer, Unlesbares ist „?“."); inputs[wrong].select(); return; }
      fields.forEach((field, place) => { said.werte[field.key] = values[place]; });
      save();
      next();
    });
    place.append(make("h2", {}, fields[0].label), make("p", {}, "Diese Schrift liest der Rechner schlecht. "
      + "Vergleichen Sie jedes Bild mit der Zahl darunter und tippen Sie, was anders ist; „?“ heißt unlesbar oder "
      + "durchgestrichen, nichts heißt leer. Enter führt zum nächsten Feld."), form);
    inputs[0].select();
  }

  function single(field) {
    const say = (value) => { said.werte[field.key] = value; passed.push(field.key); save(); next(); };
    const guesses = [...new Set(field.guesses.filter((guess) => guess && !guess.includes("X")))];
    const buttons = guesses.map((guess, at) => {
      const button = make("button", { type: "button" }, make("b", {}, shown(guess)), make("small", {}, ` Taste ${"abc"[at]}`));
      button.addEventListener("click", () => say(guess));
      return button;
    });
    const blank = make("button", { type: "button" }, "leer", make("small", {}, " Taste l"));
    const lost = make("button", { type: "button" }, "unlesbar, durchgestrichen oder keine Zahl", make("small", {}, " Taste u"));
    const back = make("button", { type: "button" }, "zurück", make("small", {}, " Taste z"));
    blank.addEventListener("click", () => say(""));
    lost.addEventListener("click", () => say("?"));
    back.addEventListener("click", () => {
      const last = passed.pop();
      if (last) { delete said.werte[last]; rejected.add(last); save(); next(); }
    });
    const input = make("input", { type: "text", maxLength: 20, autocomplete: "off" });
    input.setAttribute("aria-label", "Was dort steht");
    const form = make("form", {}, make("label", {}, "Etwas anderes: ", input), make("button", {}, "übernehmen (Enter)"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = input.value.trim();
      if (NUMBER.test(value)) { say(plain(value)); }
      else { status("Das ist keine Zahl. Für ein leeres Feld „l“, für Unlesbares „u“."); }
    });
    place.append(make("h2", {}, field.label), make("p", {}, field.title),
      make("div", { className: "large" }, picture(field)), make("div", { className: "choices" }, ...buttons, blank, lost, back), form);
    input.focus();
    keys = (event) => {
      const at = "abc".indexOf(event.key);
      if (event.ctrlKey || event.metaKey || event.altKey) { return; }
      if (event.key.length === 1 && at >= 0 && buttons[at]) { event.preventDefault(); buttons[at].click(); }
      if (event.key === "l") { event.preventDefault(); blank.click(); }
      if (event.key === "u") { event.preventDefault(); lost.click(); }
      if (event.key === "z") { event.preventDefault(); back.click(); }
    };
  }

  function end() {
    const share = said.geprueft.length
      ? ` Stichprobe: ${said.falsch.length} von ${said.geprueft.length} waren falsch gelesen.` : "";
    const empty = data.empty + Object.values(said.werte).filter((value) => value === "").length;
    const blank = empty ? ` ${empty} ${empty === 1 ? "Feld ist" : "Felder sind"} leer; dort gibt es keine BE.` : "";
    place.append(make("h2", {}, "Fertig"), make("p", {}, `Es gibt nichts mehr anzusehen.${blank}${share}`));
    if (data.post) { return; }
    const link = download();
    place.append(make("p", {}, "Speichern Sie die Durchsicht (Enter) und geben Sie die Datei noch einmal an:"),
      make("pre", {}, `papierformer einlesen durchsicht.json --mit "${data.folder}"`), link);
    link.focus();
  }

  function download() {
    const link = make("a", { className: "main", download: "durchsicht.json" }, "Durchsicht speichern");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(said)], { type: "application/json" }));
    return link;
  }

  if (!data.post) {
    const stop = document.getElementById("stop");
    stop.hidden = false;
    stop.addEventListener("click", () => download().click());
  }
  next();
  if (JSON.stringify(said.werte) !== JSON.stringify(data.said.werte)) { save(); }  // said while nobody listened
})();
