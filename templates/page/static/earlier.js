// Earlier sheets are renamed, and deleted after a second click.
import { ask, ready } from "./api.js";

for (const button of document.querySelectorAll("[data-delete]")) {
  button.addEventListener("click", async () => {
    if (!button.dataset.sure) {
      button.dataset.sure = "ja";
      button.textContent = "Wirklich löschen?";
      return;
    }
    const item = button.closest("li");
    const said = document.getElementById("sagen");
    try {
      await ask(`/api/blaetter/${item.dataset.name}`, { method: "DELETE" });
      item.remove();
      said.textContent = "Das Blatt ist gelöscht.";
      document.getElementById("titel").focus();
    } catch (error) {
      said.textContent = error.message;
    }
  });
}
for (const button of document.querySelectorAll("[data-rename]")) {
  button.addEventListener("click", async () => {
    const item = button.closest("li");
    const title = prompt("Wie soll das Blatt heißen? Leer heißt es wie sein Satz.", item.querySelector("h2").textContent);
    if (title === null) return;
    try {
      const said = await ask(`/api/blaetter/${item.dataset.name}`, { method: "POST", body: { titel: title } });
      item.querySelector("h2").textContent = said.titel || said.satz;
      document.getElementById("sagen").textContent = "Das Blatt ist umbenannt.";
    } catch (error) {
      document.getElementById("sagen").textContent = error.message;
    }
  });
}
ready();
