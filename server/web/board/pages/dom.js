// Elements, without a framework: h("tag.class", {attributes}, ...children).

export function h(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  element.className = classes.join(" ");
  for (const part of rest.flat(Infinity)) {
    if (part === null || part === undefined || part === false) continue;
    if (part instanceof Node) element.append(part);
    else if (typeof part === "object") set(element, part);
    else element.append(String(part));
  }
  return element;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value);
    }
  }
}

// Put children in place of those that are there; what stays the same object isn't touched.
export function fill(element, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child);
  const same = element.childNodes.length === wanted.length
    && wanted.every((child, i) => element.childNodes[i] === child);
  if (!same) element.replaceChildren(...wanted);
  return element;
}

export function text(element, value) {
  const wanted = value === null || value === undefined ? "" : String(value);
  if (element.textContent !== wanted) element.textContent = wanted;
}

export function link(path, ...children) {
  return h("a", { href: here(path) }, ...children);
}

// An address of the board that keeps what was chosen: language, theme.
export function here(path) {
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === "lang" || name === "theme") kept.set(name, value);
  }
  const query = kept.toString();
  return query ? `${path}?${query}` : path;
}

export function toPlayer(id, name) {
  return link(`/board/player/${encodeURIComponent(id)}`, name);
}
