/** The fields between the "---" lines that may open a Markdown file: plain "key: value" lines only, no nested YAML. */
export const readFrontMatter = (text: string): { body: string; fields: Record<string, string> } => {
  const found = /^---[^\S\n]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[^\S\n]*(?:\r?\n|$)/.exec(text);
  if (!found || !/^[\w-]+\s*:/m.test(found[1] ?? '')) return { body: text, fields: {} };
  const fields: Record<string, string> = {};
  for (const line of (found[1] ?? '').split(/\r?\n/)) {
    const [, key, value] = /^([\w-]{1,40})\s*:\s*(.+)$/.exec(line) ?? [];
    const plain = value?.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (key && plain && plain.length <= 500 && !/^[[{|>&]/.test(plain)) fields[key.toLowerCase()] = plain;
  }
  return { body: text.slice(found[0].length), fields };
};
