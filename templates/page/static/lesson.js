// The teacher's view of a lesson: asks twice a second who is where; ends and deletes.
import { ask, at, base, button, make, post, present, ready, say } from "./api.js";
const path = `/api/stunden/${at("stunde").dataset.code}`;
const QUIET = 120; // seconds without a sign

// What a button does; then the view is drawn anew.
async function act(what, body, after = look) {
  try {
    await post(`${path}/${what}`, body);
    await after();
  } catch (error) {
    say(error.message);
  }
}

function row(child, ended) {
  const count = (...names) => names.reduce((sum, name) => sum + (child.urteile[name] ?? 0), 0);
  const quiet = child.still > QUIET && !ended ? ` (seit ${Math.round(child.still / 60)} min still)` : "";
  const cells = [...("set" in at("stunde").dataset ? [child.blatt] : []), child.station + quiet, `${child.eingetragen} von ${child.felder}`, ...(child.beurteilt ? [count("richtig", "angenommen", "folgefehler"), count("falsch"), count("unlesbar")] : ["wird geprüft", "", ""]), child.von ? `${child.be} von ${child.von}` : "", child.fehler.join("; ")];
  const out = button("Entfernen", () => remove(child.tier), { class: "plain", "aria-label": `${child.tier} entfernen` });
  return make("tr", {}, make("th", { scope: "row" }, child.tier), ...cells.map((text) => make("td", {}, String(text))), make("td", {}, out));
}

async function look() {
  const said = await ask(path);
  at("kinder").hidden = said.kinder.length === 0;
  at("kinder").tBodies[0].replaceChildren(...said.kinder.map((child) => row(child, said.beendet)));
  const count = said.kinder.length;
  at("stand").textContent = present(count);
  const stops = said.stellen.filter((each) => each.anzahl > 1 || count === 1);
  at("stellen").replaceChildren(...(stops.length === 0 ? [] : [
    make("h3", {}, "Hier hält es auf"),
    make("ul", {}, ...stops.map((each) => make("li", {}, `Station ${each.station}, Aufgabe ${each.aufgabe} · ${each.titel} – ${each.anzahl}\u00a0mal falsch`))),
  ]));
  at("ende").hidden = at("pause").hidden = at("wand").hidden = said.beendet;
  at("pause").setAttribute("aria-pressed", said.pause);
  at("pause").textContent = said.pause ? "Pause beenden" : "Pause";
  at("hoeren").textContent = said.beendet && said.wissen_nicht ? `${said.wissen_nicht === 1 ? "1 Handy weiß" : `${said.wissen_nicht} Handys wissen`} es noch nicht; so lange wird noch geantwortet, höchstens zehn Minuten.` : "";
  at("offen").hidden = said.beendet || at("weiter") !== null;
  at("zu-ende").hidden = !said.beendet;
  say("");
}

async function go_on() {
  try { await look(); } catch (error) { say(error.message); }
  setTimeout(go_on, 500);
}
go_on();

function remove(animal) {
  if (confirm(`„${animal}“ mit allem entfernen, was dieses Tier eingetragen hat?`)) act("entfernen", { tier: animal });
}
at("weiter")?.addEventListener("click", () => act("weiter", {}, () => location.reload()));
at("pause").addEventListener("click", () => act("pause", { an: at("pause").getAttribute("aria-pressed") !== "true" }));
at("ende").addEventListener("click", () => {
  if (confirm("Die Stunde beenden? Danach lässt sich nichts mehr eintragen.")) act("ende");
});
at("loeschen").addEventListener("click", () => {
  if (confirm("Wirklich alles löschen, was in dieser Stunde eingetragen wurde?")) act("loeschen", {}, () => (location.href = `${base}/stunden`));
});
ready();
