// Elements of pictures.

/** An element of SVG; attributes as they are. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}
