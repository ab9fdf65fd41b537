// Scans are sent one by one, read, and the review begins.
import { ask, base, ready } from "./api.js";

const at = (id) => document.getElementById(id);
const form = at("einlesen");

function say(sentence) {
  at("fehler").textContent = sentence;
  at("fehler").hidden = !sentence;
}

if (form) {
  const sheet = () => at("blatt").value;
  const show = () => { at("weiter").href = `${base}/einlesen/${sheet()}`; };
  at("blatt").addEventListener("change", show);
  show();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    const files = [...at("scans").files];
    if (!files.length) { say("Bitte wählen Sie zuerst die Scans aus."); return; }
    const button = form.querySelector("button.main");
    button.disabled = true;
    try {
      const names = [];
      for (const [place, file] of files.entries()) {
        at("stand").textContent = `Übernehme Datei ${place + 1} von ${files.length} …`;
        const address = `/api/datei/scan/${sheet()}?datei=${encodeURIComponent(file.name)}`;
        names.push((await ask(address, { method: "POST", raw: file })).datei);
      }
      at("stand").textContent = "Lese die Seiten; je Seite dauert das etwa eine Sekunde …";
      const said = await ask(`/api/einlesen/${sheet()}`, { method: "POST", body: { dateien: names } });
      at("stand").textContent = said.satz;
      at("hinweise").replaceChildren(...said.hinweise.map((note) => {
        const item = document.createElement("li");
        item.textContent = note;
        return item;
      }));
      at("durchsicht").href = at("weiter").href;
      at("fertig").hidden = false;
    } catch (error) {
      at("stand").textContent = "";
      say(error.message);
    }
    button.disabled = false;
  });
  at("loeschen").addEventListener("click", async () => {
    if (!confirm("Alles löschen, was zu diesem Blatt eingelesen wurde, auch die Bilder?")) return;
    try {
      await ask(`/api/einlesen/${sheet()}/loeschen`, { method: "POST", body: {} });
      at("stand").textContent = "Gelöscht.";
    } catch (error) { say(error.message); }
  });
  ready();
}
