// How long the class works on what is shown, and what of a lesson that takes.
import { make } from "./api.js";

function duration(minutes) {
  if (minutes < 100) return `${minutes}\u00a0min`;
  const hours = Math.floor(minutes / 60);
  return `${hours}\u00a0h ${minutes % 60}\u00a0min`;
}

// „32 min rechnen + 10 Einstieg und Vergleich = 42 von 45 min“; where no lesson is long enough, how many it takes.
export function effort(area, said) {
  const { minuten, stunde } = said;
  const sum = stunde && minuten + stunde.einstieg;
  const fits = sum && sum <= stunde.lang;
  const lesson = !stunde
    ? ` rechnen; das sind mehrere Stunden. Für eine wählen Sie oben eine Vorlage, oder unter „Stunde“ die Minuten.`
    : fits
      ? ` rechnen + ${stunde.einstieg} Einstieg und Vergleich = ${sum} von ${stunde.lang}\u00a0min`
      : ` rechnen + ${stunde.einstieg} Einstieg und Vergleich: das ist mehr als ${stunde.lang}\u00a0min`;
  const titles = Object.fromEntries([...document.querySelectorAll("[data-option=stationen] .chip")].map((chip) => [chip.querySelector("input").value, chip.textContent.trim()]));
  const rows = said.stationen.map((each) => make("tr", {}, make("th", { scope: "row" }, titles[each.id] ?? each.id), make("td", {}, `${each.minuten} min`), make("td", {}, `${each.be} BE`)));
  const open = area.querySelector("details")?.open ?? false;
  area.replaceChildren(
    make("strong", {}, duration(minuten)), lesson,
    make("span", { class: "soft small facts" }, `${said.luecken} Lücken · ${said.be} BE`, make("span", { id: "seiten" })),
    make("details", { open }, make("summary", {}, "Station für Station"), make("table", {}, make("tbody", {}, ...rows))),
  );
  area.hidden = false;
}

export function pages(area, number) {
  const place = area.querySelector("#seiten");
  if (place) place.textContent = number === 1 ? " · 1 Seite" : ` · ${number} Seiten`;
}
