// Keeps what is written in this browser, and saves it as a file that `pruefe` reads.
(() => {
  const bar = document.getElementById("fill-in"), status = bar.querySelector("[role=status]");
  const chooser = bar.querySelector("input[type=file]");
  const place = "papierformer " + bar.dataset.sheet;
  const fields = [...document.querySelectorAll("[data-field]")];
  const names = [...new Set(fields.map((field) => field.dataset.field))];
  let answers = {};

  const say = (text) => { status.textContent = text; };
  const show = () => fields.forEach((field) => { field.value = answers[field.dataset.field] ?? ""; });
  const keep = () => {
    try { localStorage.setItem(place, JSON.stringify(answers)); }
    catch { say("Dieser Browser speichert hier nichts: Sichere deine Antworten als Datei."); }
  };
  const parts = (name) => {
    const found = /^(.*)\[([\d,]*)\]$/.exec(name);
    return found ? [found[1], found[2]] : [name, ""];
  };
  const filled = () => names.filter((name) => (answers[name] ?? "").trim());

  const csv = () => {
    const cell = (text) => /[;"\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    const line = (name) => [...parts(name), answers[name].replace(/\s+/g, " ").trim()].map(cell).join(";");
    return "\ufeff" + ["name;index;wert", ...filled().map(line)].join("\r\n") + "\r\n";
  };
  const json = () => {
    const tables = Object.create(null);
    for (const name of filled()) {
      const [quantity, index] = parts(name);
      const places = index ? index.split(",").map(Number) : [];
      if (!places.length) { tables[quantity] = answers[name]; continue; }
      let table = tables[quantity] ??= [];
      places.slice(0, -1).forEach((at) => { table = table[at] ??= []; });
      table[places.at(-1)] = answers[name];
    }
    const whole = (table) => Array.isArray(table) ? Array.from(table, (each) => whole(each ?? null)) : table;
    const complete = Object.entries(tables).map(([name, table]) => [name, whole(table)]);
    return JSON.stringify(Object.fromEntries(complete), null, 1) + "\n";
  };
  const save = (text, type, ending) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = "antworten." + ending;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(`Gesichert: antworten.${ending} mit ${filled().length} Antworten.`);
  };

  const fromCsv = (text) => {
    for (const line of text.split(/\r?\n/)) {
      const cells = [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)]
        .map((found) => found[1] === undefined ? found[2] : found[1].replace(/""/g, '"'));
      if (cells.length === 3) take(cells[0].startsWith("words.") ? cells[0] : `${cells[0]}[${cells[1]}]`, cells[2]);
    }
  };
  const fromJson = (table, name, index) => {
    if (Array.isArray(table)) table.forEach((each, at) => fromJson(each, name, [...index, at]));
    else if (table !== null) take(name.startsWith("words.") ? name : `${name}[${index}]`, String(table));
  };
  const take = (name, text) => { if (names.includes(name)) answers[name] = text; };
  const load = async (file) => {
    const text = (await file.text()).replace(/^\ufeff/, "");
    try {
      if (text.trimStart().startsWith("{")) {
        for (const [name, table] of Object.entries(JSON.parse(text))) fromJson(table, name, []);
      } else fromCsv(text);
    } catch { say("Diese Datei lässt sich nicht lesen."); return; }
    show(); keep();
    say(`Geladen: ${filled().length} Antworten.`);
  };

  try { answers = JSON.parse(localStorage.getItem(place)) ?? {}; } catch { answers = {}; }
  show();
  document.addEventListener("input", (event) => {
    const name = event.target.dataset?.field;
    if (!name) return;
    answers[name] = event.target.value;
    fields.filter((field) => field !== event.target && field.dataset.field === name)
      .forEach((field) => { field.value = event.target.value; });
    say(""); keep();
  });
  chooser.addEventListener("change", () => { if (chooser.files[0]) load(chooser.files[0]); chooser.value = ""; });
  const acts = {
    csv: () => save(csv(), "text/csv", "csv"),
    json: () => save(json(), "application/json", "json"),
    load: () => chooser.click(),
    clear: () => {
      if (confirm("Wirklich alle Antworten auf diesem Blatt löschen?")) { answers = {}; show(); keep(); say("Gelöscht."); }
    },
  };
  bar.addEventListener("click", (event) => acts[event.target.dataset?.do]?.());
})();
