// What a check says of a paper: points, mistakes, what follows from what; and points that a person gives.
import { at, base, button, make, number } from "./api.js";

const address = ([name, index]) => `${name}|${index.join(",")}`;
let shown = {}; // {result, papers, grades, fields, act}: what was checked, and where it stands
let looked; // the cell that had the focus last

// act: tells the sheet in its frame. fields: how many it has.
export function draw(checked) {
  shown = checked;
  const { result, act } = shown;
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
export function pointsOf({ punkte }, { hand }, key) {
  const erreicht = punkte.erreicht + Object.values(hand).reduce((sum, each) => sum + each, 0);
  const offen = punkte.aufgaben.filter((task) => !(`${task.station}|${task.nummer}` in hand)).reduce((sum, task) => sum + task.offen, 0);
  const [note, note_bis] = [erreicht, erreicht + offen].map((reached) => key.find(([, least]) => reached >= least)?.[0] ?? 0);
  return { erreicht, von: punkte.von, offen, note, note_bis };
}

function score() {
  const { result, papers, grades } = shown;
  const { erreicht, von, offen, note, note_bis } = pointsOf(result, papers.now, grades);
  at("punkte").replaceChildren(
    make("p", { class: "score" }, `${erreicht} von ${von} BE`),
    make("p", {}, `${offen ? `Noch offen: ${offen} BE (Worte, Zeichnungen). Sie lassen sich unter „Punkte je Aufgabe“ eintragen. ` : ""}Mit dem, was dasteht, sind das ${note === note_bis ? note : `${note} bis ${note_bis}`} Notenpunkte nach dem Schlüssel der KMK.`),
  );
}

function typical() {
  const found = shown.result.fehler_typisch.map((each) =>
    make("div", { class: "message" }, make("strong", {}, each.titel.join(" oder ")), make("p", {}, each.hilfe), jump(each.zuerst, each.anzahl > 1 ? `zeigt sich in ${each.anzahl} Feldern, zuerst hier` : "zeigt sich hier")),
  );
  at("typisch").replaceChildren(...(found.length ? [make("h3", {}, "Typische Fehler"), ...found] : []));
}

const jump = (cell, label) => button(label, () => shown.act("go", { cell: address(cell) }), { class: "plain" });

function faults() {
  const { result, fields, act } = shown;
  const wrong = result.zellen.filter((cell) => cell.urteil === "falsch" || cell.urteil === "unlesbar");
  const unread = wrong.filter((cell) => cell.urteil === "unlesbar").length, slips = wrong.length - unread;
  const title = [slips === 1 ? "Ein Fehler" : slips ? `${slips} Fehler` : "", unread ? `${unread} nicht lesbar` : ""].filter(Boolean).join(", ");
  const filled = result.zellen.length, right = filled - wrong.length;
  const all = filled >= fields ? "Alles ist ausgefüllt" : `${filled} von ${fields} Feldern ${filled === 1 ? "ist" : "sind"} ausgefüllt`;
  at("gefuellt").replaceChildren(make("p", {}, `${all}, davon richtig: ${right}.`));
  const items = wrong.slice(0, 40).map((cell) => {
    const follow = consequences(cell).length;
    const words = [`${cell.zeichen} ${cell.titel}`, make("small", {}, cell.urteil === "unlesbar" ? "nicht lesbar; zählt nicht als falsch" : `richtig wäre ${cell.richtig}${cell.hinweis ? ` · ${cell.hinweis}` : ""}${follow ? ` · ${follow === 1 ? "eine weitere Zahl hängt" : `${follow} weitere Zahlen hängen`} daran` : ""}${cell.kostet ? "" : " · kostet nichts"}`)];
    return make("li", {}, button(words, () => act("go", { cell: address([cell.name, cell.index]) })));
  });
  at("fehlerliste").replaceChildren(...(items.length ? [make("h3", {}, title), make("ul", { class: "faults" }, ...items)] : []));
}

const consequences = (cell) => shown.result.folgen.find((each) => address(each.von) === address([cell.name, cell.index]))?.zu ?? [];

// What is said of the cell with the focus, and what hangs together with it is marked.
export function look(cell) {
  const { result, act } = shown;
  looked = cell;
  const found = result?.zellen.find((each) => address([each.name, each.index]) === cell);
  at("zelle").replaceChildren(...(found ? [make("h3", {}, found.titel), make("p", {}, words(found))] : []));
  const sources = (result?.folgen ?? []).filter((each) => each.zu.some((to) => address(to) === cell)).map((each) => address(each.von));
  act?.("mark", { cells: found ? [...sources, ...consequences(found).map(address)] : [] });
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
  const rows = shown.result.punkte.aufgaben.map((task) =>
    make("tr", {}, make("th", { scope: "row" }, `Station ${task.station}, Aufgabe ${task.nummer}`), make("td", {}, reached(task)), make("td", {}, ...byHand(task)), make("td", {}, task.gefragt ? `${task.ausgefuellt} von ${task.gefragt} Feldern` : "")),
  );
  const heads = ["Aufgabe", "BE", "", "Ausgefüllt"].map((head) => (head ? make("th", { scope: "col" }, head) : make("td", {})));
  at("aufgaben").replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))));
  at("aufgaben-auf").hidden = false;
}

const reached = (task) => `${task.erreicht + (shown.papers.now.hand[`${task.station}|${task.nummer}`] ?? 0)} / ${task.von}`;

// A field for the points that only a person can give.
function byHand(task) {
  const { result, papers, grades } = shown;
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

export function wipe() {
  shown = { act: shown.act };
  at("fehler-blatt").hidden = true;
  for (const id of ["punkte", "gefuellt", "zelle", "typisch", "fehlerliste", "aufgaben"]) at(id).replaceChildren();
  at("bericht").hidden = at("rueckmeldung").hidden = at("aufgaben-auf").hidden = true;
}
