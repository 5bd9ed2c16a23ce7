/** Citations that stand together: "[1][2]", "[1, 2]", "[2–4]", "[^1]", "[Source 3]", "【1】". Offsets are UTF-16 units. */
export interface CitationGroup {
  start: number;
  end: number;
  markers: number[];
}

const ONE = String.raw`(?:\[\^?(?:\p{L}{2,12}\.? )?\d{1,3}(?:\s?(?:[,;&–-]|and|og|und|et|y)\s?\^?\d{1,3})*\]|【\d{1,3}(?:[^】\n]{0,20})】)`;
const GROUP = new RegExp(String.raw`(?<![ \t])[ \t]*${ONE}(?:[ ,;]{0,2}${ONE})*`, 'gu');
const EACH = new RegExp(ONE, 'gu');
/** A group and nothing else. */
export const CITATIONS_AT_START = new RegExp(String.raw`^${GROUP.source}`, 'u');

export const citationGroups = (text: string): CitationGroup[] =>
  [...text.matchAll(GROUP)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    markers: [...new Set([...match[0].matchAll(EACH)].flatMap(([one]) => markersIn(one)))],
  }));

const LONGEST_RANGE = 20;

const markersIn = (citation: string): number[] => {
  const inside = citation.startsWith('【') ? (/\d+/.exec(citation)?.[0] ?? '') : citation;
  const markers: number[] = [];
  for (const [, from, to] of inside.matchAll(/(\d+)(?:\s?[–-]\s?\^?(\d+))?/g)) {
    const first = Number(from);
    const last = to === undefined ? first : Number(to);
    if (last >= first && last - first <= LONGEST_RANGE) for (let n = first; n <= last; n++) markers.push(n);
    else markers.push(first, last);
  }
  return markers;
};
