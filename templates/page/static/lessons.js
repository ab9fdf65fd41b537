// Begins a lesson from a sheet of the shelf, or from the code on the paper.
import { ask, base, ready } from "./api.js";
const at = (id) => document.getElementById(id);
const settle = () => { at("code-feld").hidden = at("blatt").value !== ""; };
const asked = new URLSearchParams(location.search);
const wanted = asked.get("blatt") ?? asked.get("klasse");
if (wanted && [...at("blatt").options].some((each) => each.value === wanted)) at("blatt").value = wanted;
at("blatt").addEventListener("change", settle);
settle();

at("beginnen").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("fehler").hidden = true;
  const art = at("blatt").selectedOptions[0].dataset.art ?? "blatt"; // or a class set
  at("laedt").textContent = art === "klasse" ? "Die Blätter werden vorbereitet, je Blatt etwa eine halbe Sekunde …" : "Das Blatt wird vorbereitet …";
  const told = new FormData(event.target).get("rueckmeldung");
  try {
    const said = await ask("/api/stunden", { method: "POST", body: { [art]: at("blatt").value, code: at("code").value, rueckmeldung: told } });
    location.href = `${base}/stunden/${said.stunde}`;
  } catch (error) {
    at("laedt").textContent = "";
    at("fehler").textContent = error.message;
    at("fehler").hidden = false;
  }
});
ready();
