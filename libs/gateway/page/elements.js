/** An element with properties, `class` and `data` by name, and children; strings become text, never markup, and what is falsy is left out. */
export const make = (tag, { class: className, data, ...properties } = {}, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  Object.assign(element, properties);
  Object.assign(element.dataset, data);
  element.append(...children.filter(Boolean));
  return element;
};

export const find = (id) => document.getElementById(id);
