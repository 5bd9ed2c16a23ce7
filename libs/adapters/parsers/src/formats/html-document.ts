import { parseHTML } from 'linkedom';

/** As much of the DOM as reading needs; the compiler's own DOM types would bring a browser's globals into a server. */
export interface MarkupNode {
  nodeType: number;
  textContent: string | null;
  childNodes: Iterable<MarkupNode>;
}
export interface MarkupElement extends MarkupNode {
  localName: string;
  children: Iterable<MarkupElement>;
  parentElement: MarkupElement | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): MarkupElement | null;
  querySelectorAll(selector: string): Iterable<MarkupElement>;
  closest(selector: string): MarkupElement | null;
  append(...nodes: MarkupNode[]): void;
  remove(): void;
  replaceWith(...nodes: MarkupNode[]): void;
}
export interface MarkupDocument {
  documentElement: MarkupElement;
  body: MarkupElement;
  createElement(name: string): MarkupElement;
  querySelector(selector: string): MarkupElement | null;
  querySelectorAll(selector: string): Iterable<MarkupElement>;
}

export const isElement = (node: MarkupNode): node is MarkupElement => node.nodeType === 1;
export const isText = (node: MarkupNode): boolean => node.nodeType === 3 || node.nodeType === 4;

/** Parses markup, whole documents and fragments alike; what stands outside of any body is put into one. */
export const parseMarkup = (markup: string): MarkupDocument => {
  const whole = /<html[\s>]/i.test(markup) ? markup : `<!doctype html><html><head></head><body>${markup}</body></html>`;
  // linkedom's types name the compiler's DOM, which is not loaded here; the interfaces above are its subset.
  const { document } = parseHTML(whole) as unknown as { document: MarkupDocument };
  const root = document.documentElement;
  const bodies = [...root.children].filter((child) => child.localName === 'body');
  const [first] = bodies;
  const body = first ?? document.createElement('body');
  const strays = [...root.childNodes].filter(
    (node) => node !== body && !(isElement(node) && (node.localName === 'head' || node.localName === 'body')),
  );
  if (!first) body.append(...strays);
  else if (strays.some((node) => node.textContent?.trim())) body.append(...strays);
  if (!first) root.append(body);
  return document;
};
