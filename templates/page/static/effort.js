// How long the class works on what is shown, and what of a lesson that takes.
import { make } from "./api.js";

// „etwa 26 bis 32 Minuten rechnen + 10 Einstieg und Vergleich = höchstens 42 von 45 min“; where no lesson is long enough, that it takes several.
export function effort(area, said) {
  const { minuten, stunde } = said;
  const sum = stunde && minuten + stunde.einstieg;
  const fits = sum && sum <= stunde.lang;
  const lesson = !stunde
    ? ` rechnen; das sind mehrere Stunden. Für eine wählen Sie oben eine Vorlage, oder unter „Stunde“ die Minuten.`
    : fits
      ? ` rechnen + ${stunde.einstieg} Einstieg und Vergleich = höchstens ${sum} von ${stunde.lang}\u00a0min`
      : ` rechnen + ${stunde.einstieg} Einstieg und Vergleich: das ist mehr als ${stunde.lang}\u00a0min`;
  const titles = Object.fromEntries([...document.querySelectorAll("[data-option=stationen] .chip")].map((chip) => [chip.querySelector("input").value, chip.textContent.trim()]));
  const rows = said.stationen.map((each) => make("tr", {}, make("th", { scope: "row" }, titles[each.id] ?? each.id), make("td", {}, `${each.minuten} min`), make("td", {}, `${each.be} BE`)));
  const open = area.querySelector("details")?.open ?? false;
  area.replaceChildren(
    make("strong", {}, said.dauer), lesson,
    make("span", { class: "soft small facts" }, `${said.luecken} Lücken · ${said.be} BE`, make("span", { id: "seiten" })),
    make("details", { open }, make("summary", {}, "Station für Station"), make("table", {}, make("tbody", {}, ...rows))),
  );
  area.hidden = false;
}

export function pages(area, number) {
  const place = area.querySelector("#seiten");
  if (place) place.textContent = number === 1 ? " · 1 Seite" : ` · ${number} Seiten`;
}
