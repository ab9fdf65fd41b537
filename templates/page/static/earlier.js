// Earlier sheets are deleted after a second click.
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
ready();
