// Ends the session of this browser; whoever comes next is somebody else.
import { ask, base } from "./api.js";
const button = document.getElementById("abmelden");
button.disabled = false;
button.addEventListener("click", async () => {
  if (!confirm("Abmelden? Ihre früheren Blätter sind danach in diesem Browser nicht mehr zu finden; sichern Sie vorher, was Sie brauchen.")) return;
  for (const place of Object.keys(localStorage).filter((each) => each.startsWith("papierformer-") && !each.startsWith("papierformer-stunde-"))) localStorage.removeItem(place);
  await ask("/api/abmelden", { method: "POST", body: {} });
  location.href = `${base}/`;
});
