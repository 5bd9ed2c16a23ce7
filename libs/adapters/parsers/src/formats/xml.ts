import { SaxesParser } from 'saxes';

/** An element of an XML part. Names are local, without their prefix, for each file chooses its prefixes itself. */
export interface XmlElement {
  name: string;
  /** By their names as written, prefix included: "r:id" and "id" mean different things. */
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Office files nest a dozen deep; what goes on for longer is made to exhaust who reads it. */
const MAX_DEPTH = 256;
const PIECE = 64 * 1024;

/**
 * Walks through XML. Throws where it is not well-formed, nests deeper than any document does, or declares entities:
 * none is expanded or fetched but XML's own five.
 */
export const walkXml = (bytes: Uint8Array, { open, text, close }: XmlHandlers): void => {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  parser.on('doctype', (declaration) => {
    if (declaration.includes('<!ENTITY')) throw new Error('its XML declares entities, which are not read');
  });
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) throw new Error(`its XML is nested more than ${MAX_DEPTH} levels deep`);
    open?.(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', (tag) => {
    depth--;
    close?.(localName(tag.name));
  });
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  const xml = textOf(bytes);
  for (let at = 0; at < xml.length; at += PIECE) parser.write(xml.slice(at, at + PIECE));
  parser.close();
};

export const parseXml = (bytes: Uint8Array): XmlElement => {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const path = [root];
  walkXml(bytes, {
    open: (name, attributes) => {
      const element = { name, attributes, children: [] };
      path.at(-1)?.children.push(element);
      path.push(element);
    },
    text: (text) => path.at(-1)?.children.push(text),
    close: () => path.pop(),
  });
  return elementsOf(root)[0] ?? root;
};

/** The elements right within one; those of a name, where one is given. */
export const elementsOf = (parent: XmlElement | undefined, name?: string): XmlElement[] =>
  (parent?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );

/** Steps down by names, to the first element of each. */
export const elementAt = (parent: XmlElement | undefined, ...names: string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>((at, name) => elementsOf(at, name)[0], parent);

/** All elements of a name within one, in order. */
export const descendantsOf = (parent: XmlElement, name: string): XmlElement[] =>
  elementsOf(parent).flatMap((child) => (child.name === name ? [child] : descendantsOf(child, name)));

/** An attribute by its local name, whatever its prefix. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined => {
  const found = Object.keys(element?.attributes ?? {}).find((key) => localName(key) === name);
  return found === undefined ? undefined : element?.attributes[found];
};

/** The attribute that has a prefix: "r:id" beside "id". */
export const prefixedAttribute = (element: XmlElement, name: string): string | undefined => {
  const found = Object.keys(element.attributes).find((key) => key.endsWith(`:${name}`));
  return found === undefined ? undefined : element.attributes[found];
};

export const allText = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((child) => (typeof child === 'string' ? child : allText(child))).join('');

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** XML is UTF-8 unless its first bytes say UTF-16 (XML 1.0, appendix F); Office writes no other encoding. */
const textOf = (bytes: Uint8Array): string => {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};
