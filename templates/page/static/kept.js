// What was typed stays: in this browser, until it is reset; and as a link, for another one.
const PLACE = "papierformer-blatt";

export function keep(order) {
  try { localStorage.setItem(PLACE, JSON.stringify(order)); } catch { /* private mode: it lasts as long as the page */ }
}

// Of the link that opened the page, else what was typed last; undefined where there is neither.
export function kept() {
  try {
    if (location.hash.startsWith("#blatt=")) {
      const bytes = Uint8Array.from(atob(location.hash.slice(7).replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
      history.replaceState(null, "", location.pathname + location.search);
      return JSON.parse(new TextDecoder().decode(bytes));
    }
    return JSON.parse(localStorage.getItem(PLACE)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function link(order) {
  const text = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(order)));
  return `${location.origin}${location.pathname}#blatt=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
