// The teacher's view of a lesson: asks twice a second who is where; ends and deletes.
import { ask, base, make, ready } from "./api.js";
const at = (id) => document.getElementById(id);
const path = `/api/stunden/${at("stunde").dataset.code}`;
const QUIET = 120; // seconds without a sign

function fail(error) {
  at("fehler").textContent = error.message;
  at("fehler").hidden = false;
}

function row(child) {
  const count = (...names) => names.reduce((sum, name) => sum + (child.urteile[name] ?? 0), 0);
  const quiet = child.still > QUIET ? ` (seit ${Math.round(child.still / 60)} min still)` : "";
  const cells = [...("set" in at("stunde").dataset ? [child.blatt] : []), child.station + quiet, `${child.eingetragen} von ${child.felder}`, ...(child.beurteilt ? [count("richtig", "angenommen", "folgefehler"), count("falsch"), count("unlesbar")] : ["wird geprüft", "", ""]), child.von ? `${child.be} von ${child.von}` : "", child.fehler.join("; ")];
  const out = make("button", { type: "button", class: "plain", "data-out": child.tier, "aria-label": `${child.tier} entfernen` }, "Entfernen");
  return make("tr", {}, make("th", { scope: "row" }, child.tier), ...cells.map((text) => make("td", {}, String(text))), make("td", {}, out));
}

async function look() {
  const said = await ask(path);
  at("kinder").hidden = said.kinder.length === 0;
  at("kinder").tBodies[0].replaceChildren(...said.kinder.map(row));
  const count = said.kinder.length;
  at("stand").textContent = count === 0 ? "Noch ist niemand da." : count === 1 ? "1 Tier ist da." : `${count} Tiere sind da.`;
  const stops = said.stellen.filter((each) => each.anzahl > 1 || count === 1);
  at("stellen").replaceChildren(...(stops.length === 0 ? [] : [
    make("h3", {}, "Hier hält es auf"),
    make("ul", {}, ...stops.map((each) => make("li", {}, `Station ${each.station}, Aufgabe ${each.aufgabe} · ${each.titel} – ${each.anzahl}\u00a0mal falsch`))),
  ]));
  at("ende").hidden = at("pause").hidden = at("wand").hidden = said.beendet;
  at("pause").setAttribute("aria-pressed", said.pause);
  at("pause").textContent = said.pause ? "Pause beenden" : "Pause";
  at("hoeren").textContent = said.beendet && said.wissen_nicht ? `${said.wissen_nicht === 1 ? "1 Handy weiß" : `${said.wissen_nicht} Handys wissen`} es noch nicht; so lange werden sie noch beantwortet, höchstens zehn Minuten.` : "";
  at("offen").hidden = said.beendet || at("weiter") !== null;
  at("zu-ende").hidden = !said.beendet;
  at("fehler").hidden = true;
}

async function go_on() {
  try { await look(); } catch (error) { fail(error); }
  setTimeout(go_on, 500);
}
go_on();

at("kinder").addEventListener("click", async (event) => {
  const animal = event.target.dataset?.out;
  if (!animal || !confirm(`„${animal}“ mit allem entfernen, was dieses Tier eingetragen hat?`)) return;
  try { await ask(`${path}/entfernen`, { method: "POST", body: { tier: animal } }); await look(); } catch (error) { fail(error); }
});
at("weiter")?.addEventListener("click", async () => {
  try { await ask(`${path}/weiter`, { method: "POST", body: {} }); location.reload(); } catch (error) { fail(error); }
});
at("pause").addEventListener("click", async () => {
  const an = at("pause").getAttribute("aria-pressed") !== "true";
  try { await ask(`${path}/pause`, { method: "POST", body: { an } }); await look(); } catch (error) { fail(error); }
});
at("ende").addEventListener("click", async () => {
  if (!confirm("Die Stunde beenden? Danach lässt sich nichts mehr eintragen.")) return;
  try { await ask(`${path}/ende`, { method: "POST", body: {} }); await look(); } catch (error) { fail(error); }
});
at("loeschen").addEventListener("click", async () => {
  if (!confirm("Wirklich alles löschen, was in dieser Stunde eingetragen wurde?")) return;
  try { await ask(`${path}/loeschen`, { method: "POST", body: {} }); location.href = `${base}/stunden`; } catch (error) { fail(error); }
});
ready();
