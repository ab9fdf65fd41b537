// What is done with sheets that were made: renamed, deleted, a lesson begun with one, scans of one read in.
import { ask, at, base, keep, kept, make, post, ready, say, upload } from "./api.js";

// --- all of them: deleted after a second click

const done = (button, act, said) => button.addEventListener("click", async () => {
  const item = button.closest("li");
  try {
    if (await act(item, `/api/blaetter/${item.dataset.name}`)) at("sagen").textContent = said;
  } catch (error) {
    at("sagen").textContent = error.message;
  }
});
for (const button of document.querySelectorAll("[data-delete]")) {
  done(button, async (item, path) => {
    if (!button.dataset.sure) {
      button.dataset.sure = "ja";
      button.textContent = "Wirklich löschen?";
      return false;
    }
    await ask(path, { method: "DELETE" });
    item.remove();
    at("titel").focus();
    return true;
  }, "Das Blatt ist gelöscht.");
}
for (const button of document.querySelectorAll("[data-rename]")) {
  done(button, async (item, path) => {
    const title = prompt("Wie soll das Blatt heißen? Leer heißt es wie sein Satz.", item.querySelector("h2").textContent);
    if (title === null) return false;
    const said = await post(path, { titel: title });
    item.querySelector("h2").textContent = said.titel || said.satz;
    return true;
  }, "Das Blatt ist umbenannt.");
}

// --- a lesson, from a sheet or from the code on the paper

if (at("beginnen")) {
  const settle = () => { at("code-feld").hidden = at("blatt").value !== ""; };
  const asked = new URLSearchParams(location.search);
  const wanted = asked.get("blatt") ?? asked.get("klasse");
  if (wanted && [...at("blatt").options].some((each) => each.value === wanted)) at("blatt").value = wanted;
  at("blatt").addEventListener("change", settle);
  settle();
  at("beginnen").addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    const art = at("blatt").selectedOptions[0].dataset.art ?? "blatt"; // or a class set
    at("laedt").textContent = art === "klasse" ? "Die Blätter werden vorbereitet, je Blatt etwa eine halbe Sekunde …" : "Das Blatt wird vorbereitet …";
    const told = new FormData(event.target).get("rueckmeldung");
    event.submitter.disabled = true; // a double click is one lesson
    try {
      const said = await post("/api/stunden", { [art]: at("blatt").value, code: at("code").value, rueckmeldung: told });
      location.href = `${base}/stunden/${said.stunde}`;
    } catch (error) {
      at("laedt").textContent = "";
      say(error.message);
      event.submitter.disabled = false;
    }
  });
}

// --- scans are sent one by one and read, and the review begins

if (at("einlesen")) {
  const sheet = () => at("blatt").value, LAST = "papierformer-eingelesen";
  const before = new URLSearchParams(location.search).get("blatt") ?? kept(LAST); // a class comes in portions
  if ([...at("blatt").options].some((each) => each.value === before)) at("blatt").value = before;
  const show = () => { at("weiter").href = `${base}/einlesen/${sheet()}`; };
  at("blatt").addEventListener("change", show);
  show();
  at("einlesen").addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    const files = [...at("scans").files];
    if (!files.length) return say("Bitte wählen Sie zuerst die Scans aus.");
    event.submitter.disabled = true;
    try {
      const names = [];
      for (const [place, file] of files.entries()) {
        at("stand").textContent = `Übernehme Datei ${place + 1} von ${files.length} …`;
        names.push((await upload(`/api/datei/scan/${sheet()}?datei=${encodeURIComponent(file.name)}`, file)).datei);
      }
      at("stand").textContent = "Lese die Seiten; je Seite dauert das etwa eine Sekunde …";
      const said = await post(`/api/einlesen/${sheet()}`, { dateien: names });
      keep(LAST, sheet());
      at("stand").textContent = said.satz;
      at("hinweise").replaceChildren(...said.hinweise.map((note) => make("li", {}, note)));
      at("durchsicht").href = at("weiter").href;
      at("scans").value = "";
      at("fertig").hidden = false;
    } catch (error) {
      at("stand").textContent = "";
      say(error.message);
    }
    event.submitter.disabled = false;
  });
  at("loeschen").addEventListener("click", async () => {
    if (!confirm("Alles löschen, was zu diesem Blatt eingelesen wurde, auch die Bilder?")) return;
    try {
      await post(`/api/einlesen/${sheet()}/loeschen`);
      // what this browser has noted is kept by the program for every other sheet
      for (const place of Object.keys(localStorage)) if (place.startsWith("papierformer-durchsicht-")) localStorage.removeItem(place);
      at("stand").textContent = "Gelöscht.";
      at("fertig").hidden = true;
    } catch (error) { say(error.message); }
  });
}
ready();
addEventListener("pageshow", ready); // who comes back may begin again
