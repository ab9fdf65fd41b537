// Files that are chosen or dropped, and a photo beside the sheet.
import { at, german } from "./api.js";

// A file that may be sent; where it is larger the server would hang up without a word.
export function small(file) {
  const most = 32;
  if (file.size > most * 1e6) throw new Error(`Die Datei „${file.name}“ ist zu groß (${german((file.size / 1e6).toFixed(1))}\u00a0MB); möglich sind höchstens ${most}\u00a0MB.`);
  return file;
}

// Files that are chosen, or dropped anywhere near, also in a folder.
export function takes(area, input, take) {
  const chosen = () => {
    const files = [...at(input).files];
    at(input).value = "";
    if (files.length) take(...files);
  };
  at(input).addEventListener("change", chosen);
  chosen(); // before this script listened
  for (const kind of ["dragover", "dragleave", "drop"])
    at(area).addEventListener(kind, async (event) => {
      event.preventDefault();
      at(area).classList.toggle("over", kind === "dragover");
      if (kind !== "drop") return;
      const files = await dropped(event.dataTransfer);
      if (files.length) take(...files);
    });
}

async function dropped(transfer) {
  const folder = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).find((entry) => entry?.isDirectory);
  if (!folder) return [...transfer.files];
  const reader = folder.createReader();
  const files = [];
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail)); // a hundred at a time
    if (!part.length) return files;
    for (const entry of part.filter((each) => each.isFile && !each.name.startsWith("."))) files.push(await new Promise((done, fail) => entry.file(done, fail)));
  }
}

// The photo never leaves the browser.
at("foto").addEventListener("change", () => {
  const [file] = at("foto").files;
  if (!file) return;
  URL.revokeObjectURL(at("foto-bild").src);
  at("foto-bild").src = URL.createObjectURL(file);
  at("foto-bereich").hidden = false;
});
let width = 100, turned = 0;
const sized = () => {
  at("foto-bild").style.width = `${width}%`;
  at("foto-bild").style.rotate = `${turned}deg`;
};
at("foto-groesser").addEventListener("click", () => ((width = Math.min(400, width * 1.25)), sized()));
at("foto-kleiner").addEventListener("click", () => ((width = Math.max(25, width / 1.25)), sized()));
at("foto-drehen").addEventListener("click", () => ((turned += 90), sized()));
at("foto-weg").addEventListener("click", () => {
  URL.revokeObjectURL(at("foto-bild").src);
  at("foto-bild").removeAttribute("src");
  at("foto-bereich").hidden = true;
});
