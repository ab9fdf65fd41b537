// The lesson on the wall: the way in, then a row for each animal with a square for each number, which fills live.
import { ask, at, base, button, make, post, present, ready, say } from "./api.js";
const path = `/api/stunden/${at("stunde").dataset.code}`;
const SIGNS = { richtig: "✓", angenommen: "✓", folgefehler: "F", falsch: "✗", unlesbar: "?" };
const DRAWN = at("stunde").dataset.drawn.split(" ");
let said, drawn, looked; // looked: the animal whose square was clicked last

const pressed = (id) => at(id).getAttribute("aria-pressed") === "true";
const key = ([station, number]) => `${station}|${number}`;

function choose() {
  const tasks = [...new Map(said.aufgaben.map((each) => [key(each), each])).values()];
  if (at("aufgabe").options.length === tasks.length + 1) return;
  at("aufgabe").replaceChildren(make("option", { value: "" }, "alle"), ...tasks.map((each) => make("option", { value: key(each) }, `Station ${each[0]}, Aufgabe ${each[1]}`)));
}

function square(child, place) {
  if (!child.felder[place]) return make("td", {});
  const [verdict, text] = child.felder[place];
  const [station, number, title] = said.aufgaben[place];
  const kind = verdict === "angenommen" ? "richtig" : verdict || (text ? "neu" : "");
  const words = `Station ${station}, Aufgabe ${number}, ${title}`;
  const show = () => {
    looked = child.tier;
    at("getippt").textContent = `${words}: ${text ? `„${text}“` : "noch leer"}`;
  };
  const label = `${pressed("namen") ? child.tier : "Jemand"}: ${words}: ${text || "leer"}`;
  return make("td", {}, button(SIGNS[verdict] ?? (text ? "·" : ""), show, { class: `square ${kind}`, "aria-label": label }));
}

function draw() {
  const state = JSON.stringify([said, pressed("namen"), at("aufgabe").value]);
  if (state === drawn) return; // what has the focus keeps it
  drawn = state;
  choose();
  const places = said.aufgaben.map((each, place) => [key(each), place]).filter(([task]) => !at("aufgabe").value || task === at("aufgabe").value).map(([, place]) => place);
  const rows = said.kinder.map((child, row) => {
    const picture = DRAWN.includes(child.tier) && pressed("namen") ? [make("img", { src: `${base}/static/tiere/${child.tier.toLowerCase()}.svg`, alt: "", width: 36, height: 36 })] : [];
    return make("tr", {}, make("th", { scope: "row" }, ...picture, pressed("namen") ? child.tier : `${row + 1}`), ...places.map((place) => square(child, place)));
  });
  const focused = document.activeElement?.getAttribute("aria-label");
  at("felder").tBodies[0].replaceChildren(...rows);
  if (focused) [...at("felder").querySelectorAll("button")].find((each) => each.getAttribute("aria-label") === focused)?.focus();
  at("stand").textContent = said.beendet ? "Diese Stunde ist zu Ende." : present(said.kinder.length);
  at("ruhe").hidden = !said.pause;
  at("pause").setAttribute("aria-pressed", said.pause);
}

async function look() {
  try {
    said = await ask(`${path}/beamer`);
    draw();
    say("");
  } catch (error) {
    say(error.message);
  }
  setTimeout(look, 1000);
}
look();

const toggle = (id, act) => at(id).addEventListener("click", () => {
  at(id).setAttribute("aria-pressed", !pressed(id));
  act(pressed(id));
});
toggle("einlass", (shown) => (at("rein").hidden = !shown));
toggle("namen", draw);
function hide() {
  at("loesung").hidden = true;
  at("zeig").textContent = "Zeig die Lösung dieser Aufgabe";
}
at("aufgabe").addEventListener("change", () => {
  at("zeig").hidden = !at("aufgabe").value;
  hide();
  draw();
});
at("zeig").addEventListener("click", async () => {
  if (!at("loesung").hidden) return hide();
  const [station, number] = at("aufgabe").value.split("|");
  try {
    const { zellen, blatt } = await post(`${path}/loesung`, { station, nummer: Number(number), tier: looked });
    if (blatt) at("getippt").textContent = `So ist es auf Blatt ${blatt}; auf jedem Blatt stehen andere Zahlen.`;
    at("loesung").replaceChildren(...zellen.flatMap(([title, value]) => [make("dt", {}, title), make("dd", {}, value)]));
    at("loesung").hidden = false;
    at("zeig").textContent = "Lösung verbergen";
    at("loesung").scrollIntoView({ block: "nearest" });
  } catch (error) {
    say(error.message);
  }
});
at("pause").addEventListener("click", async () => {
  try { await post(`${path}/pause`, { an: !pressed("pause") }); said.pause = !said.pause; draw(); } catch (error) { say(error.message); }
});
at("voll").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : at("stunde").requestFullscreen()));
ready();
