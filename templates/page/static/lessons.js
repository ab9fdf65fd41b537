// Begins a lesson from a sheet of the shelf, or from the code on the paper.
import { ask, base, ready } from "./api.js";
const at = (id) => document.getElementById(id);
const settle = () => { at("code-feld").hidden = at("blatt").value !== ""; };
const wanted = new URLSearchParams(location.search).get("blatt");
if (wanted && [...at("blatt").options].some((each) => each.value === wanted)) at("blatt").value = wanted;
at("blatt").addEventListener("change", settle);
settle();

at("beginnen").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("fehler").hidden = true;
  at("laedt").textContent = "Das Blatt wird vorbereitet …";
  const told = new FormData(event.target).get("rueckmeldung");
  try {
    const said = await ask("/api/stunden", { method: "POST", body: { blatt: at("blatt").value, code: at("code").value, rueckmeldung: told } });
    location.href = `${base}/stunden/${said.stunde}`;
  } catch (error) {
    at("laedt").textContent = "";
    at("fehler").textContent = error.message;
    at("fehler").hidden = false;
  }
});
ready();
