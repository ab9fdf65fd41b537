// Pages of a paper that came again: a person says whether they replace the earlier ones or lie beside them.
import { post } from "./api.js";

for (const asked of document.querySelectorAll("[data-again]"))
  asked.addEventListener("click", async ({ target }) => {
    if (target.dataset.replace === undefined) return;
    for (const button of asked.querySelectorAll("button")) button.disabled = true;
    try {
      await post(`/api${location.pathname.slice(location.pathname.indexOf("/einlesen/"))}/nochmal`, { arbeit: asked.dataset.again, ersetzen: target.dataset.replace === "ja" });
      location.reload();
    } catch (error) {
      asked.append(` ${error.message}`);
    }
  });
