// Talks to the server: JSON out, JSON in; an error is one German sentence.
const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
export const base = meta("base");
const GONE = "Papierformer antwortet nicht. Läuft das Programm noch? Bitte starten Sie es neu und öffnen Sie die Seite wieder.";

export async function ask(path, { method = "GET", body, signal, raw, more } = {}) {
  const headers = { "X-Papierformer": meta("csrf"), ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(base + path, { method, headers, signal, body: raw ?? (body === undefined ? undefined : JSON.stringify(body)) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(GONE);
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(said.fehler || GONE), { status: answer.status, field: said.feld });
  return said;
}

export const post = (path, body = {}, signal, more) => ask(path, { method: "POST", body, signal, more });
export const upload = (path, raw) => ask(path, { method: "POST", raw }); // a file

export const at = (id) => document.getElementById(id);

// An error of a page, or that there is none any more.
export function say(sentence, where = "fehler") {
  at(where).textContent = sentence;
  at(where).hidden = !sentence;
}

// What a browser keeps from one time to the next; in private mode it lasts as long as the page.
export function kept(place, storage = localStorage) {
  try { return JSON.parse(storage.getItem(place)) ?? undefined; } catch { return undefined; }
}
export function keep(place, value, storage = localStorage) {
  try {
    if (value === undefined) storage.removeItem(place);
    else storage.setItem(place, JSON.stringify(value));
  } catch { /* private mode, or too much */ }
}

// A button that a page shows as disabled waits for its script: pressed before, it would do nothing, or lose what was typed.
export function ready() {
  for (const button of document.querySelectorAll("[data-waits]")) button.disabled = false;
}

// An element: make("p", {class: "soft"}, "text", child). Text is never read as HTML.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export function button(words, act, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, ...[words].flat());
  made.addEventListener("click", act);
  return made;
}

// How many pupils have come to a lesson.
export const present = (count) => (count === 0 ? "Noch ist niemand da." : count === 1 ? "1 Tier ist da." : `${count} Tiere sind da.`);

export const german = (number) => String(number).replace(".", ",").replace("-", "−");

// What a person typed as a number; NaN where it is none.
export function number(text) {
  const plain = text.trim().replace(/[−–]/g, "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : NaN;
}

// One document after the other in a frame, without a flash: the next one loads behind and keeps the place.
export class Frames {
  constructor(holder, title) {
    this.holder = holder;
    this.title = title;
    this.shown = null;
  }

  show(address) {
    return new Promise((done) => {
      this.holder.querySelectorAll(".next").forEach((frame) => frame.remove());
      const frame = make("iframe", { class: "next", title: this.title, src: address });
      frame.addEventListener("load", () => {
        if (!frame.isConnected) return;
        const before = this.shown;
        if (before) frame.contentWindow.scrollTo(0, before.contentWindow.scrollY);
        reachable(frame.contentDocument);
        frame.classList.remove("next");
        before?.remove();
        this.shown = frame;
        done(frame);
      });
      this.holder.append(frame);
    });
  }
}

// What scrolls in a sheet can be reached by keyboard, and only that.
function reachable(sheet) {
  const areas = sheet.querySelectorAll(".scroll, .figure, .formula-box, .keep, .side, .interim, .exercise, .wide, .formula-text");
  for (const area of areas) {
    if (area.scrollWidth > area.clientWidth + 1 && getComputedStyle(area).overflowX !== "visible") area.tabIndex = 0;
  }
}

// A tab that is left open says when the program has ended, and when it is there again.
if (!at("stunde")) {
  const gone = make("p", { class: "message bad gone", role: "alert", hidden: true }, GONE);
  document.querySelector("main").prepend(gone);
  setInterval(async () => {
    if (document.hidden) return;
    gone.hidden = await fetch(`${base}/static/icon.svg`, { method: "HEAD", cache: "no-store" }).then(() => true, () => false);
  }, 10_000);
}

// Ends the session of this browser; whoever comes next is somebody else.
at("abmelden")?.addEventListener("click", async () => {
  if (!confirm("Abmelden? Ihre früheren Blätter sind danach in diesem Browser nicht mehr zu finden; sichern Sie vorher, was Sie brauchen.")) return;
  for (const place of Object.keys(localStorage).filter((each) => each.startsWith("papierformer-") && !each.startsWith("papierformer-stunde-"))) localStorage.removeItem(place);
  await post("/api/abmelden");
  location.href = `${base}/`;
});
if (at("abmelden")) at("abmelden").disabled = false;
